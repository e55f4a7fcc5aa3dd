//! Core's constant texts with a terminating NUL, made at compile time, and the numbers for these
//! names.

use std::ffi::c_char;

/// Returns the value with this number in C.
pub(crate) fn value_of<T: Copy>(numbers: &[(i32, T)], wanted: i64) -> Option<T> {
    numbers.iter().find(|(number, _)| i64::from(*number) == wanted).map(|(_, value)| *value)
}

/// Returns the number of this value in C.
pub(crate) fn number_of<T: PartialEq>(numbers: &[(i32, T)], wanted: &T) -> Option<i32> {
    numbers.iter().find(|(_, value)| value == wanted).map(|(number, _)| *number)
}

/// Returns the name with this number, from the table made of the numbers; "" for an unknown number.
pub(crate) fn name_of<T, const N: usize>(
    numbers: &[(i32, T)],
    names: &'static [Name<N>],
    wanted: i32,
) -> *const c_char {
    let index = numbers.iter().position(|(number, _)| *number == wanted);
    index.and_then(|index| names.get(index)).map_or(c"".as_ptr(), Name::as_ptr)
}

/// A constant text of at most `N - 1` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Name<const N: usize>([u8; N]);

impl<const N: usize> Name<N> {
    /// In a constant, a text that is too long does not compile.
    pub(crate) const fn of(text: &str) -> Self {
        assert!(text.len() < N, "the text and its NUL fit");
        let mut bytes = [0; N];
        let mut index = 0;
        while index < text.len() {
            bytes[index] = text.as_bytes()[index];
            index += 1;
        }
        Name(bytes)
    }

    pub(crate) fn as_ptr(&'static self) -> *const c_char {
        self.0.as_ptr().cast()
    }
}

/// Makes a static table of names, one for each row of a constant array.
macro_rules! names {
    ($table:ident: $size:literal = |$row:ident| $name:expr, $from:expr) => {
        static $table: [$crate::names::Name<$size>; $from.len()] = {
            let mut names = [$crate::names::Name::of(""); $from.len()];
            let mut index = 0;
            while index < names.len() {
                let $row = &$from[index];
                names[index] = $crate::names::Name::of($name);
                index += 1;
            }
            names
        };
    };
}
pub(crate) use names;
