// Names as Rust makes them: modules, methods, traits' methods, generic functions, closures.

/// A value that the compiler knows nothing about.
#[inline(always)]
fn black_box<V>(v: V) -> V {
    let r = unsafe { std::ptr::read_volatile(&v) };
    std::mem::forget(v);
    r
}

pub mod shop {
    pub struct Till {
        pub sum: u64,
    }

    impl Till {
        #[inline(never)]
        pub fn new(sum: u64) -> Till {
            Till { sum: super::black_box(sum) }
        }

        #[inline(never)]
        pub fn pay(&mut self, amount: u64) -> u64 {
            self.sum += super::black_box(amount);
            self.sum
        }
    }

    pub trait Speak {
        fn speak(&self, times: u32) -> u32;
    }

    impl Speak for Till {
        #[inline(never)]
        fn speak(&self, times: u32) -> u32 {
            super::black_box(times) + self.sum as u32
        }
    }
}

use shop::{Speak, Till};

#[inline(never)]
fn largest<T: PartialOrd + Copy>(a: T, b: T) -> T {
    let r = if a > b { a } else { b };
    black_box(r)
}

#[inline(never)]
fn apply<F: Fn(u64) -> u64>(n: u64, f: F) -> u64 {
    black_box(f(n))
}

#[no_mangle]
#[inline(never)]
pub extern "C" fn plain_name(n: i32) -> i32 {
    black_box(n)
}

fn main() {
    let mut till = Till::new(5);
    let mut sum = till.pay(10) + till.pay(20);
    sum += u64::from(till.speak(3));
    sum += largest(7u64, 8) + u64::from(largest(9u32, 6));
    sum += apply(4, |n| black_box(n) + 1);
    sum += plain_name(-2) as u64;
    std::process::exit((sum != 15 + 35 + 38 + 8 + 9 + 5 - 2) as i32);
}
