//! The only uses of `unsafe` in this crate.
//!
//! **The elements of typed arrays** that JavaScript passes to the current call. Nothing else reads
//! or writes them meanwhile: the array's own thread is in this call, which runs no JavaScript until
//! the slice is dropped, so that the array is neither detached nor resized. Other threads access
//! only `SharedArrayBuffer`s, which node/src never passes. WebAssembly cannot access the memory of
//! an array: the elements are a copy there, which is copied back.
//!
//! **Text that is ASCII** becomes a JavaScript string without an intermediate copy. napi-rs has no
//! type for it.
//!
//! **Functions without arguments**, which make IDs. napi-rs would look for arguments, and allocate
//! a list for them, in each call.
//!
//! **A slot** is memory for an ID that JavaScript reads. JavaScript makes a bigint or an array of
//! it faster than native code does.

use napi::bindgen_prelude::{BigInt64ArraySlice, FromNapiValue, JsValue, ToNapiValue, Uint8ArraySlice, Unknown};
use napi::{Env, Error, JsError, Status, sys};
use saiban::Text;
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

/// Lets a function write the elements of an array of numbers.
pub fn write_elements<Answer>(
    env: &Env,
    array: &mut BigInt64ArraySlice<'_>,
    write: impl FnOnce(&mut [i64]) -> Answer,
) -> napi::Result<Answer> {
    // SAFETY: see the module's documentation.
    let answer = write(unsafe { array.as_mut() });
    copy_back(env, array, size_of_val::<[i64]>(array)).map(|()| answer)
}

/// Lets a function write the elements of an array of bytes.
pub fn write_bytes<Answer>(
    env: &Env,
    array: &mut Uint8ArraySlice<'_>,
    write: impl FnOnce(&mut [u8]) -> Answer,
) -> napi::Result<Answer> {
    // SAFETY: see the module's documentation.
    let answer = write(unsafe { array.as_mut() });
    copy_back(env, array, array.len()).map(|()| answer)
}

#[cfg(not(target_family = "wasm"))]
#[allow(clippy::unnecessary_wraps, reason = "WebAssembly copies")]
fn copy_back<'array>(_: &Env, _: &impl JsValue<'array>, _bytes: usize) -> napi::Result<()> {
    Ok(())
}

#[cfg(target_family = "wasm")]
fn copy_back<'array>(env: &Env, array: &impl JsValue<'array>, bytes: usize) -> napi::Result<()> {
    unsafe extern "C" {
        fn emnapi_sync_memory(
            env: sys::napi_env,
            js_to_wasm: bool,
            array: *mut sys::napi_value,
            offset: usize,
            bytes: usize,
        ) -> sys::napi_status;
    }
    // An empty buffer has no address.
    if bytes == 0 {
        return Ok(());
    }
    let mut value = array.raw();
    // SAFETY: the environment is open, and the array is valid in the current call.
    checked(unsafe { emnapi_sync_memory(env.raw(), false, &mut value, 0, bytes) })
}

/// Text of ASCII characters, which is converted to a JavaScript string.
pub struct Ascii(pub Text);

impl ToNapiValue for Ascii {
    unsafe fn to_napi_value(env: sys::napi_env, Ascii(text): Self) -> napi::Result<sys::napi_value> {
        Written::new(&Env::from_raw(env), text.as_bytes()).map(|Written(value)| value)
    }
}

/// Text that is already a JavaScript string, valid in the current call.
pub struct Written(sys::napi_value);

impl Written {
    /// Converts ASCII characters.
    pub fn new(env: &Env, characters: &[u8]) -> napi::Result<Self> {
        let mut value = null_mut();
        // SAFETY: the environment is open. Node copies this many characters, which exist, and
        // writes the value.
        let status = unsafe {
            sys::napi_create_string_latin1(env.raw(), characters.as_ptr().cast(), characters.len() as isize, &mut value)
        };
        checked(status).map(|()| Written(value))
    }
}

