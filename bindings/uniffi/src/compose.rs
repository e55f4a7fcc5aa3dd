//! Converts the parts of which IDs are composed.

use crate::number::Natural;
use saiban::Error;

/// A number of up to 128 bits that is a part of an ID.
pub(crate) trait Number {
    /// Returns the number, if it is given. `what` is the message for a negative number of a type
    /// that core does not check.
    fn number(self, what: &'static str) -> Result<Option<i128>, Error>;
}

impl Number for i64 {
    fn number(self, _what: &'static str) -> Result<Option<i128>, Error> {
        Ok(Some(self.into()))
    }
}

impl Number for Natural {
    fn number(self, what: &'static str) -> Result<Option<i128>, Error> {
        // Core refuses the largest number like a larger one, because no part of an ID has 127 bits.
        self.get(what).map(|number| Some(i128::try_from(number).unwrap_or(i128::MAX)))
    }
}

impl<N: Number> Number for Option<N> {
    fn number(self, what: &'static str) -> Result<Option<i128>, Error> {
        self.map_or(Ok(None), |number| number.number(what))
    }
}

/// Sets a part of an ID from an argument.
macro_rules! put {
    ($parts:ident, scalability = $value:ident) => {
        $parts.node = $value
    };
    ($parts:ident, clock_sequence = $value:ident) => {
        $crate::compose::put!($parts, sequence = $value)
    };
    ($parts:ident, sequence = $value:ident) => {
        $parts.sequence = $crate::compose::Number::number($value, "sequence is negative: give 0 or more")?
    };
    ($parts:ident, random = $value:ident) => {
        $parts.random = $crate::compose::Number::number($value, "random is negative: give 0 or more")?
    };
    ($parts:ident, $part:ident = $value:ident) => {
        $parts.$part = $value.into()
    };
}

pub(crate) use put;
