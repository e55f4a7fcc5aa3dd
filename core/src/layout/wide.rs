//! IDs of any width as `u128`: composes and splits them. Public methods of [`Layout`].

use super::{Fields, Layout, NOT_AN_ID};
use crate::bits::low_64;
use crate::error::{Error, Wide};

/// The fields of an ID of any width. A field that the layout does not have is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WideFields {
    /// Ticks since the layout's epoch.
    pub tick: u64,
    /// The node.
    pub node: u64,
    /// The counter: the sequence, or the growing random part.
    pub counter: u128,
    /// The number of times that the clock had stepped back, as the rollback bits count it.
    pub rollback: u64,
    /// The random part that is new for each ID.
    pub random: u128,
}

impl From<Fields> for WideFields {
    fn from(Fields { tick, node, counter, rollback }: Fields) -> Self {
        WideFields { tick, node, counter: counter.into(), rollback, random: 0 }
    }
}

impl Layout {
    /// Assembles an ID of any width from fields, without a check.
    ///
    /// A value that does not fit its field loses its highest bits. An ID of up to 64 bits is
    /// `join_wide(…) as i64` as a signed number.
    ///
    /// ```
    /// use saiban::{Layout, layout::WideFields};
    /// let layout = Layout::from_text("timestamp:48 random:80,step=1")?;
    /// let fields = WideFields { tick: 1_469_918_176_385, counter: 7, ..WideFields::default() };
    /// let id = layout.join_wide(&fields);
    /// assert_eq!(id, 1_469_918_176_385 << 80 | 7);
    /// assert_eq!(layout.split_wide(id), Ok(fields));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub const fn join_wide(&self, fields: &WideFields) -> u128 {
        self.fixed
            | self.timestamp.put_wide(fields.tick as u128)
            | self.node.put_wide(fields.node as u128)
            | self.counter.put_wide(fields.counter)
            | self.rollback.put_wide(fields.rollback as u128)
            | self.random.put_wide(fields.random)
    }

    /// Splits an ID of any width into its fields. Pass a signed 64-bit number as `id as u64`.
    ///
    /// # Errors
    /// `IdOutOfRange` if the number has more bits than the layout, if an unused bit is 1, or if a
    /// constant differs.
    pub const fn split_wide(&self, id: u128) -> Result<WideFields, Error> {
        if id & self.fixed_mask != self.fixed {
            return Err(NOT_AN_ID);
        }
        Ok(WideFields {
            tick: low_64(self.timestamp.get_wide(id)),
            node: low_64(self.node.get_wide(id)),
            counter: self.counter.get_wide(id),
            rollback: low_64(self.rollback.get_wide(id)),
            random: self.random.get_wide(id),
        })
    }

    /// Returns the bits of a random part that is new for each ID, to be OR-ed into an ID of up to
    /// 64 bits.
    ///
    /// Bits of `random` that do not fit the part are cut off. For layouts of more than 64 bits the
    /// result is 0: use [`Layout::join_wide`].
    #[must_use]
    pub const fn put_random(&self, random: u64) -> i64 {
        if self.is_wide() { 0 } else { self.random.put(random & self.random.max()) as i64 }
    }

    /// Assembles an ID of any width from its parts, and checks each of them.
    ///
    /// The time is Unix milliseconds, rounded down to the tick. `counter` is the sequence or the
    /// growing random part; `random` is the random part that is new for each ID.
    ///
    /// ```
    /// use saiban::Layout;
    /// let layout = Layout::from_text("timestamp:48 node.region:4 node.host:12 sequence:20 random:12")?;
    /// let id = layout.compose_wide_ms(1_700_000_000_000, 0x2001, 5, 0, 0xabc)?;
    /// assert_eq!(format!("{id:024x}"), "018bcfe56800200100005abc");
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`,
    /// `RandomOutOfRange` or `RollbackOutOfRange` for a part that does not fit.
    pub const fn compose_wide_ms(
        &self,
        timestamp_ms: i64,
        node: i64,
        counter: u128,
        rollback: i64,
        random: u128,
    ) -> Result<u128, Error> {
        self.compose_wide_ns(timestamp_ms, 0, node, counter, rollback, random)
    }
}

impl Layout {
    /// Converts a sequence and a random part, as [`Parts`](crate::Parts) has them, to the arguments
    /// `counter` and `random` of [`Layout::compose_wide_ms`].
    ///
    /// A growing random part is the counter. If a layout has both kinds of random parts, `random`
    /// holds the growing part, with the other in the bits below it.
    ///
    /// ```
    /// use saiban::Layout;
    /// let growing = Layout::from_text("timestamp:48 random:80,step=1")?;
    /// assert_eq!(growing.counter_and_random(0, 7), Ok((7, 0)));
    /// assert_eq!(Layout::TWITTER.counter_and_random(3, 0), Ok((3, 0)));
    /// let both = Layout::from_text("timestamp:48 random:8,step=3 random:8")?;
    /// assert_eq!(both.counter_and_random(0, 77 << 8 | 99), Ok((77, 99)));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `SequenceOutOfRange` for a sequence other than 0 if the counter is a growing random part;
    /// `RandomOutOfRange` if a layout has both kinds of random parts and `random` does not fit
    /// them.
    pub const fn counter_and_random(&self, sequence: u128, random: u128) -> Result<(u128, u128), Error> {
        match (self.is_random(), sequence) {
            (false, _) => Ok((sequence, random)),
            (true, 0) if self.random.bits == 0 => Ok((random, 0)),
            (true, 0) => {
                let max = self.random_of(self.max_counter_wide(), self.max_random());
                if random > max {
                    return Err(random_error(random, max));
                }
                Ok((random >> self.random.bits, random & self.max_random()))
            }
            (true, _) => Err(sequence_error(sequence, 0)),
        }
    }

    /// Returns the random part, as `Parts` has it: the growing part, with the other in the bits
    /// below it.
    pub(crate) const fn random_of(&self, growing: u128, fresh: u128) -> u128 {
        growing << self.random.bits | fresh
    }
}

/// Returns whether an error can show a value and its limit as 64-bit numbers.
const fn is_small(value: u128, max: u128) -> bool {
    value <= i64::MAX as u128 && max <= u64::MAX as u128
}

pub(super) const fn sequence_error(value: u128, max: u128) -> Error {
    if is_small(value, max) {
        return Error::SequenceOutOfRange { sequence: low_64(value) as i64, max: low_64(max) };
    }
    Error::SequenceOutOfRangeWide { sequence: Wide::new(value), max: Wide::new(max) }
}

pub(super) const fn random_error(value: u128, max: u128) -> Error {
    if is_small(value, max) {
        return Error::RandomOutOfRange { random: low_64(value) as i64, max: low_64(max) };
    }
    Error::RandomOutOfRangeWide { random: Wide::new(value), max: Wide::new(max) }
}
