//! Snowflake: time, node, sequence.
//!
//! ```text
//!  63  62                                        22 21          12 11           0
//! +---+--------------------------------------------+--------------+--------------+
//! | 0 |  timestamp: ms since 2010-11-04, 41 bits   | node, 10     | sequence, 12 |
//! +---+--------------------------------------------+--------------+--------------+
//! ```
//!
//! The figure shows Twitter's widths ([`Layout::TWITTER`]): 4096 IDs per millisecond and node, for
//! 69 years. The layout defines widths, order, epoch and tick, and each generator has its own. IDs
//! of two layouts can be equal, so use one layout in each column. IDs sort by time, and anyone can
//! read their time.
//!
//! Source: Twitter, "Announcing Snowflake" (2010), and github.com/twitter-archive/snowflake, tag
//! snowflake-2010.

use super::engine::{Engine, Format};
use super::{Attempt, ComposeParts, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::error::{Error, LayoutProblem};
use crate::id::Parts;
use crate::layout::Layout;
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// A generator of Snowflake IDs, for any layout with a timestamp, a node and a sequence.
///
/// Threads can share it without a lock. On the system's clock, generators of one layout and node
/// share their cursor: see [`Scope`](super::Scope). With a clock of your own, each generator counts
/// alone.
///
/// ```
/// use saiban::{Generator, SnowflakeGenerator};
/// let ids = SnowflakeGenerator::new(7)?;
/// let (first, second) = (ids.generate()?, ids.generate()?);
/// assert!(first < second);
/// assert_eq!(ids.inspect(first)?.node, Some(7));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct SnowflakeGenerator<C = crate::clock::SystemClock, W: CursorWord<Position = u64> = super::DefaultCursor> {
    engine: Engine<C, W>,
}

#[cfg(feature = "std")]
impl SnowflakeGenerator {
    /// Returns a generator with Twitter's layout on the system's clock, for one node (0 to 1023),
    /// which no other machine may use.
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn new(node: u64) -> Result<Self, Error> {
        Self::build(Layout::TWITTER, &Options::node(node), SystemClock)
    }
}

impl<C: Clock> SnowflakeGenerator<C> {
    /// Returns a generator with this layout. The unit of `window` is Unix milliseconds.
    ///
    /// # Errors
    /// - `InvalidLayout` for a layout without a node or sequence, with a random part or start, or
    ///   of more than 64 bits.
    /// - `NodeRequired`, `NodeOutOfRange`, `NodeInUse`; `InvalidArgument` for both a node and a
    ///   range.
    /// - `InvalidWindow`, `ClockUnavailable`.
    pub fn build(layout: Layout, options: &Options, clock: C) -> Result<Self, Error> {
        Self::with_cursor(layout, options, clock)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>> SnowflakeGenerator<C, W> {
    /// Returns a generator as [`SnowflakeGenerator::build`] does, with the cursor type `W`. A
    /// [`LocalCursor`](crate::cursor::LocalCursor) has a single owner.
    ///
    /// # Errors
    /// As [`SnowflakeGenerator::build`].
    pub fn with_cursor(layout: Layout, options: &Options, clock: C) -> Result<Self, Error> {
        check_layout(&layout)?;
        Engine::open(&Format::of_fields(Scheme::Snowflake, layout), options, clock)
            .map(|engine| SnowflakeGenerator { engine })
    }
}

/// Checks that a layout has the fields of a Snowflake.
pub(super) fn check_layout(layout: &Layout) -> Result<(), Error> {
    let counts = layout.has_node() && layout.has_sequence() && !layout.has_random_start();
    if !counts || layout.has_random() || layout.is_wide() {
        return Err(Error::InvalidLayout { reason: LayoutProblem::NotASnowflake });
    }
    Ok(())
}

/// Splits a Snowflake ID of this layout into its parts.
pub(crate) fn inspect(layout: &Layout, id: i64) -> Result<Parts, Error> {
    let fields = layout.split(id).map_err(|_| Scheme::Snowflake.not_an_id())?;
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

/// Defines the methods of a generator whose IDs are the fields of its layout, with a node and a
/// sequence.
macro_rules! methods_of_numbers {
    ($scheme:expr) => {
        type Id = i64;

        fn scheme(&self) -> Scheme {
            $scheme
        }

        fn try_generate(&self) -> Result<Attempt, Error> {
            self.engine.attempt_number(|number| number)
        }

        fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
            self.engine.attempt_within(left, Pace::sequence(1), |taken| self.engine.layout().join(taken.into()))
        }

        fn generate(&self) -> Result<i64, Error> {
            self.engine.generate_number(|number| number)
        }

        fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
            self.engine.fill(ids, |want| Ok(Pace::sequence(want)), |taken| self.engine.layout().join(taken.into()))
        }

        fn stats(&self) -> Result<Stats, Error> {
            self.engine.stats(Guarantee::Unique)
        }

        fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
            self.engine.layout().range_ms(start_ms, end_ms)
        }

        fn layout(&self) -> Option<&Layout> {
            Some(self.engine.layout())
        }

        fn compose(&self, parts: &ComposeParts) -> Result<i64, Error> {
            parts.check($scheme, &[Part::Timestamp, Part::Node, Part::Sequence])?;
            parts.of_layout(self.engine.layout()).map(|id| low_64(id) as i64)
        }
    };
}
pub(super) use methods_of_numbers;

impl<C: Clock, W: CursorWord<Position = u64>> Generator for SnowflakeGenerator<C, W> {
    methods_of_numbers!(Scheme::Snowflake);

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(self.engine.layout(), id)
    }
}
