//! The C functions, called from C as the header declares them: see `c/calls.c`.
#![no_main]

use libfuzzer_sys::fuzz_target;
// Links the functions that `calls.c` calls.
use saiban_c as _;

unsafe extern "C" {
    fn saiban_fuzz_calls(data: *const u8, size: usize);
}

fuzz_target!(|data: &[u8]| {
    // SAFETY: `calls.c` reads these bytes and no more, and is called by one thread.
    unsafe { saiban_fuzz_calls(data.as_ptr(), data.len()) }
});
