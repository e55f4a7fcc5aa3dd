//! Errors: their kinds, their messages and the values that messages contain.
//!
//! Each kind has one number, one name and one definition in all languages. A number never changes
//! its meaning. The table of errors (`table.rs`) defines each error and its message; every language
//! shows this message.

#[macro_use]
mod macros;

#[cfg(feature = "std")]
mod defect;
mod excerpt;
mod file;
mod kind;
mod layout;
mod message;
mod option;
mod table;
mod text;
mod wide;
mod written;

#[cfg(feature = "std")]
#[doc(hidden)]
pub use defect::{Defect, guard};
pub use excerpt::Excerpt;
pub use file::{CursorFileProblem, StateProblem};
pub use kind::ErrorKind;
pub use layout::{FieldKey, JsonFound, JsonKey, JsonPlace, LayoutFault, LayoutProblem};
pub use option::OptionProblem;
pub use table::Error;
pub use text::{TextFault, TextForm};
pub use wide::Wide;
pub use written::Message;

impl Error {
    /// Returns the index of the first bad character of a text, counted in characters from 0.
    ///
    /// For an error in a layout's text, the index is the start of the bad item. Returns `None` for
    /// other errors.
    #[must_use]
    pub const fn position(&self) -> Option<usize> {
        match self {
            Error::TextCharacter { position, .. }
            | Error::TextNotCanonical { position, .. }
            | Error::TextNearly {
                fault: TextFault::Character { position, .. } | TextFault::Zeros { position }, ..
            }
            | Error::TextOfNoForm { odd: Some((position, _)), .. } => Some(*position),
            Error::InvalidLayout { reason: LayoutProblem::Text { position, .. } } => Some(*position as usize),
            _ => None,
        }
    }

    /// Returns this error with its position moved by the length of a prefix, in characters.
    pub(crate) const fn moved_by(mut self, characters: usize) -> Self {
        if let Error::TextCharacter { position, .. } | Error::TextNotCanonical { position, .. } = &mut self {
            *position += characters;
        }
        self
    }
}

impl core::error::Error for Error {}
