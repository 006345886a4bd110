// A service that is busy for so many milliseconds: modules, methods, a trait's method, a generic function and a closure.

#[inline(always)]
fn black_box<V>(v: V) -> V {
    let r = unsafe { std::ptr::read_volatile(&v) };
    std::mem::forget(v);
    r
}

pub mod kitchen {
    pub struct Stove {
        pub pots: Vec<u64>,
    }

    pub trait Cook {
        fn cook(&mut self, order: u64) -> u64;
    }

    impl Cook for Stove {
        #[inline(never)]
        fn cook(&mut self, order: u64) -> u64 {
            let mut heat = order;
            for pot in self.pots.iter_mut() {
                *pot = super::black_box(pot.wrapping_mul(31) ^ heat);
                heat = heat.wrapping_add(*pot);
            }
            heat
        }
    }
}

use kitchen::{Cook, Stove};

#[inline(never)]
fn repeat<F: FnMut(u64) -> u64>(times: u64, mut work: F) -> u64 {
    let mut sum = 0u64;
    for i in 0..times {
        sum = sum.wrapping_add(work(i));
    }
    black_box(sum)
}

#[inline(never)]
fn serve(until: std::time::Instant) -> u64 {
    let mut stove = Stove { pots: vec![1; 1000] };
    let mut sum = 0u64;
    while std::time::Instant::now() < until {
        sum = sum.wrapping_add(repeat(50, |order| stove.cook(order)));
    }
    black_box(sum)
}

fn main() {
    let ms = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    let until = std::time::Instant::now() + std::time::Duration::from_millis(ms);
    std::process::exit((std::thread::spawn(move || serve(until)).join().unwrap() & 0) as i32);
}
