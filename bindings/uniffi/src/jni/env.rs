//! The functions of JNI that native methods call. Each checks what the JVM reports.

#![allow(unsafe_code)]

use crate::error::{Failure, SaibanError};
use jni_sys::{JNIEnv, JNINativeMethod, jclass, jint, jobject, jsize, jvalue};
use saiban::error::Defect;
use std::ffi::{CStr, CString, c_void};
use std::marker::PhantomData;
use std::ptr;

/// The exception that a native method ends with.
#[derive(Debug)]
pub(super) enum Thrown {
    /// An error of saiban, still to be thrown.
    Error(SaibanError),
    /// The JVM has thrown one itself, such as `OutOfMemoryError`.
    ByJvm,
}

impl From<Failure> for Thrown {
    fn from(error: Failure) -> Self {
        Thrown::Error(error)
    }
}

impl From<Defect> for Thrown {
    fn from(defect: Defect) -> Self {
        Thrown::Error(defect.into())
    }
}

/// A Java object, or null, which the JVM keeps alive during a call: an argument of a native method,
/// or an object that JNI made. The method's signature says of which class it is.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(super) struct Reference<'call>(jobject, PhantomData<&'call ()>);

impl Default for Reference<'_> {
    /// Returns null.
    fn default() -> Self {
        Reference(ptr::null_mut(), PhantomData)
    }
}

impl Reference<'_> {
    /// Returns the object. Kotlin refuses null, but programs can be built without its checks.
    fn given(self) -> Result<jobject, Thrown> {
        if self.0.is_null() {
            return Err(SaibanError::InvalidArgument("an argument is null: give a value".into()).into());
        }
        Ok(self.0)
    }
}

/// A native method: its name, its signature in the notation of JNI, and the function.
#[derive(Clone)]
pub(super) struct Method {
    pub name: &'static str,
    pub signature: String,
    pub function: *const c_void,
}

/// The functions of JNI, in the thread of a call.
#[derive(Clone, Copy)]
pub(super) struct Env<'call>(*mut JNIEnv, PhantomData<&'call ()>);

/// Calls a function of JNI, all of which are in version 1.2.
macro_rules! jni {
    ($env:expr, $function:ident $(, $argument:expr)*) => {
        // SAFETY: `Env::new` received the pointer from the JVM, in this thread and during this
        // call; references are the JVM's, and slices are as long as the call says.
        unsafe { ((**$env.0).v1_2.$function)($env.0 $(, $argument)*) }
    };
}

/// Returns the length of an array or a text for the JVM, whose lengths have 31 bits.
fn length_of<T>(items: &[T]) -> Result<jsize, Thrown> {
    jsize::try_from(items.len()).map_err(|_| {
        SaibanError::InvalidArgument("the result is too long for an array: ask for less at a time".into()).into()
    })
}

/// The length up to which a text needs no memory of its own: that of every ID, in UTF-16 units.
const SHORT: usize = 128;

impl<'call> Env<'call> {
    /// # Safety
    /// The pointer must be the one that the JVM passed to a native method, and `'call` must not
    /// outlive the call of that method.
    pub(super) unsafe fn new(env: *mut JNIEnv) -> Self {
        Env(env, PhantomData)
    }

    /// Reports what the JVM threw in the last call.
    fn checked(self) -> Result<(), Thrown> {
        if jni!(self, ExceptionCheck) { Err(Thrown::ByJvm) } else { Ok(()) }
    }

