//! The only uses of `unsafe` in this crate.
//!
//! **The elements of typed arrays** that JavaScript passed to the call that is running: nobody else
//! reads or writes them meanwhile. The array's own thread is in this call, which runs no JavaScript
//! until the slice is gone, so it can neither detach nor resize the array either; other threads see
//! only `SharedArrayBuffer`s, which node/src never passes.
//!
//! **Text that is ASCII** becomes a JavaScript string without a copy of its own, for which napi-rs
//! has no type.
//!
//! **Functions without arguments**, which make IDs: napi-rs looks for arguments, and allocates a
//! list for them, in each call.
//!
//! **A slot**, a number's place in memory that JavaScript reads: to make a bigint of what stands
//! there costs it less than it costs native code.

use napi::bindgen_prelude::{BigInt64ArraySlice, FromNapiValue, JsValue, ToNapiValue, Uint8ArraySlice, Unknown};
use napi::{Env, Error, JsError, Status, sys};
use saiban::Text;
use std::any::Any;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::null_mut;

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
        Written::new(&Env::from_raw(env), &text).map(|Written(value)| value)
    }
}

/// Text that is JavaScript's already, in the call that is running.
pub struct Written(sys::napi_value);

impl Written {
    /// Writes text of ASCII characters.
    pub fn new(env: &Env, text: &Text) -> napi::Result<Self> {
        let characters = text.as_bytes();
        let mut value = null_mut();
        // SAFETY: the environment is open; Node copies this many characters, which are there, and
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

/// A function without arguments. It owns the body.
pub fn function<'env, Answer: ToNapiValue, Body: Fn(&Env) -> napi::Result<Answer> + 'static>(
    env: &'env Env,
    name: &str,
    body: Body,
) -> napi::Result<Unknown<'env>> {
    let (raw, mut function) = (env.raw(), null_mut());
    let data: *mut c_void = Box::into_raw(Box::new(body)).cast();
    // SAFETY: the environment is open, and copies the name. What it calls takes the data for what
    // it is, and so does the finalizer, the one that frees it; where there is none, as when an
    // error ends this, it is never freed.
    unsafe {
        let name_length = name.len() as isize;
        let call = Some(call::<Answer, Body> as Callback);
        checked(sys::napi_create_function(raw, name.as_ptr().cast(), name_length, call, data, &mut function))?;
        checked(sys::napi_add_finalizer(raw, function, data, Some(free::<Body>), null_mut(), null_mut()))?;
        Unknown::from_napi_value(raw, function)
    }
}

/// As above, for numbers, which JavaScript reads from the function's `slot`, an array of one.
pub fn function_with_slot<'env>(
    env: &'env Env,
    name: &str,
    body: impl Fn(&Env) -> napi::Result<i64> + 'static,
) -> napi::Result<Unknown<'env>> {
    let raw = env.raw();
    let (mut place, mut buffer, mut array) = (null_mut(), null_mut(), null_mut());
    // SAFETY: the environment is open, and writes the place of this many bytes, and the values.
    unsafe {
        checked(sys::napi_create_arraybuffer(raw, size_of::<i64>(), &mut place, &mut buffer))?;
        checked(sys::napi_create_typedarray(raw, sys::TypedarrayType::bigint64_array, 1, buffer, 0, &mut array))?;
    }
    let place: *mut i64 = place.cast();
    let function = function(env, name, move |env| {
        let number = body(env)?;
        // SAFETY: the place is there: the function, which is being called, holds the array for
        // good, and node/src, which alone sees it, never gives its memory away.
        unsafe { place.write_unaligned(number) };
        Ok(Undefined)
    })?;
    let slot = sys::napi_property_descriptor {
        utf8name: c"slot".as_ptr().cast(),
        name: null_mut(),
        method: None,
        getter: None,
        setter: None,
        value: array,
        // Neither to be written nor deleted.
        attributes: sys::PropertyAttributes::default,
        data: null_mut(),
    };
    // SAFETY: the environment is open, and copies the one description.
    unsafe { checked(sys::napi_define_properties(raw, function.raw(), 1, &slot))? };
    Ok(function)
}

/// The result of a function without a result: undefined.
struct Undefined;

impl ToNapiValue for Undefined {
    unsafe fn to_napi_value(_: sys::napi_env, _: Self) -> napi::Result<sys::napi_value> {
        Ok(null_mut())
    }
}

type Callback = unsafe extern "C" fn(sys::napi_env, sys::napi_callback_info) -> sys::napi_value;

/// What Node calls for a function of this body.
unsafe extern "C" fn call<Answer: ToNapiValue, Body: Fn(&Env) -> napi::Result<Answer>>(
    raw: sys::napi_env,
    info: sys::napi_callback_info,
) -> sys::napi_value {
    let mut data = null_mut();
    // SAFETY: Node gives what it asks for; for what is not asked there may be no place.
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

/// What Node calls when a function of this body is gone.
unsafe extern "C" fn free<Body>(_: sys::napi_env, data: *mut c_void, _: *mut c_void) {
    // SAFETY: the data is the body, and Node calls once.
    let body = unsafe { Box::from_raw(data.cast::<Body>()) };
    // A panic here cannot be reported.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(body)));
}

/// A panic as napi-rs throws it.
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
