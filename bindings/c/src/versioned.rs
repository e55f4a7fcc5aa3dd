//! Structs that grow from version to version: C passes the size that its program was compiled with.

use crate::error::Failure;
use crate::ffi::{Argument, Fill};
use saiban::Error;
use std::ptr;

/// A struct that C passes or receives in the size of any version so far.
pub(crate) trait Versioned: Copy {
    /// The size of each version. A size between two of them would copy a member in part.
    const SIZES: &'static [usize] = &[size_of::<Self>()];
    /// The message for another size.
    const UNKNOWN_SIZE: &'static str;

    fn check_size(size: usize) -> Result<(), Error> {
        let is_known = Self::SIZES.contains(&size);
        is_known.then_some(()).ok_or(Error::InvalidArgument { what: Self::UNKNOWN_SIZE })
    }
}

/// The message of `UNKNOWN_SIZE`: for options by the C macro that begins them, for results by the
/// name of the struct in C.
macro_rules! unknown_size {
    (init $init:literal) => {
        concat!(
            "options.size does not match this library: begin with ",
            $init,
            ", from a header that is not newer than the library"
        )
    };
    (sizeof $name:literal) => {
        concat!(
            "size does not match this library: give sizeof(",
            $name,
            "), from a header that is not newer than the library"
        )
    };
}
pub(crate) use unknown_size;

/// Options that C passes. Their first member is `size`. The others are numbers and raw pointers,
/// for which any bytes are valid.
pub(crate) trait Defaults: Versioned {
    /// The default options; the header has them as a macro.
    const NONE: Self;
}

/// A pointer to options of any version, which is not NULL.
#[derive(Clone, Copy)]
pub(crate) struct Given<T>(*const T);

impl<T: Defaults> Given<T> {
    /// Reads the options. Members that a program's older, shorter struct lacks have their defaults.
    pub(crate) fn read(self) -> Result<T, Error> {
        // SAFETY: the pointer is not NULL (`take`), and `size` is the first member in every version
        // (`Defaults`).
        let size = unsafe { self.0.cast::<usize>().read() };
        T::check_size(size)?;
        let mut options = T::NONE;
        // SAFETY: the caller's struct has `size` bytes, and ours no fewer (`SIZES`); any bytes are
        // valid (`Defaults`).
        unsafe { ptr::copy_nonoverlapping(self.0.cast::<u8>(), (&raw mut options).cast(), size) };
        Ok(options)
    }

    /// Reads the options; NULL means the defaults.
    pub(crate) fn or_default(given: Option<Self>) -> Result<T, Error> {
        given.map_or(Ok(T::NONE), Given::read)
    }
}

impl<T> Argument for Option<Given<T>> {
    type C = *const T;

    fn take(given: Self::C, _: &'static str) -> Result<Self, Error> {
        Ok((!given.is_null()).then_some(Given(given)))
    }
}

impl<T> Argument for Given<T> {
    type C = *const T;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        <Option<Self> as Argument>::take(given, null)?.ok_or(Error::InvalidArgument { what: null })
    }
}

impl<T: Versioned> Fill<T> {
    /// Writes as much of a struct as the program was compiled with, after a check of `size`.
    pub(crate) fn write_version(self, size: usize, value: impl FnOnce() -> Result<T, Failure>) -> Result<(), Failure> {
        T::check_size(size)?;
        let value = value()?;
        // SAFETY: the pointer is not NULL (`take`), and `value` has at least `size` bytes
        // (`SIZES`). The caller guarantees a place for them.
        unsafe { ptr::copy_nonoverlapping(ptr::from_ref(&value).cast::<u8>(), self.as_ptr().cast(), size) };
        Ok(())
    }
}
