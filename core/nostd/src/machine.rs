//! What this program has of a machine: a way to write, a timer, and dice.

use core::cell::Cell;
use core::ffi::{c_int, c_void};
use core::fmt;
use saiban::{Clock, Entropy, Error};

#[link(name = "c")]
unsafe extern "C" {
    fn write(file: c_int, bytes: *const c_void, count: usize) -> isize;
    fn _exit(status: c_int) -> !;
}

/// Standard output.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        // SAFETY: the text is as long as it says.
        let written = unsafe { write(1, text.as_ptr().cast(), text.len()) };
        if written == text.len() as isize { Ok(()) } else { Err(fmt::Error) }
    }
}

#[panic_handler]
fn panicked(panic: &core::panic::PanicInfo) -> ! {
    let _ = fmt::Write::write_fmt(&mut Console, format_args!("{panic}\n"));
    // SAFETY: ends the process, with nothing left to do.
    unsafe { _exit(101) }
}

/// The core library comes compiled for unwinding and names this function, which nobody calls where
/// panics end the program.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// A timer that somebody else moves.
pub struct Timer(Cell<u64>);

impl Timer {
    pub fn new(now_ms: u64) -> Self {
        Timer(Cell::new(now_ms))
    }

    pub fn set_ms(&self, now_ms: u64) {
        self.0.set(now_ms);
    }
}

impl Clock for Timer {
    fn now_ns(&self) -> Result<u64, Error> {
        self.0.get().checked_mul(1_000_000).ok_or(Error::ClockUnavailable)
    }
}

/// Randomness for this demonstration; a real machine has a source that nobody can foretell.
pub struct Dice(Cell<u64>);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(Cell::new(seed))
    }
}

impl Entropy for Dice {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        for byte in bytes {
            let mut state = self.0.get();
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            self.0.set(state);
            *byte = (state >> 32) as u8;
        }
        Ok(())
    }
}
