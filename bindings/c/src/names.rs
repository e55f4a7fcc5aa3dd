//! Core's constant texts as C has them: with a NUL at the end, made by the compiler.

use std::ffi::c_char;

/// A constant text of at most `N - 1` bytes.
#[derive(Clone, Copy)]
pub(crate) struct Name<const N: usize>([u8; N]);

impl<const N: usize> Name<N> {
    /// A text too long does not compile where it is a constant.
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

/// Makes a static table of names out of a constant array of core's.
macro_rules! names {
    ($visibility:vis $table:ident: $size:literal = $name:expr, $from:expr) => {
        $visibility static $table: [$crate::names::Name<$size>; $from.len()] = {
            let mut names = [$crate::names::Name::of(""); $from.len()];
            let mut index = 0;
            while index < names.len() {
                names[index] = $crate::names::Name::of($name(&$from[index]));
                index += 1;
            }
            names
        };
    };
}
pub(crate) use names;