impl ToNapiValue for Written {
    unsafe fn to_napi_value(_: sys::napi_env, Written(value): Self) -> napi::Result<sys::napi_value> {
        Ok(value)
    }
}

/// Returns a function without arguments. It owns the body.
pub fn function<'env, Answer: ToNapiValue, Body: Fn(&Env) -> napi::Result<Answer> + 'static>(
    env: &'env Env,
    name: &str,
    body: Body,
) -> napi::Result<Unknown<'env>> {
    let (raw, mut function) = (env.raw(), null_mut());
    let data: *mut c_void = Box::into_raw(Box::new(body)).cast();
    // SAFETY: the environment is open, and copies the name. `call` uses the data as a `Body`, and
    // so does the finalizer, which alone frees it. If an error ends this block before the finalizer
    // is added, the data are never freed.
    unsafe {
        let name_length = name.len() as isize;
        let call = Some(call::<Answer, Body> as Callback);
        checked(sys::napi_create_function(raw, name.as_ptr().cast(), name_length, call, data, &mut function))?;
        checked(sys::napi_add_finalizer(raw, function, data, Some(free::<Body>), null_mut(), null_mut()))?;
        Unknown::from_napi_value(raw, function)
    }
}

/// Like `function`, for numbers, which the function returns: JavaScript cannot read a number that
/// WebAssembly writes into an array.
#[cfg(target_family = "wasm")]
pub fn function_with_slot<'env>(
    env: &'env Env,
    name: &str,
    body: impl Fn(&Env) -> napi::Result<i64> + 'static,
) -> napi::Result<Unknown<'env>> {
    function(env, name, move |env| body(env).map(napi::bindgen_prelude::i64n))
}

/// Like `function`, for numbers, which JavaScript reads from the function's `slot`, an array of one
/// element.
#[cfg(not(target_family = "wasm"))]
pub fn function_with_slot<'env>(
    env: &'env Env,
    name: &str,
    body: impl Fn(&Env) -> napi::Result<i64> + 'static,
) -> napi::Result<Unknown<'env>> {
    with_slot(env, name, sys::TypedarrayType::bigint64_array, 1, move |env| body(env).map(i64::to_ne_bytes))
}

/// Like `function`, for IDs as bytes, the highest first, which JavaScript reads from the function's
/// `slot`, an array of this many bytes. Returns `None` where a call cannot write into an array.
#[cfg(not(target_family = "wasm"))]
pub fn function_with_bytes<'env>(
    env: &'env Env,
    name: &str,
    bytes: u32,
    body: impl Fn(&Env) -> napi::Result<u128> + 'static,
) -> napi::Result<Option<Unknown<'env>>> {
    let array = sys::TypedarrayType::uint8_array;
    Ok(Some(match bytes {
        12 => with_slot(env, name, array, 12, move |env| body(env).map(lowest::<12>))?,
        16 => with_slot(env, name, array, 16, move |env| body(env).map(lowest::<16>))?,
        _ => return Ok(None),
    }))
}

#[cfg(target_family = "wasm")]
#[allow(clippy::unnecessary_wraps, reason = "other platforms have such functions")]
pub fn function_with_bytes<'env>(
    _: &'env Env,
    _: &str,
    _: u32,
    _: impl Fn(&Env) -> napi::Result<u128> + 'static,
) -> napi::Result<Option<Unknown<'env>>> {
    Ok(None)
}

/// Returns the lowest bytes of a number, the highest of them first.
#[cfg(not(target_family = "wasm"))]
fn lowest<const BYTES: usize>(number: u128) -> [u8; BYTES] {
    number.to_be_bytes().last_chunk().copied().unwrap_or([0; BYTES])
}

