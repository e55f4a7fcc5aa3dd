//! The interface to C: the macro that defines every exported function, and the types of arguments.
//!
//! The types of arguments define what C must pass: `&T` is a pointer that is not NULL, `Option<&T>`
//! one that may be NULL, and `Out<T>` a place for a result. [`Argument`] converts arguments from
//! their form in C, and [`Answer`] converts results to it. As the header requires, the caller
//! guarantees that a pointer that is not NULL is valid, aligned, and not used by another thread for
//! writing.

use crate::error::{self, Failure};
use saiban::Error;
use saiban::error::{Defect, guard};
use std::borrow::Cow;
use std::ffi::{CStr, c_char};
use std::mem::MaybeUninit;

/// Defines exported functions. A function without a return type returns an error code to C and may
/// use `?`; the others cannot fail.
macro_rules! ffi {
    ($( $(#[$attribute:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $answer:ty)? $body:block )+) => {$(
        $(#[$attribute])*
        // SAFETY: the name begins with `saiban_`, and no other library has such names.
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(
            $($argument: <$type as $crate::ffi::Argument>::C),*
        ) -> <$crate::ffi::ffi!(@answer $($answer)?) as $crate::ffi::Answer>::C {
            $crate::ffi::call(move || {
                $(
                    let $argument = <$type as $crate::ffi::Argument>::take(
                        $argument,
                        concat!("the argument ", stringify!($argument), " is NULL: give a pointer"),
                    )?;
                )*
                Ok($body)
            })
        }
    )+};
    (@answer) => { () };
    (@answer $answer:ty) => { $answer };
}
pub(crate) use ffi;

/// Runs the body of an exported function, and converts its result, error or panic to C. It is
/// inlined, but the error path is not: an ID takes only as long as a few calls.
#[inline(always)]
pub(crate) fn call<A: Answer>(body: impl FnOnce() -> Result<A, Failure>) -> A::C {
    match guard(|| Ok::<_, Defect>(body())) {
        Ok(Ok(answer)) => answer.into_c(),
        Ok(Err(failure)) => A::failed(failed(failure)),
        Err(defect) => A::failed(failed_by(defect)),
    }
}

#[cold]
#[inline(never)]
fn failed(failure: Failure) -> error::Code {
    error::remember(&failure);
    failure.kind().number()
}

#[cold]
#[inline(never)]
fn failed_by(defect: Defect) -> error::Code {
    error::remember_defect(&defect);
    defect.kind().number()
}

/// The result of an exported function.
pub(crate) trait Answer {
    /// The type that C sees.
    type C;

    fn into_c(self) -> Self::C;

    /// The result of a function that failed with this error.
    fn failed(code: error::Code) -> Self::C;
}

/// Success, or an error code.
impl Answer for () {
    type C = error::Code;

    fn into_c(self) -> error::Code {
        error::SAIBAN_OK
    }

    fn failed(code: error::Code) -> error::Code {
        code
    }
}

/// `void`.
pub(crate) struct Nothing;

impl Answer for Nothing {
    type C = ();

    fn into_c(self) {}

    fn failed(_: error::Code) {}
}

/// A constant text.
impl Answer for *const c_char {
    type C = *const c_char;

    fn into_c(self) -> *const c_char {
        self
    }

    fn failed(_: error::Code) -> *const c_char {
        c"".as_ptr()
    }
}

/// A position in a text, or -1.
impl Answer for i64 {
    type C = i64;

    fn into_c(self) -> i64 {
        self
    }

    fn failed(_: error::Code) -> i64 {
        -1
    }
}

/// An argument, with its form in C.
pub(crate) trait Argument: Sized {
    /// The type that C passes.
    type C;

    /// Converts C's argument; `null` is the message for a NULL that is not allowed.
    fn take(given: Self::C, null: &'static str) -> Result<Self, Error>;
}

macro_rules! as_they_are {
    ($($type:ty)+) => {$(
        impl Argument for $type {
            type C = $type;

            fn take(given: $type, _: &'static str) -> Result<Self, Error> {
                Ok(given)
            }
        }
    )+};
}
as_they_are! { i32 u32 i64 u64 usize f64 }

fn not_null<T>(given: Option<T>, null: &'static str) -> Result<T, Error> {
    given.ok_or(Error::InvalidArgument { what: null })
}

impl<'a, T> Argument for &'a T {
    type C = Option<&'a T>;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        not_null(given, null)
    }
}

impl<'a, T> Argument for Option<&'a T> {
    type C = Option<&'a T>;

    fn take(given: Self::C, _: &'static str) -> Result<Self, Error> {
        Ok(given)
    }
}

/// A handle that C passes to free it.
impl<T> Argument for Option<Box<T>> {
    type C = Option<Box<T>>;

    fn take(given: Self::C, _: &'static str) -> Result<Self, Error> {
        Ok(given)
    }
}

/// A place for a result.
pub(crate) struct Out<'a, T>(&'a mut MaybeUninit<T>);

impl<T> Out<'_, T> {
    pub(crate) fn set(self, value: T) {
        self.0.write(value);
    }
}

