//! The text of tick IDs: 19 digits of ticks, `_`, and 4 random digits (3 in descending order).

use super::{Encoding, Text};
use crate::bits::low_64;
use crate::error::Error;

/// The scheme's name, in errors.
const NAME: &str = "tick-id";

/// The largest number of ticks. Descending IDs count down from it.
const MAX_TICKS: u64 = i64::MAX as u64;

/// The number of digits of the ticks.
const TICK_DIGITS: usize = 19;

/// The number of bits of a tick ID as a number.
pub(crate) const TICK_ID_BITS: u32 = 77;

named_enum! {
    /// The order of tick IDs: whether the oldest or the newest ID sorts first as text.
    ///
    /// ```
    /// use saiban::{ComposeParts, Generator, ManualClock, Options, OsEntropy, TickIdGenerator, TickOrder};
    /// let clock = ManualClock::new(1_763_700_000_000)?;
    /// let ids = |order| TickIdGenerator::build(order, &Options::default(), &clock, OsEntropy);
    /// let (oldest, newest) = (ids(TickOrder::Ascending)?, ids(TickOrder::Descending)?);
    /// let parts = ComposeParts::at_ms(1_763_700_000_000).random(42);
    /// assert_eq!(oldest.to_text(oldest.compose(&parts)?)?, "0638992968000000000_0042");
    /// assert_eq!(newest.to_text(newest.compose(&parts)?)?, "8584379068854775807_042");
    /// assert_eq!(TickOrder::from_name("descending")?, TickOrder::Descending);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    pub enum TickOrder else UnknownTickOrder {
        /// The oldest ID sorts first.
        Ascending "ascending",
        /// The newest ID sorts first.
        Descending "descending",
    }
}

impl TickOrder {
    /// Returns the ID space of this order; generators in one space share a cursor.
    ///
    /// No text is an ID of both orders, so the orders need not share a cursor.
    pub(crate) const fn numbers(self) -> &'static str {
        match self {
            TickOrder::Ascending => "tick-id ascending",
            TickOrder::Descending => "tick-id descending",
        }
    }

    /// Returns the number of random digits.
    const fn digits(self) -> usize {
        match self {
            TickOrder::Ascending => 4,
            TickOrder::Descending => 3,
        }
    }

    /// Returns the number of values of the random digits.
    pub(crate) const fn randoms(self) -> u64 {
        match self {
            TickOrder::Ascending => 10_000,
            TickOrder::Descending => 1_000,
        }
    }

    pub(crate) const fn join(self, ticks: u64, random: u64) -> u128 {
        let major = match self {
            TickOrder::Ascending => ticks,
            TickOrder::Descending => MAX_TICKS - ticks,
        };
        major as u128 * self.randoms() as u128 + random as u128
    }

    /// Splits an ID into ticks and random digits. Returns `None` if the number is not a tick ID.
    pub(crate) fn split(self, id: u128) -> Option<(u64, u64)> {
        let randoms = u128::from(self.randoms());
        let major = u64::try_from(id / randoms).ok().filter(|major| *major <= MAX_TICKS)?;
        let ticks = if self == TickOrder::Ascending { major } else { MAX_TICKS - major };
        Some((ticks, low_64(id % randoms)))
    }
}

/// Returns the text of a tick ID.
///
/// # Errors
/// `WidthOutOfRange` or `IdOutOfRange` if the number is not a tick ID.
pub(crate) fn tick_id_text(order: TickOrder, id: u128) -> Result<Text, Error> {
    let (major, random) = (id / u128::from(order.randoms()), id % u128::from(order.randoms()));
    let major = Encoding::DECIMAL.encode_wide_width(major, TICK_ID_BITS, TICK_DIGITS as i64)?;
    let random = Encoding::DECIMAL.encode_wide_width(random, TICK_ID_BITS, order.digits() as i64)?;
    Ok(Text::of(major.bytes().chain([b'_']).chain(random.bytes())))
}

/// Decodes a tick ID of either order from its text. The length of the text determines the order.
///
/// # Errors
/// `TextLength`, `TextCharacter` and `TextOverflow`.
pub(crate) fn read_tick_id(text: &str) -> Result<(TickOrder, u128), Error> {
    let (longest, shortest) = (TICK_DIGITS + 5, TICK_DIGITS + 4);
    let length = text.chars().count();
    let order = match length {
        _ if length == longest => TickOrder::Ascending,
        _ if length == shortest => TickOrder::Descending,
        _ => {
            return Err(Error::TextLength { encoding: NAME, length, min: shortest, max: longest });
        }
    };
    read_tick_id_as(order, text).map(|id| (order, id))
}

pub(crate) fn read_tick_id_as(order: TickOrder, text: &str) -> Result<u128, Error> {
    let encoding = NAME;
    let wanted = TICK_DIGITS + 1 + order.digits();
    let length = text.chars().count();
    if length != wanted {
        return Err(Error::TextLength { encoding, length, min: wanted, max: wanted });
    }
    // At most 23 digits, which fit 128 bits.
    let mut number = 0_u128;
    for (position, character) in text.chars().enumerate() {
        match (position, character) {
            (TICK_DIGITS, '_') => {}
            (_, '0'..='9') if position != TICK_DIGITS => number = number * 10 + u128::from(character as u8 - b'0'),
            _ => return Err(Error::TextCharacter { encoding, position, character }),
        }
    }
    order.split(number).map(|_| number).ok_or(Error::TextOverflow { encoding })
}