/// Returns a function that leaves its bytes in its `slot`, a typed array with this many elements in
/// as many bytes.
#[cfg(not(target_family = "wasm"))]
fn with_slot<'env, const BYTES: usize>(
    env: &'env Env,
    name: &str,
    kind: sys::napi_typedarray_type,
    elements: usize,
    body: impl Fn(&Env) -> napi::Result<[u8; BYTES]> + 'static,
) -> napi::Result<Unknown<'env>> {
    let raw = env.raw();
    let (mut place, mut buffer, mut array) = (null_mut(), null_mut(), null_mut());
    // SAFETY: the environment is open, and writes the address of this many bytes, and the values.
    unsafe {
        checked(sys::napi_create_arraybuffer(raw, BYTES, &mut place, &mut buffer))?;
        checked(sys::napi_create_typedarray(raw, kind, elements, buffer, 0, &mut array))?;
    }
    let place: *mut [u8; BYTES] = place.cast();
    let function = function(env, name, move |env| {
        let bytes = body(env)?;
        // SAFETY: the place exists. The function, which is being called, always holds the array,
        // and node/src, which alone can access the array, never transfers its memory.
        unsafe { place.write_unaligned(bytes) };
        Ok(Undefined)
    })?;
    let slot = sys::napi_property_descriptor {
        utf8name: c"slot".as_ptr().cast(),
        name: null_mut(),
        method: None,
        getter: None,
        setter: None,
        value: array,
        // The property can be neither written nor deleted.
        attributes: sys::PropertyAttributes::default,
        data: null_mut(),
    };
    // SAFETY: the environment is open, and copies the one description.
    unsafe { checked(sys::napi_define_properties(raw, function.raw(), 1, &slot))? };
    Ok(function)
}

/// The result of a function without a result: undefined.
#[cfg(not(target_family = "wasm"))]
struct Undefined;

#[cfg(not(target_family = "wasm"))]
impl ToNapiValue for Undefined {
    unsafe fn to_napi_value(_: sys::napi_env, _: Self) -> napi::Result<sys::napi_value> {
        Ok(null_mut())
    }
}

type Callback = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> sys::napi_value;

/// The callback that Node calls for a function with this body.
unsafe extern "C" fn call<Answer: ToNapiValue, Body: Fn(&Env) -> napi::Result<Answer>>(
    raw: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    let mut data = null_mut();
    // SAFETY: Node writes the data. Pointers for unwanted results can be NULL.
    let status = unsafe { sys::napi_get_cb_info(raw, info, null_mut(), null_mut(), null_mut(), &mut data) };
    let answer = checked(status).and_then(|()| {
        // SAFETY: the data is the body, and lives as long as the function, which is being called.
        let body = unsafe { &*data.cast::<Body>() };
        let answer = || {
            let answer = body(&Env::from_raw(raw))?;
            // SAFETY: the environment is open.
            unsafe { Answer::to_napi_value(raw, answer) }
        };
        catch_unwind(AssertUnwindSafe(answer)).unwrap_or_else(|panic| Err(of_panic(panic)))
    });
    answer.unwrap_or_else(|error| {
        // SAFETY: the environment is open.
        unsafe { JsError::from(error).throw_into(raw) };
        null_mut()
    })
}

/// The callback that Node calls after it has collected a function with this body.
unsafe extern "C" fn free<Body>(_: sys::napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: the data is the body, and Node calls this function once.
    let body = unsafe { Box::from_raw(data.cast::<Body>()) };
    // A panic here cannot be reported.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(body)));
}

/// Converts a panic to an error as napi-rs does.
#[cold]
fn of_panic(panic: Box<dyn Any + Send>) -> Error {
    let message = panic.downcast::<String>().map(|message| *message);
    let message = message.or_else(|panic| panic.downcast::<&str>().map(|message| message.to_string()));
    Error::from_reason(message.unwrap_or_else(|_| "a panic".into()))
}

fn checked(status: sys::napi_status) -> napi::Result<()> {
    match Status::from(status) {
        Status::Ok => Ok(()),
        failure => Err(Error::from_status(failure)),
    }
}
