//! The only uses of `unsafe` in this crate.
//!
//! **The elements of typed arrays** that JavaScript passed to the call that is running: nobody else reads or writes them
//! meanwhile. The array's own thread is in this call, which runs no JavaScript until the slice is gone, so it can neither detach
//! nor resize the array either; other threads see only `SharedArrayBuffer`s, which node/src never passes.
//!
//! **Text that is ASCII** becomes a JavaScript string without a copy of its own, for which napi-rs has no type.

use napi::bindgen_prelude::{BigInt64ArraySlice, ToNapiValue, Uint8ArraySlice};
use napi::{Status, sys};
use saiban::Text;

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

/// Text of ASCII characters on its way to JavaScript.
pub struct Ascii(pub Text);

impl ToNapiValue for Ascii {
    unsafe fn to_napi_value(env: sys::napi_env, Ascii(text): Self) -> napi::Result<sys::napi_value> {
        let characters = text.as_bytes();
        let mut value = std::ptr::null_mut();
        // SAFETY: napi-rs gives an environment that is open; Node copies so many characters, which are there, and writes the
        // value.
        let status = unsafe {
            sys::napi_create_string_latin1(env, characters.as_ptr().cast(), characters.len() as isize, &mut value)
        };
        match Status::from(status) {
            Status::Ok => Ok(value),
            failure => Err(napi::Error::from_status(failure)),
        }
    }
}
