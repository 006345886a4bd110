// shapes.rs - chains of Rust: see shapes.c.
use std::ptr;
use std::time::{Duration, Instant};

const LONG: u64 = 20000;
static mut SINK: u64 = 0;

fn touch(n: u64) {
    unsafe { ptr::write_volatile(ptr::addr_of_mut!(SINK), ptr::read_volatile(ptr::addr_of!(SINK)).wrapping_add(n)) }
}

// TRUTH shapes::m_plain_leaf shapes::m_plain_b shapes::m_plain_a shapes::main
#[inline(never)]
fn m_plain_leaf() { for i in 0..LONG { touch(i) } }
#[inline(never)]
fn m_plain_b() { m_plain_leaf(); touch(2) }
#[inline(never)]
fn m_plain_a() { m_plain_b(); touch(1) }

// TRUTH shapes::m_dyn_leaf ::m_dyn_b shapes::m_dyn_a shapes::main
trait Called { fn m_dyn_b(&self); }
struct Object(u64);
#[inline(never)]
fn m_dyn_leaf() { for i in 0..LONG { touch(i * 3) } }
impl Called for Object {
    #[inline(never)]
    fn m_dyn_b(&self) { m_dyn_leaf(); touch(self.0) }
}
#[inline(never)]
fn m_dyn_a(o: &dyn Called) { o.m_dyn_b(); touch(1) }

// TRUTH shapes::m_panic_leaf shapes::m_panic_c ~ shapes::m_panic_b ~ shapes::m_panic_a shapes::main
struct Dropped;
#[inline(never)]
fn m_panic_leaf() { for i in 0..LONG { touch(i * 5) } }
#[inline(never)]
fn m_panic_c() { m_panic_leaf(); touch(3) }
impl Drop for Dropped {
    fn drop(&mut self) { m_panic_c(); touch(1) }
}
#[inline(never)]
fn m_panic_b() {
    let _d = Dropped;
    std::panic::resume_unwind(Box::new(1u32));
}
#[inline(never)]
fn m_panic_a() { let _ = std::panic::catch_unwind(m_panic_b); touch(1) }

// TRUTH shapes::m_thread_leaf shapes::m_thread_b shapes::m_thread_start
#[inline(never)]
fn m_thread_leaf() { for i in 0..LONG { touch(i * 7) } }
#[inline(never)]
fn m_thread_b() { m_thread_leaf(); touch(4) }
#[inline(never)]
fn m_thread_start(d: Duration) {
    let end = Instant::now() + d;
    while Instant::now() < end { m_thread_b() }
    touch(1)
}

fn main() {
    let ms = std::env::args().nth(1).and_then(|s| s.parse().ok()).unwrap_or(30);
    let d = Duration::from_millis(ms);
    let o: Box<dyn Called> = Box::new(Object(3));
    for shape in 0..3 {
        let end = Instant::now() + d;
        while Instant::now() < end {
            match shape {
                0 => m_plain_a(),
                1 => m_dyn_a(o.as_ref()),
                _ => m_panic_a(),
            }
        }
    }
    std::thread::spawn(move || m_thread_start(d)).join().unwrap();
}
