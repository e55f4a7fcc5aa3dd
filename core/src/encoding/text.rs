//! Text of an ID without an allocator.

use crate::error::Error;
use core::fmt;
use core::ops::Deref;

/// The longest text: 128 binary digits.
pub(super) const CAPACITY: usize = 128;

/// The text of an ID, at most 128 ASCII characters, on the stack. It reads as `&str`.
///
/// ```
/// use saiban::Encoding;
/// let text = Encoding::HEX.encode(255);
/// assert_eq!((text.as_str(), text.len(), text.to_uppercase()), ("ff", 2, "FF".to_owned()));
/// ```
#[derive(Clone, Copy)]
pub struct Text {
    /// The text stands at the end. Where it does not fill the room, the first byte is [`STARTS`] and where it begins: with a byte more this
    /// would be copied by calling for it, and texts are made and given back all the time.
    bytes: [u8; CAPACITY],
}

/// No bit of ASCII.
const STARTS: u8 = 0x80;

impl Text {
    /// The text that this writes at the end of the buffer; it answers where it begins.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "CAPACITY is less than 128")]
    pub(super) fn written(write: impl FnOnce(&mut [u8; CAPACITY]) -> usize) -> Self {
        let mut bytes = [0; CAPACITY];
        let start = write(&mut bytes);
        if start > 0 {
            bytes[0] = STARTS | start as u8;
        }
        Text { bytes }
    }

    /// Two texts with an ASCII character between them. What does not fit is cut off at the front.
    #[cfg(target_has_atomic = "64")]
    pub(crate) fn joined(front: &Text, between: u8, back: &Text) -> Self {
        let bytes = front.as_bytes().iter().chain([&between]).chain(back.as_bytes());
        Self::written(|out| {
            let mut start = out.len();
            for (place, byte) in out.iter_mut().rev().zip(bytes.rev()) {
                *place = *byte;
                start -= 1;
            }
            start
        })
    }

    /// Puts the text into the front of a buffer; answers how many bytes it has.
    pub(super) fn copy_into(&self, buffer: &mut [u8]) -> Result<usize, Error> {
        let (length, text) = (buffer.len(), self.as_bytes());
        let front = buffer.get_mut(..text.len()).ok_or(Error::BufferTooSmall { length, needed: text.len() })?;
        front.copy_from_slice(text);
        Ok(text.len())
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// The text's bytes, all of them ASCII.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let first = self.bytes[0];
        let start = if first & STARTS == 0 { 0 } else { first & !STARTS };
        &self.bytes[usize::from(start)..]
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        self.as_str()
    }
}

impl AsRef<str> for Text {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Text {}

impl PartialEq<str> for Text {
    fn eq(&self, other: &str) -> bool {
        self.as_str() == other
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, other: &&str) -> bool {
        self.as_str() == *other
    }
}

#[cfg(feature = "alloc")]
impl From<Text> for alloc::string::String {
    fn from(text: Text) -> Self {
        text.as_str().into()
    }
}
