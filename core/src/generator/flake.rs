//! Flake: IDs with a layout of your own design.
//!
//! The [`Layout`] defines the bits. IDs of up to 64 bits are `i64` ([`FlakeGenerator`]), wider IDs
//! are `u128` ([`WideFlakeGenerator`]). Both run on the engine of Snowflake, Ulid-Flake and the
//! other schemes.
//!
//! | the layout has | within a tick | guarantee |
//! |---|---|---|
//! | `sequence` | counts up, from 0 or from a random number | unique |
//! | `random` with a step | begins at random, then grows by a random 1 to `step` | unique |
//! | `random` without a step | random for each ID | probable: see [`Layout::collision_odds`] |
//! | neither | one ID | unique |
//!
//! *Unique* means everywhere if the layout has a node, else within the generator's scope. A random
//! start of a sequence is in the lower half of its range.
//!
//! For IDs that are unique and hard to guess, combine a sequence or a growing random part with a
//! random part without a step. Anyone can read the time of an ID and estimate how many IDs were
//! made.
//!
//! With long ticks (minutes, hours, days), the first ID would wait for the tick after the one in
//! which the generator was built. This is longer than the default `max_wait`. Give `not_before`,
//! the time of the last ID that you know of, or a longer wait.

use super::engine::{Engine, Format, Owner, Taken};
use super::{Attempt, ComposeParts, DefaultCursor, DefaultWideCursor, Generator, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace, Position};
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::{Error, LayoutProblem};
use crate::id::{AnyId, IdValue, Parts};
use crate::layout::{Layout, WideFields};
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The width of the cursor's counter for layouts without a counter field. No tick has 2^63 IDs.
const UNSEEN_COUNTER_BITS: u32 = 63;

/// A generator of IDs for layouts of up to 64 bits.
///
/// ```
/// use saiban::{FlakeGenerator, Generator, Layout, Options};
/// let layout = Layout::from_text("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")?;
/// let ids = FlakeGenerator::new(layout, &Options::node(15))?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(15));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct FlakeGenerator<C = crate::clock::SystemClock, E = DefaultEntropy>(Maker<C, E>);

/// A generator of IDs for layouts of more than 64 bits.
///
/// ```
/// use saiban::{Generator, Layout, Options, WideFlakeGenerator};
/// let layout = Layout::from_text("timestamp:48 node:16 sequence:16 random:48")?;
/// let ids = WideFlakeGenerator::new(layout, &Options::node(16))?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(16));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct WideFlakeGenerator<C = crate::clock::SystemClock, E = DefaultEntropy>(Maker<C, E>);

/// The implementation of both generators, with 63-bit positions if they suffice, else 128-bit
/// positions.
#[derive(Debug)]
struct Maker<C, E> {
    layout: Layout,
    engine: AnyEngine<C>,
    entropy: E,
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "a generator is made once; behind a pointer each ID would follow it")]
enum AnyEngine<C> {
    Narrow(Engine<C, DefaultCursor>),
    Wide(Engine<C, DefaultWideCursor>),
}

impl<C: Clock, E: Entropy> Maker<C, E> {
    fn build(layout: Layout, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
        let counts = layout.counter_bits() > 0;
        let only_random = !counts && layout.has_random();
        let mut format = Format::of_fields(Scheme::Flake, layout);
        if !layout.has_node() {
            options.check_no_node_field()?;
            // All generators share node 0.
            format.node = Some(0);
        }
        if only_random {
            format.counter_bits = UNSEEN_COUNTER_BITS;
            // IDs of forked copies and of other processes differ only by chance in any case.
            if !layout.has_node() {
                format.owner = Owner::Random;
            }
        }
        let is_narrow = layout.timestamp_bits() + format.counter_bits <= <u64 as Position>::BITS;
        let engine = if is_narrow {
            AnyEngine::Narrow(Engine::open(&format, options, clock)?)
        } else {
            AnyEngine::Wide(Engine::open(&format, options, clock)?)
        };
        Ok(Maker { layout, engine, entropy })
    }

