//! The functions for errors: their names and meanings, and the message of a thread's last error.

use crate::error::{Code, SAIBAN_OK, last_message, last_position};
use crate::ffi::{Answer, Buffer, Out, ffi};
use crate::names::names;
use saiban::ErrorKind;
use std::ffi::c_char;

names!(NAMES: 32 = |kind| kind.name(), ErrorKind::ALL);
names!(MEANINGS: 128 = |kind| kind.meaning(), ErrorKind::ALL);

/// An error code that does not become the thread's last error.
pub(crate) struct Unremembered(Code);

impl Answer for Unremembered {
    type C = Code;

    fn into_c(self) -> Code {
        self.0
    }

    fn failed(code: Code) -> Code {
        code
    }
}

/// Returns the index of this error kind in the tables.
fn index(code: i32) -> Option<usize> {
    ErrorKind::ALL.iter().position(|kind| kind.number() == code)
}

ffi! {
    /// The name of an error number, the same in every language: "CLOCK_BACKWARD"; "OK" for
    /// SAIBAN_OK, "" for a number that is no error. Constant: not to be freed.
    fn saiban_error_name(error: i32) -> *const c_char {
        match index(error) {
            Some(index) => NAMES[index].as_ptr(),
            None if error == SAIBAN_OK => c"OK".as_ptr(),
            None => c"".as_ptr(),
        }
    }

    /// What an error number means, in a line of English; "" for a number that is no error.
    /// Constant: not to be freed.
    fn saiban_error_meaning(error: i32) -> *const c_char {
        match index(error) {
            Some(index) => MEANINGS[index].as_ptr(),
            None if error == SAIBAN_OK => c"It worked.".as_ptr(),
            None => c"".as_ptr(),
        }
    }

    /// Writes the message of this thread's last error: what was wrong, the limits, and what to do.
    /// A call that succeeds leaves it as it is; "" before the first error. A buffer of
    /// SAIBAN_MESSAGE_CAPACITY bytes is always large enough.
    ///
    /// - buffer, capacity: where the text goes, and how many bytes there are, with the NUL.
    /// - len: how many bytes were written, without the NUL. May be NULL.
    ///
    /// Errors: BUFFER_TOO_SMALL, which leaves the message to be read again.
    fn saiban_last_error_message(buffer: Buffer, capacity: usize, len: Option<Out<usize>>) -> Unremembered {
        match last_message(|text| buffer.write_len(capacity, text, len)) {
            Ok(()) => Unremembered(SAIBAN_OK),
            // This error must not replace the message that C asks for.
            Err(error) => Unremembered(error.kind().number()),
        }
    }

    /// The position of the first bad character in the text of this thread's last error, or of the
    /// bad item of a layout's text, in characters from 0; -1 for other errors.
    fn saiban_last_error_position() -> i64 {
        last_position()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::SAIBAN_ERROR_LAST;
    use std::ffi::CStr;

    fn text(text: *const c_char) -> &'static str {
        // SAFETY: only constant texts of this file are passed.
        unsafe { CStr::from_ptr(text) }.to_str().expect("UTF-8")
    }

    #[test]
    fn names_and_meanings_are_those_of_the_core() {
        for kind in ErrorKind::ALL {
            assert_eq!(text(saiban_error_name(kind.number())), kind.name());
            assert_eq!(text(saiban_error_meaning(kind.number())), kind.meaning());
        }
        assert_eq!(text(saiban_error_name(SAIBAN_OK)), "OK");
        for unknown in [-1, SAIBAN_ERROR_LAST + 1, i32::MIN, i32::MAX] {
            assert_eq!(text(saiban_error_name(unknown)), "");
        }
    }
}