impl<T> Out<'_, *mut T> {
    /// Stores a new handle, which C then owns.
    pub(crate) fn give(self, handle: T) {
        self.set(Box::into_raw(Box::new(handle)));
    }
}

impl<'a, T> Argument for Out<'a, T> {
    type C = Option<&'a mut MaybeUninit<T>>;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        not_null(given, null).map(Out)
    }
}

impl<'a, T> Argument for Option<Out<'a, T>> {
    type C = Option<&'a mut MaybeUninit<T>>;

    fn take(given: Self::C, _: &'static str) -> Result<Self, Error> {
        Ok(given.map(Out))
    }
}

/// Elements that C owns and saiban reads; their number is another argument.
#[derive(Clone, Copy)]
pub(crate) struct Slice<T>(*const T);

impl<T> Slice<T> {
    /// Returns `None` for NULL.
    pub(crate) fn new(given: *const T) -> Option<Self> {
        (!given.is_null()).then_some(Slice(given))
    }

    pub(crate) fn get<'a>(self, len: usize) -> Result<&'a [T], Error> {
        check_len::<T>(len)?;
        if len == 0 {
            return Ok(&[]);
        }
        // SAFETY: the pointer is not NULL (`take`), and the length is not too large (above). The
        // caller guarantees `len` elements.
        Ok(unsafe { std::slice::from_raw_parts(self.0, len) })
    }
}

impl Slice<u8> {
    /// Returns the number of these 16 bytes, highest first.
    pub(crate) fn wide(self) -> Result<u128, Error> {
        let bytes = Slice::<[u8; 16]>(self.0.cast()).get(1)?;
        Ok(bytes.first().map_or(0, |bytes| u128::from_be_bytes(*bytes)))
    }
}

impl<T> Argument for Slice<T> {
    type C = *const T;

    fn take(given: *const T, null: &'static str) -> Result<Self, Error> {
        not_null(Slice::new(given), null)
    }
}

impl<T> Argument for Option<Slice<T>> {
    type C = *const T;

    fn take(given: *const T, _: &'static str) -> Result<Self, Error> {
        Ok(Slice::new(given))
    }
}

/// Elements that C owns and saiban writes; their number is another argument.
pub(crate) struct Fill<T>(*mut T);

impl<T> Fill<T> {
    pub(crate) fn as_ptr(&self) -> *mut T {
        self.0
    }

    /// Returns the elements, for writing only: C may pass uninitialised memory.
    pub(crate) fn get<'a>(self, len: usize) -> Result<&'a mut [MaybeUninit<T>], Error> {
        check_len::<T>(len)?;
        // SAFETY: the pointer is not NULL (`take`), the length is not too large (above), and any
        // bytes are a `MaybeUninit`. The caller guarantees `len` elements, and that nothing else
        // uses them meanwhile.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.0.cast(), len) })
    }
}

impl<T> Argument for Fill<T> {
    type C = *mut T;

    fn take(given: *mut T, null: &'static str) -> Result<Self, Error> {
        not_null((!given.is_null()).then_some(Fill(given)), null)
    }
}

impl Fill<i64> {
    /// Like `get`, for callers that write without reading. Elements that saiban does not write stay
    /// unchanged.
    pub(crate) fn numbers<'a>(self, len: usize) -> Result<&'a mut [i64], Error> {
        let places = self.get(len)?;
        // SAFETY: the core's `fill` only writes through this slice, so the elements may be
        // uninitialised, and any bytes are an i64.
        Ok(unsafe { std::slice::from_raw_parts_mut(places.as_mut_ptr().cast(), places.len()) })
    }
}

impl Fill<u8> {
    /// Returns places for this many numbers of 16 bytes, highest first.
    pub(crate) fn wide_numbers<'a>(self, len: usize) -> Result<&'a mut [MaybeUninit<[u8; 16]>], Error> {
        Fill::<[u8; 16]>(self.0.cast()).get(len)
    }

    /// Writes a number as 16 bytes, highest first.
    pub(crate) fn set_wide(self, number: u128) -> Result<(), Error> {
        for place in self.wide_numbers(1)? {
            place.write(number.to_be_bytes());
        }
        Ok(())
    }
}

fn check_len<T>(len: usize) -> Result<(), Error> {
    if len > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Error::InvalidArgument {
            what: "the length is larger than any memory: give the number of elements",
        });
    }
    Ok(())
}

/// Text that C passes. Its length in bytes is another argument, [`NUL_TERMINATED`] for text that
/// ends with a NUL.
#[derive(Clone, Copy)]
pub(crate) struct Chars(Slice<c_char>);

/// `SAIBAN_NUL_TERMINATED` of the header.
const NUL_TERMINATED: usize = usize::MAX;

impl Chars {
    /// Returns the text. Bytes that are not UTF-8 become U+FFFD, which no alphabet has, so that
    /// core reports their position.
    pub(crate) fn get<'a>(self, len: usize) -> Result<Cow<'a, str>, Error> {
        Ok(String::from_utf8_lossy(self.bytes(len)?))
    }

