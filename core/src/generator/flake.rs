//! Flake: IDs of any layout, the user's own design.
//!
//! [`Layout`] says what the bits are; the engine is the one that Snowflake, Ulid-Flake and the others run on. IDs of up to 64 bits are
//! `i64` ([`Flake`]), wider ones `u128` ([`WideFlake`]).
//!
//! | the layout has | within a tick | what it promises |
//! |---|---|---|
//! | `sequence` | counts, from 0 or from a number drawn in its lower half | unique: with a node everywhere, without one in this process |
//! | `random`, with a step | drawn, then grows by 1 to `step`, drawn too | the same |
//! | `random`, without | drawn for each ID | probable: [`Layout::collision_odds`] |
//! | neither | one ID | unique |
//!
//! A sequence or growing part beside a fresh random one makes IDs unique, and hard to guess. Time and volume are told to anyone.
//!
//! Where ticks are long (minutes, hours, days) the first ID would wait for the tick after the one in which the generator was built, for longer than
//! the default `max_wait`: give `not_before`, the time of the last ID that you know of, or a longer wait.

use super::engine::{Engine, Format, Owner, Taken};
use super::{Attempt, DefaultCursor, DefaultWideCursor, Generator, Options, Stats};
use crate::bits::low_64;
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace, Position};
use crate::entropy::{DefaultEntropy, Entropy};
use crate::error::{Error, LayoutProblem};
use crate::id::{AnyId, IdValue, Parts, Scheme};
use crate::layout::{Layout, WideFields};
use core::ops::RangeInclusive;
use core::time::Duration;

/// How many IDs of a tick are counted, as a power of 2, where nothing in them counts: more than there ever are.
const UNSEEN_COUNTER_BITS: u32 = 63;

/// Makes IDs of a layout of up to 64 bits.
///
/// ```
/// use saiban::{Flake, Generator, Layout, Options};
/// let layout = Layout::from_text("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12")?;
/// let ids = Flake::new(layout, &Options::node(15))?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(15));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Flake<C = crate::clock::SystemClock, E = DefaultEntropy>(Maker<C, E>);

/// Makes IDs of a layout of more than 64 bits.
///
/// ```
/// use saiban::{Generator, Layout, Options, WideFlake};
/// let layout = Layout::from_text("timestamp:48 node:16 sequence:16 random:48")?;
/// let ids = WideFlake::new(layout, &Options::node(16))?;
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(16));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct WideFlake<C = crate::clock::SystemClock, E = DefaultEntropy>(Maker<C, E>);

