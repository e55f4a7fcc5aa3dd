//! Native methods of the JVM, for what programs call often. A call through JNA, which UniFFI uses,
//! takes microseconds; one through JNI takes nanoseconds.
//!
//! `../../fast-paths` makes the generated Kotlin classes call them, and Kotlin's `Natives.kt`
//! declares them. A class passes the handle that UniFFI gave it, and keeps its object alive during
//! the call.

#![allow(unsafe_code)]

mod env;

use crate::crossing::Crossing;
use crate::error::{SaibanError, guard};
use crate::number::UuidValue;
use crate::{encoding, issuing};
use env::{Env, Method, Reference, Thrown};
use jni_sys::{JNIEnv, jboolean, jclass, jint, jlong};
use saiban_coordination::Issuer;
use std::ffi::c_void;

/// An ID in the types of Java.
trait Jvm: Crossing {
    /// A number or a reference.
    type Java<'call>: Default;

    /// The type of an ID, and of an array of IDs, in the notation of JNI.
    const ONE: &'static str;
    const MANY: &'static str;

    fn into_java(self, env: Env<'_>) -> Result<Self::Java<'_>, Thrown>;

    fn from_java(java: Self::Java<'_>, env: Env<'_>) -> Result<Self, Thrown>;

    fn many_into_java(ids: Vec<Self>, env: Env<'_>) -> Result<Reference<'_>, Thrown>;
}

impl Jvm for i64 {
    type Java<'call> = jlong;

    const ONE: &'static str = "J";
    const MANY: &'static str = "[J";

    fn into_java(self, _env: Env<'_>) -> Result<jlong, Thrown> {
        Ok(self)
    }

    fn from_java(java: jlong, _env: Env<'_>) -> Result<Self, Thrown> {
        Ok(java)
    }

    // An array that is filled in place would stop the garbage collector while a generator waits for
    // a tick.
    fn many_into_java(ids: Vec<Self>, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.longs(&ids)
    }
}

/// A UUID is two numbers, as in `java.util.UUID`: the higher 64 bits and the lower ones.
impl Jvm for UuidValue {
    type Java<'call> = Reference<'call>;

    const ONE: &'static str = "[J";
    const MANY: &'static str = "[J";

    fn into_java(self, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.longs(&halves(self))
    }

    fn from_java(java: Reference<'_>, env: Env<'_>) -> Result<Self, Thrown> {
        let [high, low] = env.read_longs(java)?.map(i64::cast_unsigned);
        Ok(UuidValue(u128::from(high) << 64 | u128::from(low)))
    }

    fn many_into_java(ids: Vec<Self>, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.longs(&ids.into_iter().flat_map(halves).collect::<Vec<_>>())
    }
}

fn halves(UuidValue(number): UuidValue) -> [i64; 2] {
    [(number >> 64) as i64, number as i64]
}

impl Jvm for String {
    type Java<'call> = Reference<'call>;

    const ONE: &'static str = "Ljava/lang/String;";
    const MANY: &'static str = "[Ljava/lang/String;";

    fn into_java(self, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.text(&self)
    }

    fn from_java(java: Reference<'_>, env: Env<'_>) -> Result<Self, Thrown> {
        env.read_text(java)
    }

    fn many_into_java(ids: Vec<Self>, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.array(c"java/lang/String", &ids, |id| env.text(id))
    }
}

impl Jvm for Vec<u8> {
    type Java<'call> = Reference<'call>;

    const ONE: &'static str = "[B";
    const MANY: &'static str = "[[B";

    fn into_java(self, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.bytes(&self)
    }

    fn from_java(java: Reference<'_>, env: Env<'_>) -> Result<Self, Thrown> {
        env.read_bytes(java)
    }

    fn many_into_java(ids: Vec<Self>, env: Env<'_>) -> Result<Reference<'_>, Thrown> {
        env.array(c"[B", &ids, |id| env.bytes(id))
    }
}

/// Runs a native method. An error or a panic becomes an exception, and the result nothing.
///
/// # Safety
/// As of [`Env::new`].
unsafe fn native<'call, R: Default>(env: *mut JNIEnv, method: impl FnOnce(Env<'call>) -> Result<R, Thrown>) -> R {
    // SAFETY: the caller promises it.
    let env = unsafe { Env::new(env) };
    guard(|| method(env)).unwrap_or_else(|thrown| {
        env.throw(thrown);
        R::default()
    })
}

/// Returns the generator of a class in Kotlin.
///
/// # Safety
/// `handle` must be 0 or UniFFI's handle of an object whose IDs are `T`, and the object must live
/// until the call returns. The handle is the object's address, and its first field is the
/// generator, as `generator!` checks.
unsafe fn generator<'call, T: Crossing>(handle: jlong) -> Result<&'call Issuer<T::Core>, Thrown> {
    let pointer = handle as usize as *const Issuer<T::Core>;
    // SAFETY: the caller promises it.
    let found = unsafe { pointer.as_ref() };
    let none = || SaibanError::InvalidArgument("this object was made without a generator: make it with one".into());
    Ok(found.ok_or_else(none)?)
}

/// Declares the native methods of generators whose IDs are `T`: each calls a function of `issuing`.
macro_rules! methods {
    ($(
        $name:literal $signature:literal
        $method:ident($($argument:ident: $type:ty),*) -> $result:ty = |$env:ident, $ids:ident| $body:expr;
    )+) => {
        $(
            /// # Safety
            /// The JVM must call it, with the handle of an object that stays alive.
            unsafe extern "system" fn $method<'call, T: Jvm>(
                env: *mut JNIEnv,
                _class: jclass,
                handle: jlong,
                $($argument: $type),*
            ) -> $result {
                let method = |$env: Env<'call>| {
                    // SAFETY: the caller promises it.
                    let $ids = unsafe { generator::<T>(handle)? };
                    $body
                };
                // SAFETY: the JVM passed the pointer.
                unsafe { native(env, method) }
            }
        )+