    /// Returns an object that JNI made. If it made none, it has thrown.
    fn made(self, object: jobject) -> Result<Reference<'call>, Thrown> {
        if object.is_null() { Err(Thrown::ByJvm) } else { Ok(Reference(object, PhantomData)) }
    }

    /// Makes a `long[]`.
    pub(super) fn longs(self, numbers: &[i64]) -> Result<Reference<'call>, Thrown> {
        let length = length_of(numbers)?;
        let array = self.made(jni!(self, NewLongArray, length))?;
        self.write_longs(array, numbers).map(|()| array)
    }

    /// Makes a `byte[]`.
    pub(super) fn bytes(self, bytes: &[u8]) -> Result<Reference<'call>, Thrown> {
        let length = length_of(bytes)?;
        let array = self.made(jni!(self, NewByteArray, length))?;
        jni!(self, SetByteArrayRegion, array.0, 0, length, bytes.as_ptr().cast());
        self.checked().map(|()| array)
    }

    /// Makes a `String`.
    pub(super) fn text(self, text: &str) -> Result<Reference<'call>, Thrown> {
        if text.len() <= SHORT && text.is_ascii() {
            let mut units = [0; SHORT];
            units.iter_mut().zip(text.bytes()).for_each(|(unit, byte)| *unit = byte.into());
            return self.text_of(&units[..text.len()]);
        }
        self.text_of(&text.encode_utf16().collect::<Vec<_>>())
    }

    fn text_of(self, units: &[u16]) -> Result<Reference<'call>, Thrown> {
        let length = length_of(units)?;
        self.made(jni!(self, NewString, units.as_ptr(), length))
    }

    /// Makes an array of objects of this class.
    pub(super) fn array<T>(
        self,
        class: &CStr,
        items: &[T],
        object_of: impl Fn(&T) -> Result<Reference<'call>, Thrown>,
    ) -> Result<Reference<'call>, Thrown> {
        let class = self.made(jni!(self, FindClass, class.as_ptr()))?;
        let length = length_of(items)?;
        let array = self.made(jni!(self, NewObjectArray, length, class.0, ptr::null_mut()))?;
        for (index, item) in (0..length).zip(items) {
            let object = object_of(item)?;
            jni!(self, SetObjectArrayElement, array.0, index, object.0);
            self.checked()?;
            // The JVM has room for few references in a call.
            jni!(self, DeleteLocalRef, object.0);
        }
        Ok(array)
    }

    /// Reads a `String`; null is `None`.
    pub(super) fn read_optional_text(self, text: Reference<'_>) -> Result<Option<String>, Thrown> {
        if text.0.is_null() { Ok(None) } else { self.read_text(text).map(Some) }
    }

    /// Reads a `String`. Half of a surrogate pair becomes U+FFFD.
    pub(super) fn read_text(self, text: Reference<'_>) -> Result<String, Thrown> {
        let text = text.given()?;
        let length = jni!(self, GetStringLength, text);
        let (mut short, mut long) = ([0; SHORT], Vec::new());
        let units = match short.get_mut(..length as usize) {
            Some(units) => units,
            None => {
                long.resize(length as usize, 0);
                &mut long[..]
            }
        };
        jni!(self, GetStringRegion, text, 0, length, units.as_mut_ptr());
        self.checked()?;
        Ok(String::from_utf16_lossy(units))
    }

    /// Reads a `byte[]`.
    pub(super) fn read_bytes(self, array: Reference<'_>) -> Result<Vec<u8>, Thrown> {
        let array = array.given()?;
        let length = jni!(self, GetArrayLength, array);
        let mut bytes = vec![0; length as usize];
        jni!(self, GetByteArrayRegion, array, 0, length, bytes.as_mut_ptr().cast());
        self.checked().map(|()| bytes)
    }

    /// Reads the first N numbers of a `long[]` that has them.
    pub(super) fn read_longs<const N: usize>(self, array: Reference<'_>) -> Result<[i64; N], Thrown> {
        let mut numbers = [0; N];
        jni!(self, GetLongArrayRegion, array.given()?, 0, length_of(&numbers)?, numbers.as_mut_ptr());
        self.checked().map(|()| numbers)
    }

    /// Writes the first numbers of a `long[]`, which must have as many.
    pub(super) fn write_longs(self, array: Reference<'_>, numbers: &[i64]) -> Result<(), Thrown> {
        jni!(self, SetLongArrayRegion, array.given()?, 0, length_of(numbers)?, numbers.as_ptr());
        self.checked()
    }

    /// Throws the exception, unless the JVM has thrown it.
    pub(super) fn throw(self, thrown: Thrown) {
        // If this fails too, the JVM has thrown what it failed with.
        if let Thrown::Error(error) = thrown {
            let _ = self.throw_error(&error);
        }
    }

    /// Throws what UniFFI throws for this error.
    fn throw_error(self, error: &SaibanError) -> Result<(), Thrown> {
        let class = format!("dev/saiban/SaibanException${}\0", error.variant());
        let class = self.made(jni!(self, FindClass, class.as_ptr().cast()))?;
        let (name, signature) = (c"<init>", c"(Ljava/lang/String;)V");
        let constructor = jni!(self, GetMethodID, class.0, name.as_ptr(), signature.as_ptr());
        if constructor.is_null() {
            return Err(Thrown::ByJvm);
        }
        let message = jvalue { l: self.text(&error.to_string())?.0 };
        let exception = self.made(jni!(self, NewObjectA, class.0, constructor, &raw const message))?;
        jni!(self, Throw, exception.0);
        Ok(())
    }

    /// Makes these the native methods of a class, which must declare them. Returns 0, or a negative
    /// number if the JVM has thrown.
    ///
    /// # Safety
    /// The functions must have the types that the signatures say, and the class must be one.
    pub(super) unsafe fn register(self, class: jclass, methods: &[Method]) -> jint {
        let texts: Vec<_> = methods
            .iter()
            .map(|method| [method.name, &method.signature].map(|text| CString::new(text).expect("names have no zero")))
            .collect();
        let natives: Vec<_> = methods
            .iter()
            .zip(&texts)
            .map(|(method, [name, signature])| JNINativeMethod {
                name: name.as_ptr().cast_mut(),
                signature: signature.as_ptr().cast_mut(),
                fnPtr: method.function.cast_mut(),
            })
            .collect();
        jni!(self, RegisterNatives, class, natives.as_ptr(), natives.len() as jint)
    }
}