/// What both are: positions of 63 bits where they are enough, else of 128.
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
        let options = if layout.has_node() { options.clone() } else { options.without_node_field()? };
        let mut format = Format::of(Scheme::Flake, layout);
        if only_random {
            format.counter_bits = UNSEEN_COUNTER_BITS;
            // Copies and other processes are told apart by chance anyway.
            if !layout.has_node() {
                format.owner = Owner::Random;
            }
        }
        let is_narrow = layout.timestamp_bits() + format.counter_bits <= <u64 as Position>::BITS;
        let engine = if is_narrow {
            AnyEngine::Narrow(Engine::open(&format, &options, clock)?)
        } else {
            AnyEngine::Wide(Engine::open(&format, &options, clock)?)
        };
        Ok(Maker { layout, engine, entropy })
    }

    /// Draws where a new tick begins, and the step within an old one.
    fn pace<P: Position>(&self, want: u64) -> Result<Pace<P>, Error> {
        let max = self.layout.max_counter_wide();
        if self.layout.is_random() {
            let first = P::from_u128(self.entropy.next_u128()? & max);
            let step = self.layout.max_step();
            // Where each step is 1 a run of IDs is as good as one by one.
            if step == 1 {
                return Ok(Pace { first, stride: P::ONE, want });
            }
            let drawn = (u128::from(self.entropy.next_u64()?) * u128::from(step)) >> 64;
            return Ok(Pace { first, stride: P::from(1 + drawn as u64), want: 1 });
        }
        if self.layout.has_random_start() {
            let first = P::from_u128(self.entropy.next_u128()? & (max >> 1));
            return Ok(Pace { first, stride: P::ONE, want });
        }
        Ok(Pace::sequence(want))
    }

    /// What is drawn afresh for each ID.
    fn fresh(&self) -> Result<u128, Error> {
        if self.layout.has_random() { Ok(self.entropy.next_u128()? & self.layout.max_random()) } else { Ok(0) }
    }

    fn made<P: Position>(&self, taken: Taken<P>, random: u128) -> u128 {
        let Taken { tick, node, counter, rollback } = taken;
        // A counter that no ID shows has no place in one: it is cut off.
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

/// Takes an ID of this layout apart.
pub(crate) fn inspect(layout: &Layout, id: AnyId) -> Result<Parts, Error> {
    let foreign = Error::IdOutOfRange { scheme: Scheme::Flake.name() };
    let WideFields { tick, node, counter, rollback, random } = layout.split_wide(id.value()).map_err(|_| foreign)?;
    let random = match (layout.is_random(), layout.has_random()) {
        // Both kinds are one number: what grows, and below it what is drawn afresh.
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
        impl $name<SystemClock, crate::entropy::PooledEntropy> {
            /// With the system's clock and randomness.
            ///
            /// # Errors
            /// As the errors of `build`.
            pub fn new(layout: Layout, options: &Options) -> Result<Self, Error> {
                Self::build(layout, options, SystemClock, crate::entropy::PooledEntropy)
            }
        }

        impl<C: Clock, E: Entropy> $name<C, E> {
            /// With these options, which name a node, or a range of them, where the layout has a node field. The window is in Unix
            /// milliseconds.
            ///
            /// # Errors
            /// `InvalidLayout` for a layout of the other width; `NodeRequired`, `NodeOutOfRange`, `NodeInUse`; `InvalidArgument` for a node of
            /// a layout without; `InvalidWindow`; `ClockUnavailable`.
            pub fn build(layout: Layout, options: &Options, clock: C, entropy: E) -> Result<Self, Error> {
                if layout.is_wide() != $is_wide {
                    let reason = LayoutProblem::OtherWidth { bits: layout.size_bits() };
                    return Err(Error::InvalidLayout { reason });
                }
                Maker::build(layout, options, clock, entropy).map($name)
            }

            /// The layout of its IDs.
            #[must_use]
            pub fn layout(&self) -> &Layout {
                &self.0.layout
            }

            /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is Unix
            /// milliseconds and is rounded down to the tick; `counter` is the sequence or the growing random part, `random` the one that is
            /// drawn afresh for each ID. A part that the layout has not must be 0.
            ///
            /// # Errors
            /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`, `RandomOutOfRange`,
            /// `RollbackOutOfRange`.
            pub fn compose(
                &self,
                timestamp_ms: i64,
                node: i64,
                counter: u128,
                rollback: i64,
                random: u128,
            ) -> Result<$id, Error> {
                self.compose_ns(timestamp_ms, 0, node, counter, rollback, random)
            }

            /// As `compose`, for a layout whose ticks begin within milliseconds: the time is Unix milliseconds, and 0 to 999,999
            /// nanoseconds after that.
            ///
            /// # Errors
            /// The same, and `InvalidArgument` for nanoseconds that are none of a millisecond.
            pub fn compose_ns(
                &self,
                timestamp_ms: i64,
                submillisecond_ns: i64,
                node: i64,
                counter: u128,
                rollback: i64,
                random: u128,
            ) -> Result<$id, Error> {
                let layout = self.layout();
                layout.compose_wide_ns(timestamp_ms, submillisecond_ns, node, counter, rollback, random).map($of)
            }
        }

        impl<C: Clock, E: Entropy> Generator<$id> for $name<C, E> {
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

            fn inspect(&self, id: $id) -> Result<Parts, Error> {
                let parts = inspect(self.layout(), id.any(self.bits()))?;
                // Narrower than 64 bits, what is beyond them is no ID.
                if self.bits() < 64 && $as_wide(id) >> self.bits() != 0 {
                    return Err(Error::IdOutOfRange { scheme: Scheme::Flake.name() });
                }
                Ok(parts)
            }

            fn range(&self, start_ms: i64, end_ms: i64) -> Result<RangeInclusive<$id>, Error> {
                self.layout().$range(start_ms, end_ms)
            }
        }
    };
}

flake!(Flake, i64, false, range_ms, |id| low_64(id) as i64, |id: i64| id as u64 as u128);
flake!(WideFlake, u128, true, range_wide_ms, |id| id, |id: u128| id);