        /// Returns all native methods but `generate`.
        fn methods_of<T: Jvm>() -> Vec<Method> {
            vec![$(
                Method {
                    name: $name,
                    signature: signature::<T>($signature),
                    function: $method::<T> as *const c_void,
                },
            )+]
        }
    };
}

/// Writes a signature in the notation of JNI, with the types of these IDs.
fn signature<T: Jvm>(form: &str) -> String {
    form.replace("IDS", T::MANY).replace("ID", T::ONE).replace("TEXT", String::ONE)
}

methods! {
    "generateMany" "(JJ)IDS"
    generate_many(count: jlong) -> Reference<'call> =
        |env, ids| T::many_into_java(issuing::generate_many(ids, count)?, env);

    "generateUpTo" "(JJ)IDS"
    generate_up_to(count: jlong) -> Reference<'call> =
        |env, ids| T::many_into_java(issuing::generate_up_to(ids, count)?, env);

    "generateText" "(JTEXT)TEXT"
    generate_text(encoding: Reference<'call>) -> Reference<'call> =
        |env, ids| env.text(&issuing::generate_text(ids, env.read_optional_text(encoding)?)?);

    "toText" "(JIDTEXT)TEXT"
    to_text(id: T::Java<'call>, encoding: Reference<'call>) -> Reference<'call> =
        |env, ids| env.text(&issuing::to_text(ids, T::from_java(id, env)?, env.read_optional_text(encoding)?)?);

    "fromText" "(JTEXTZ)ID"
    from_text(text: Reference<'call>, lenient: jboolean) -> T::Java<'call> =
        |env, ids| issuing::from_text::<T>(ids, &env.read_text(text)?, lenient)?.into_java(env);
}

/// [`issuing::generate`].
///
/// # Safety
/// The JVM must call it, with the handle of an object that stays alive.
unsafe extern "system" fn generate<'call, T: Jvm>(env: *mut JNIEnv, _class: jclass, handle: jlong) -> T::Java<'call> {
    let method = |env: Env<'call>| {
        // SAFETY: the caller promises it.
        let ids = unsafe { generator::<T>(handle)? };
        issuing::generate::<T>(ids)?.into_java(env)
    };
    // SAFETY: the JVM passed the pointer.
    unsafe { native(env, method) }
}

/// [`issuing::generate`] for a UUID, into an array of two numbers: Java makes an array faster.
///
/// # Safety
/// As [`generate`].
unsafe extern "system" fn generate_uuid<'call>(
    env: *mut JNIEnv,
    _class: jclass,
    handle: jlong,
    into: Reference<'call>,
) {
    let method = |env: Env<'call>| {
        // SAFETY: the caller promises it.
        let ids = unsafe { generator::<UuidValue>(handle)? };
        env.write_longs(into, &halves(issuing::generate(ids)?))
    };
    // SAFETY: the JVM passed the pointer.
    unsafe { native(env, method) }
}

