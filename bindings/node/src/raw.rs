//! The one use of `unsafe` in this crate.

use napi::bindgen_prelude::BigInt64ArraySlice;

/// The elements of a typed array that JavaScript passed to the call that is running.
pub fn elements<'call>(array: &'call mut BigInt64ArraySlice<'_>) -> &'call mut [i64] {
    // SAFETY: nobody else reads or writes the elements meanwhile. The array's own thread is in this call, which runs no
    // JavaScript until the slice is gone, so it can neither detach nor resize the array either; other threads see
    // only `SharedArrayBuffer`s, which node/src/generator.ts never passes.
    unsafe { array.as_mut() }
}