    /// Returns the random start of a new tick, and the step within a tick.
    fn pace<P: Position>(&self, want: u64) -> Result<Pace<P>, Error> {
        let max = self.layout.max_counter_wide();
        if self.layout.is_random() {
            let first = P::from_u128(self.entropy.next_u128()? & max);
            let step = self.layout.max_step();
            // With a step of 1, consecutive positions can be taken as one run.
            if step == 1 {
                return Ok(Pace { first, increment: P::ONE, want });
            }
            let drawn = (u128::from(self.entropy.next_u64()?) * u128::from(step)) >> 64;
            return Ok(Pace { first, increment: P::from(1 + drawn as u64), want: 1 });
        }
        if self.layout.has_random_start() {
            let first = P::from_u128(self.entropy.next_u128()? & (max >> 1));
            return Ok(Pace { first, increment: P::ONE, want });
        }
        Ok(Pace::sequence(want))
    }

    /// Returns the random part that is new for each ID, or 0 if the layout has none.
    fn fresh(&self) -> Result<u128, Error> {
        if self.layout.has_random() { Ok(self.entropy.next_u128()? & self.layout.max_random()) } else { Ok(0) }
    }

    fn made<P: Position>(&self, taken: Taken<P>, random: u128) -> u128 {
        let Taken { tick, node, counter, rollback } = taken;
        // If the layout has no counter field, `join_wide` drops the counter.
        self.layout.join_wide(&WideFields { tick, node, counter: counter.into(), rollback, random })
    }

