//! The one use of `unsafe` in this crate: the elements of typed arrays that JavaScript passed to the call that is running.
//!
//! Nobody else reads or writes them meanwhile. The array's own thread is in this call, which runs no JavaScript until the slice is gone, so it
//! can neither detach nor resize the array either; other threads see only `SharedArrayBuffer`s, which node/src never passes.

use napi::bindgen_prelude::{BigInt64ArraySlice, Uint8ArraySlice};

/// The elements of an array of numbers.
pub fn elements<'call>(array: &'call mut BigInt64ArraySlice<'_>) -> &'call mut [i64] {
    // SAFETY: as said above.
    unsafe { array.as_mut() }
}

/// The elements of an array of bytes.
pub fn bytes<'call>(array: &'call mut Uint8ArraySlice<'_>) -> &'call mut [u8] {
    // SAFETY: as said above.
    unsafe { array.as_mut() }
}
