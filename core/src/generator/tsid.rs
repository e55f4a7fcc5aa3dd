//! TSID: a Snowflake without an unused bit, with text that sorts.
//!
//! ```text
//!  63                                          22 21          12 11           0
//! +----------------------------------------------+--------------+--------------+
//! |  timestamp: ms since 2020-01-01, 42 bits     | node, 10     | sequence, 12 |
//! +----------------------------------------------+--------------+--------------+
//! ```
//!
//! The figure shows [`Layout::TSID_1024`], for 1024 nodes. [`Layout::TSID_256`] has 8 bits for the
//! node and 14 for the sequence, [`Layout::TSID_4096`] has 12 and 10. tsid-creator begins each
//! millisecond with a random sequence; here the sequence begins with 0. The text has 13 characters
//! of Crockford's base32 in upper case; readers accept any case. As signed numbers, IDs turn
//! negative on 2089-09-06; the layout lasts until 2159-05-15.
//!
//! Source: github.com/f4b6a3/tsid-creator, README and tests (5.2).

use super::engine::{Engine, Format};
use super::snowflake;
use super::{Attempt, ComposeParts, DefaultCursor, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::encoding::Leniency;
use crate::error::Error;
use crate::id::Parts;
use crate::layout::Layout;
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The number of characters of the text.
const TEXT_WIDTH: usize = 13;

/// A generator of TSIDs. Threads can share it without a lock.
///
/// ```
/// use saiban::{Generator, TsidGenerator};
/// let ids = TsidGenerator::new(7)?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// let text = ids.to_text(first)?;
/// assert_eq!(text.len(), 13);
/// assert_eq!(ids.from_text(&text.to_lowercase()), Ok(first));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct TsidGenerator<C = crate::clock::SystemClock, W: CursorWord<Position = u64> = DefaultCursor> {
    engine: Engine<C, W>,
}

#[cfg(feature = "std")]
impl TsidGenerator {
    /// Returns a generator for 1024 nodes on the system's clock, for one node (0 to 1023), which no
    /// other machine may use.
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn new(node: u64) -> Result<Self, Error> {
        Self::build(Layout::TSID_1024, &Options::node(node), SystemClock)
    }
}

impl<C: Clock> TsidGenerator<C> {
    /// Returns a generator with this layout. The unit of `window` is Unix milliseconds.
    ///
    /// # Errors
    /// - `InvalidLayout` for a layout that
    ///   [`SnowflakeGenerator::build`](super::SnowflakeGenerator::build) rejects.
    /// - `NodeRequired`, `NodeOutOfRange`, `NodeInUse`; `InvalidArgument` for both a node and a
    ///   range.
    /// - `InvalidWindow`, `ClockUnavailable`.
    pub fn build(layout: Layout, options: &Options, clock: C) -> Result<Self, Error> {
        Self::with_cursor(layout, options, clock)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>> TsidGenerator<C, W> {
    /// Returns a generator as [`TsidGenerator::build`] does, with the cursor type `W`.
    ///
    /// # Errors
    /// As [`TsidGenerator::build`].
    pub fn with_cursor(layout: Layout, options: &Options, clock: C) -> Result<Self, Error> {
        snowflake::check_layout(&layout)?;
        Engine::open(&Format::of_fields(Scheme::Tsid, layout), options, clock).map(|engine| TsidGenerator { engine })
    }
}

/// Splits a TSID of this layout into its parts.
pub(crate) fn inspect(layout: &Layout, id: i64) -> Result<Parts, Error> {
    let parts = snowflake::inspect(layout, id).map_err(|_| Scheme::Tsid.not_an_id())?;
    Ok(Parts { scheme: Scheme::Tsid, layout: None, ..parts })
}

impl<C: Clock, W: CursorWord<Position = u64>> Generator for TsidGenerator<C, W> {
    snowflake::methods_of_numbers!(Scheme::Tsid);

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(self.engine.layout(), id)
    }

    fn from_text_as(&self, text: &str, leniency: Leniency) -> Result<i64, Error> {
        if leniency == Leniency::Lenient {
            // Even a lenient reader requires the full width: a lost or doubled character would give
            // another ID.
            self.encoding().check_digits(text, TEXT_WIDTH)?;
        }
        let id = self.encoding().decode_as(text, None, leniency.max(Leniency::AnyCase))?;
        self.inspect(id).map(|_| id)
    }
}
