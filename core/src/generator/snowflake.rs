//! Snowflake: time, node, sequence.
//!
//! ```text
//!  63  62                                        22 21          12 11           0
//! +---+--------------------------------------------+--------------+--------------+
//! | 0 |  timestamp: ms since 2010-11-04, 41 bits   | node, 10     | sequence, 12 |
//! +---+--------------------------------------------+--------------+--------------+
//! ```
//!
//! These are Twitter's widths ([`Layout::TWITTER`]): 4096 IDs a millisecond and node, 69 years. Widths, order, epoch and tick are the
//! layout's, and each generator has its own. IDs of two layouts may be equal: one column, one layout. IDs sort by time and tell it to anyone.
//!
//! Source: Twitter, "Announcing Snowflake" (2010), and github.com/twitter-archive/snowflake, tag snowflake-2010.

use super::engine::{Engine, Format};
use super::{Attempt, Generator, Guarantee, Options, Stats};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::error::{Error, LayoutProblem};
use crate::id::{Parts, Scheme};
use crate::layout::Layout;
use core::ops::RangeInclusive;
use core::time::Duration;

/// Makes Snowflake IDs of any layout with a timestamp, a node and a sequence.
///
/// Shared between threads it needs no lock. On the system clock, generators of one process with the same layout and node share
/// their cursor; with a clock of the caller's own each counts for itself.
///
/// ```
/// use saiban::{Generator, Snowflake};
/// let ids = Snowflake::new(7)?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.inspect(first)?.node, Some(7));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Snowflake<C = crate::clock::SystemClock, W: CursorWord<Position = u64> = super::DefaultCursor> {
    engine: Engine<C, W>,
}

#[cfg(feature = "std")]
impl Snowflake {
    /// Twitter's layout, one node (0 to 1023), which no other machine has, the system clock.
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn new(node: i64) -> Result<Self, Error> {
        Self::build(Layout::TWITTER, &Options::node(node), SystemClock)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>> Snowflake<C, W> {
    /// A generator of this layout. The window is in Unix milliseconds.
    ///
    /// # Errors
    /// `InvalidLayout` for a layout without node or sequence, with a random part or start, or of more than 64 bits; `NodeRequired`, `NodeOutOfRange`, `NodeInUse`;
    /// `InvalidWindow`; `InvalidArgument` for both a node and a range; `ClockUnavailable`.
    pub fn build(layout: Layout, options: &Options, clock: C) -> Result<Self, Error> {
        let counts = layout.has_node() && layout.has_sequence() && !layout.has_random_start();
        if !counts || layout.has_random() || layout.is_wide() {
            return Err(Error::InvalidLayout { reason: LayoutProblem::NotASnowflake });
        }
        Engine::open(&Format::of(Scheme::Snowflake, layout), options, clock).map(|engine| Snowflake { engine })
    }

    /// The layout of its IDs.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        self.engine.layout()
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is
    /// Unix milliseconds and is rounded down to the tick.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<i64, Error> {
        self.layout().compose_ms(timestamp_ms, node, sequence)
    }

    /// As [`Snowflake::compose`], with the number of times that the clock had stepped back, for a layout that has bits for it.
    ///
    /// # Errors
    /// The same, and `RollbackOutOfRange`.
    pub fn compose_rollback(&self, timestamp_ms: i64, node: i64, sequence: i64, rollback: i64) -> Result<i64, Error> {
        self.layout().compose_rollback_ms(timestamp_ms, node, sequence, rollback)
    }

    /// As [`Snowflake::compose_rollback`], for a layout whose ticks begin within milliseconds: the time is Unix milliseconds, and 0 to 999,999
    /// nanoseconds after that.
    ///
    /// # Errors
    /// The same, and `InvalidArgument` for nanoseconds that are none of a millisecond.
    pub fn compose_ns(
        &self,
        timestamp_ms: i64,
        submillisecond_ns: i64,
        node: i64,
        sequence: i64,
        rollback: i64,
    ) -> Result<i64, Error> {
        self.layout().compose_ns(timestamp_ms, submillisecond_ns, node, sequence, rollback)
    }
}

/// Takes a Snowflake ID of this layout apart.
pub(crate) fn inspect(layout: &Layout, id: i64) -> Result<Parts, Error> {
    let fields = layout.split(id).map_err(|_| Error::IdOutOfRange { scheme: Scheme::Snowflake.name() })?;
    Ok(Parts {
        scheme: Scheme::Snowflake,
        layout: layout.name(),
        id: id.into(),
        timestamp_ms: Some(layout.tick_start_ms(fields.tick)),
        submillisecond_ns: layout.tick_start_submillisecond_ns(fields.tick),
        node: layout.has_node().then_some(fields.node),
        sequence: Some(fields.counter),
        random: None,
        rollback: layout.has_rollback().then_some(fields.rollback),
        secret_index: None,
    })
}

impl<C: Clock, W: CursorWord<Position = u64>> Generator for Snowflake<C, W> {
    fn scheme(&self) -> Scheme {
        Scheme::Snowflake
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        self.engine.attempt_number(|number| number)
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
        self.engine.attempt_within(left, Pace::sequence(1), |taken| self.layout().join(taken.into()))
    }

    fn generate(&self) -> Result<i64, Error> {
        self.engine.generate_number(|number| number)
    }

    fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
        self.engine.fill(ids, |want| Ok(Pace::sequence(want)), |taken| self.layout().join(taken.into()))
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Unique)
    }

    fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        self.layout().range_ms(start_ms, end_ms)
    }

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(self.layout(), id)
    }
}
