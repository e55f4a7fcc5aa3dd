//! The program on a microcontroller without an operating system, an ARM Cortex-M. It writes and
//! ends by semihosting, as debuggers and qemu offer it.

use core::fmt;
use cortex_m_semihosting::debug::{EXIT_FAILURE, EXIT_SUCCESS, exit};
use cortex_m_semihosting::hio;

/// The debugger's standard output.
pub struct Console;

impl fmt::Write for Console {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        hio::hstdout().and_then(|mut stream| stream.write_all(text.as_bytes())).map_err(|()| fmt::Error)
    }
}

#[cortex_m_rt::entry]
fn main() -> ! {
    end(crate::checked() == 0)
}

#[panic_handler]
fn panicked(panic: &core::panic::PanicInfo) -> ! {
    let _ = fmt::Write::write_fmt(&mut Console, format_args!("{panic}\n"));
    end(false)
}

fn end(is_well: bool) -> ! {
    loop {
        exit(if is_well { EXIT_SUCCESS } else { EXIT_FAILURE });
    }
}
