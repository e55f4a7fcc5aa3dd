//! The program in a process of this machine: C's library writes, and ends it.

use core::ffi::{c_int, c_void};
use core::fmt;

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

#[unsafe(no_mangle)]
extern "C" fn main() -> c_int {
    crate::checked()
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