    fn try_generate(&self) -> Result<Attempt<u128>, Error> {
        let random = self.fresh()?;
        match &self.engine {
            AnyEngine::Narrow(engine) => engine.attempt(self.pace(1)?, |taken| self.made(taken, random)),
            AnyEngine::Wide(engine) => engine.attempt(self.pace(1)?, |taken| self.made(taken, random)),
        }
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt<u128>, Error> {
        let random = self.fresh()?;
        match &self.engine {
            AnyEngine::Narrow(engine) => engine.attempt_within(left, self.pace(1)?, |taken| self.made(taken, random)),
            AnyEngine::Wide(engine) => engine.attempt_within(left, self.pace(1)?, |taken| self.made(taken, random)),
        }
    }

    fn generate(&self) -> Result<u128, Error> {
        let random = self.fresh()?;
        match &self.engine {
            AnyEngine::Narrow(engine) => engine.generate(|| self.pace(1), |taken| self.made(taken, random)),
            AnyEngine::Wide(engine) => engine.generate(|| self.pace(1), |taken| self.made(taken, random)),
        }
    }

    fn fill<I: IdValue>(&self, ids: &mut [I], of: impl Fn(u128) -> I) -> Result<usize, Error> {
        fn runs<C: Clock, W: CursorWord, E: Entropy, I: IdValue>(
            maker: &Maker<C, E>,
            engine: &Engine<C, W>,
            ids: &mut [I],
            of: impl Fn(u128) -> I,
        ) -> Result<usize, Error> {
            engine.fill(ids, |want| maker.pace(want), |taken| of(maker.made(taken, 0)))
        }
        if self.layout.has_random() {
            for (index, place) in ids.iter_mut().enumerate() {
                match self.generate() {
                    Ok(id) => *place = of(id),
                    Err(_) if index > 0 => return Ok(index),
                    Err(error) => return Err(error),
                }
            }
            return Ok(ids.len());
        }
        match &self.engine {
            AnyEngine::Narrow(engine) => runs(self, engine, ids, of),
            AnyEngine::Wide(engine) => runs(self, engine, ids, of),
        }
    }

    fn stats(&self) -> Result<Stats, Error> {
        let guarantee = self.layout.guarantee();
        match &self.engine {
            AnyEngine::Narrow(engine) => engine.stats(guarantee),
            AnyEngine::Wide(engine) => engine.stats(guarantee),
        }
    }
}

/// Splits an ID of this layout into its parts.
pub(crate) fn inspect(layout: &Layout, id: AnyId) -> Result<Parts, Error> {
    let foreign = Scheme::Flake.not_an_id();
    let WideFields { tick, node, counter, rollback, random } = layout.split_wide(id.value()).map_err(|_| foreign)?;
    let random = match (layout.is_random(), layout.has_random()) {
        // `Parts` has one random number: the growing part, and below it the part that is new for
        // each ID.
        (true, _) => Some(layout.random_of(counter, random)),
        (false, true) => Some(random),
        (false, false) => None,
    };
    Ok(Parts {
        layout: layout.name(),
        timestamp_ms: Some(layout.tick_start_ms(tick)),
        submillisecond_ns: layout.tick_start_submillisecond_ns(tick),
        node: layout.has_node().then_some(node),
        sequence: layout.has_sequence().then_some(low_64(counter)),
        random,
        rollback: layout.has_rollback().then_some(rollback),
        ..Parts::of(Scheme::Flake, id)
    })
}

macro_rules! flake {
    ($name:ident, $id:ty, $is_wide:literal, $range:ident, $of:expr, $as_wide:expr) => {
        #[cfg(feature = "std")]
        impl $name<SystemClock> {
            /// Returns a generator on the system's clock and randomness.
            ///
            /// # Errors
            /// As the errors of `build`.
            pub fn new(layout: Layout, options: &Options) -> Result<Self, Error> {
                Self::build(layout, options, SystemClock, crate::entropy::DefaultEntropy::default())
            }
        }

        impl<C: Clock, E: Entropy> $name<C, E> {
            /// Returns a generator with these options. They name a node, or a range of nodes, if
            /// the layout has a node field. The unit of `window` is Unix milliseconds.
            ///
            /// # Errors
            /// - `InvalidLayout` for a layout of the other width.
            /// - `NodeRequired`, `NodeOutOfRange`, `NodeInUse`; `InvalidArgument` for a node if the
            ///   layout has no node field.
            /// - `InvalidWindow`, `ClockUnavailable`.
            pub fn build(layout: Layout, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
                if layout.is_wide() != $is_wide {
                    let reason = LayoutProblem::OtherWidth { bits: layout.size_bits() };
                    return Err(Error::InvalidLayout { reason });
                }
                Maker::build(layout, options, clock, entropy).map($name)
            }
        }

        impl<C: Clock, E: Entropy> Generator for $name<C, E> {
            type Id = $id;

            fn scheme(&self) -> Scheme {
                Scheme::Flake
            }

            fn bits(&self) -> u32 {
                self.0.layout.size_bits()
            }

            fn try_generate(&self) -> Result<Attempt<$id>, Error> {
                self.0.try_generate().map(|attempt| attempt.map($of))
            }

            fn try_generate_within(&self, left: Duration) -> Result<Attempt<$id>, Error> {
                self.0.try_generate_within(left).map(|attempt| attempt.map($of))
            }

            fn generate(&self) -> Result<$id, Error> {
                self.0.generate().map($of)
            }

            fn fill(&self, ids: &mut [$id]) -> Result<usize, Error> {
                self.0.fill(ids, $of)
            }

            fn stats(&self) -> Result<Stats, Error> {
                self.0.stats()
            }

            fn layout(&self) -> Option<&Layout> {
                Some(&self.0.layout)
            }

            fn compose(&self, parts: &ComposeParts) -> Result<$id, Error> {
                parts.check(Scheme::Flake, &[Part::Timestamp])?;
                parts.of_layout(&self.0.layout).map($of)
            }

            fn inspect(&self, id: $id) -> Result<Parts, Error> {
                let parts = inspect(&self.0.layout, id.any(self.bits()))?;
                // In a layout of fewer than 64 bits, a number with higher bits set is not an ID.
                if self.bits() < 64 && $as_wide(id) >> self.bits() != 0 {
                    return Err(Scheme::Flake.not_an_id());
                }
                Ok(parts)
            }

            fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<$id>, Error> {
                self.0.layout.$range(start_ms, end_ms)
            }
        }
    };
}

flake!(FlakeGenerator, i64, false, range_ms, |id| low_64(id) as i64, |id: i64| id as u64 as u128);
flake!(WideFlakeGenerator, u128, true, range_wide_ms, |id| id, |id: u128| id);