/// Returns the native method `generate` that returns an ID.
fn generating<T: Jvm>() -> Method {
    Method { name: "generate", signature: signature::<T>("(J)ID"), function: generate::<T> as *const c_void }
}

/// [`encoding::encode`]; a width outside the range of `i32` means the default.
///
/// # Safety
/// The JVM must call it.
unsafe extern "system" fn encode<'call>(
    env: *mut JNIEnv,
    _class: jclass,
    value: jlong,
    encoding: Reference<'call>,
    width: jlong,
) -> Reference<'call> {
    let method =
        |env: Env<'call>| env.text(&encoding::encode(value, env.read_text(encoding)?, i32::try_from(width).ok())?);
    // SAFETY: the JVM passed the pointer.
    unsafe { native(env, method) }
}

/// [`encoding::decode`]; a width outside the range of `i32` means the default.
///
/// # Safety
/// The JVM must call it.
unsafe extern "system" fn decode<'call>(
    env: *mut JNIEnv,
    _class: jclass,
    text: Reference<'call>,
    encoding: Reference<'call>,
    width: jlong,
    lenient: jboolean,
) -> jlong {
    let method = |env: Env<'call>| {
        let (text, encoding) = (env.read_text(text)?, env.read_text(encoding)?);
        Ok(encoding::decode(text, encoding, i32::try_from(width).ok(), lenient)?)
    };
    // SAFETY: the JVM passed the pointer.
    unsafe { native(env, method) }
}

/// Gives the classes of `Natives.kt` their native methods. Returns 0, or a negative number if the
/// JVM has thrown.
///
/// # Safety
/// The arguments must be the pointer that the JVM passed to this call, and these classes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn saiban_register_natives(
    env: *mut JNIEnv,
    longs: jclass,
    uuids: jclass,
    texts: jclass,
    bytes: jclass,
    encodings: jclass,
) -> jint {
    let functions = vec![
        Method { name: "encode", signature: signature::<i64>("(IDTEXTJ)TEXT"), function: encode as *const c_void },
        Method { name: "decode", signature: signature::<i64>("(TEXTTEXTJZ)ID"), function: decode as *const c_void },
    ];
    let into = signature::<UuidValue>("(JIDS)V");
    let generate_uuid = Method { name: "generate", signature: into, function: generate_uuid as *const c_void };
    let classes = [
        (longs, vec![generating::<i64>()], methods_of::<i64>()),
        (uuids, vec![generate_uuid], methods_of::<UuidValue>()),
        (texts, vec![generating::<String>()], methods_of::<String>()),
        (bytes, vec![generating::<Vec<u8>>()], methods_of::<Vec<u8>>()),
        (encodings, functions, vec![]),
    ];
    // SAFETY: the caller promises it.
    let env = unsafe { Env::new(env) };
    let register = |(class, own, common): (jclass, Vec<Method>, Vec<Method>)| {
        // SAFETY: the caller promises the class, and each signature stands beside its function.
        unsafe { env.register(class, &[own, common].concat()) }
    };
    classes.into_iter().map(register).find(|code| *code != 0).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::generator;
    use crate::{SnowflakeGenerator, UniFfiTag};
    use saiban_coordination::Issuer;
    use std::sync::Arc;
    use uniffi::FfiConverterArc;

    #[test]
    fn a_handle_of_uniffi_is_the_address_of_the_object_and_of_its_generator() {
        let node = Some(7);
        let ids = SnowflakeGenerator::new(
            node, None, None, None, None, None, None, None, None, None, None, None, None, None, None, None,
        );
        let ids = Arc::new(ids.expect("a generator"));
        let handle = <SnowflakeGenerator as FfiConverterArc<UniFfiTag>>::lower(Arc::clone(&ids));
        let address = i64::try_from(handle.as_raw()).expect("an address of user space");
        // SAFETY: the handle is of an object whose IDs are i64, and which lives.
        let found: *const Issuer<i64> = unsafe { generator::<i64>(address) }.expect("a generator");
        assert_eq!(found, Arc::as_ptr(&ids).cast());
        // SAFETY: the handle is used once.
        drop(unsafe { handle.into_arc::<SnowflakeGenerator>() });
    }
}