    /// Returns the text, or an error if it is not UTF-8. For names and URLs, because a name with a
    /// replaced character may be that of another file.
    pub(crate) fn utf8<'a>(self, len: usize) -> Result<&'a str, Error> {
        let bytes = self.bytes(len)?;
        str::from_utf8(bytes).map_err(|error| {
            let position = String::from_utf8_lossy(&bytes[..error.valid_up_to()]).chars().count();
            Error::TextCharacter { encoding: "UTF-8", position, character: char::REPLACEMENT_CHARACTER }
        })
    }

    /// Returns the text of a struct's member, which ends with a NUL, or `None` for NULL.
    pub(crate) fn member<'a>(given: *const c_char) -> Result<Option<&'a str>, Error> {
        Slice::new(given).map(|text| Chars(text).utf8(NUL_TERMINATED)).transpose()
    }

    fn bytes<'a>(self, len: usize) -> Result<&'a [u8], Error> {
        if len == NUL_TERMINATED {
            // SAFETY: the pointer is not NULL (`take`). With this length, the caller guarantees a
            // NUL.
            return Ok(unsafe { CStr::from_ptr(self.0.0) }.to_bytes());
        }
        Slice::<u8>(self.0.0.cast()).get(len)
    }
}

impl Argument for Chars {
    type C = *const c_char;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        Slice::take(given, null).map(Chars)
    }
}

/// A place for a text; its capacity is another argument.
pub(crate) struct Buffer(Fill<c_char>);

impl Buffer {
    /// Writes the text and a NUL, or nothing if they do not fit; returns the length without the
    /// NUL.
    pub(crate) fn write(self, capacity: usize, text: &str) -> Result<usize, Error> {
        let needed = text.len() + 1;
        let place = self.0.get(capacity)?;
        let Some(place) = place.get_mut(..needed) else {
            return Err(Error::BufferTooSmall { length: capacity, needed });
        };
        for (place, byte) in place.iter_mut().zip(text.bytes().chain([0])) {
            place.write(byte as c_char);
        }
        Ok(text.len())
    }

    /// Writes the text and a NUL, and its length if C passes a place for it.
    pub(crate) fn write_len(self, capacity: usize, text: &str, len: Option<Out<usize>>) -> Result<(), Error> {
        let written = self.write(capacity, text)?;
        if let Some(len) = len {
            len.set(written);
        }
        Ok(())
    }
}

impl Argument for Buffer {
    type C = *mut c_char;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        Fill::take(given, null).map(Buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{SAIBAN_ERROR_INTERNAL, SAIBAN_ERROR_INVALID_ARGUMENT, SAIBAN_OK, last_message};

    #[test]
    fn a_panic_does_not_cross_and_is_an_internal_error() {
        assert_eq!(call::<()>(|| panic!("a broken {}", "promise")), SAIBAN_ERROR_INTERNAL);
        let message = last_message(str::to_owned);
        assert!(message.contains("a broken promise") && message.contains("defect"), "{message}");
        assert_eq!(call::<i64>(|| panic!("again")), -1);
        call::<Nothing>(|| panic!("and again"));
    }

    #[test]
    fn an_error_is_its_number_and_its_message() {
        let error = Error::NodeRequired { max: 1023 };
        assert_eq!(call::<()>(|| Err(error.into())), error.kind().number());
        assert_eq!(last_message(str::to_owned), error.to_string());
        assert_eq!(call::<()>(|| Ok(())), SAIBAN_OK);
        assert_eq!(last_message(str::to_owned), error.to_string(), "a success leaves the last error's message");
    }

    #[test]
    fn sixteen_bytes_are_a_big_endian_number() {
        ffi! {
            fn saiban_test_double(id: Slice<u8>, twice: Fill<u8>) {
                twice.set_wide(2 * id.wide()?)?;
            }
        }
        // Neither pointer is aligned for a number.
        let (mut id, mut twice) = ([0; 17], [7; 17]);
        id[1..].copy_from_slice(&(0x0123_4567_89ab_cdef_0011_2233_4455_6677_u128).to_be_bytes());
        assert_eq!(saiban_test_double(id[1..].as_ptr(), twice[1..].as_mut_ptr()), SAIBAN_OK);
        assert_eq!(twice[0], 7);
        assert_eq!(twice[1..], (0x0246_8acf_1357_9bde_0022_4466_88aa_ccee_u128).to_be_bytes());
        assert_eq!(saiban_test_double(std::ptr::null(), twice.as_mut_ptr()), SAIBAN_ERROR_INVALID_ARGUMENT);
    }

    #[test]
    fn null_names_the_argument() {
        ffi! {
            fn saiban_test_null(number: &i64) {
                assert!(*number > 0);
            }
        }
        assert_eq!(saiban_test_null(None), SAIBAN_ERROR_INVALID_ARGUMENT);
        assert!(last_message(str::to_owned).contains("number"), "{}", last_message(str::to_owned));
        assert_eq!(saiban_test_null(Some(&1)), SAIBAN_OK);
        assert_eq!(saiban_test_null(Some(&0)), SAIBAN_ERROR_INTERNAL);
    }
}
