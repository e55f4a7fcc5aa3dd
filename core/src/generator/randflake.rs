//! Randflake: time, node, sequence, encrypted.
//!
//! ```text
//!  63                              34 33              17 16               0
//! +----------------------------------+------------------+------------------+
//! | timestamp: s since 2024-10-27,30 | node, 17 bits    | sequence, 17     |   raw
//! +----------------------------------+------------------+------------------+
//!                      | eight bytes, little-endian; four big-endian words
//!                      v SPARX-64/128 under a secret of 16 bytes
//!   the ID: those bytes as a little-endian signed integer, so half of all IDs are negative
//! ```
//!
//! 131,072 IDs a second and node. Who has the secret can read an ID's time and node; others learn neither them nor how many IDs
//! there are. Text is base32hex, lower case, shortest, of the ID as an unsigned number.
//!
//! Source: github.com/gosuda/randflake, README and specification (2024); SPARX: see [`crate::cipher`].

use super::ahead::Ahead;
use super::engine::{Engine, Format, Taken};
use super::{Attempt, Generator, Guarantee, Options, Stats};
use crate::cipher::{Secret, Sparx64};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::error::Error;
use crate::id::{Parts, Scheme};
use crate::layout::Layout;
use core::ops::RangeInclusive;
use core::time::Duration;

/// What is encrypted.
const RAW: Layout = Layout::RANDFLAKE;

/// Makes Randflake IDs.
///
/// ```
/// use saiban::{Generator, Options, Randflake, Secret};
/// let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
/// let ids = Randflake::new(&secret, 42)?;
/// assert_eq!(ids.compose(1_733_706_297_000, 42, 1)?, 4_594_531_474_933_654_033);
/// assert_eq!(ids.to_text(4_594_531_474_933_654_033)?.as_str(), "3vgoe12ccb8gh");
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(42));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Randflake<C = crate::clock::SystemClock, W: CursorWord<Position = u64> = super::DefaultCursor> {
    engine: Engine<C, W>,
    cipher: Sparx64,
    ahead: Ahead,
}

#[cfg(feature = "std")]
impl Randflake {
    /// One node (0 to 131071), which no other machine has, the system clock.
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn new(secret: &Secret, node: i64) -> Result<Self, Error> {
        Self::build(secret, &Options::node(node), SystemClock)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>> Randflake<C, W> {
    /// A generator under this secret. The window is in Unix seconds.
    ///
    /// # Errors
    /// `NodeRequired`, `NodeOutOfRange`, `NodeInUse`, `InvalidWindow`; `InvalidArgument` for both a node and a range;
    /// `ClockUnavailable`.
    pub fn build(secret: &Secret, options: &Options, clock: C) -> Result<Self, Error> {
        let format = Format {
            unit_ms: 1_000,
            #[cfg(feature = "std")]
            key_id: Some(secret.key_id()),
            ..Format::of(Scheme::Randflake, RAW)
        };
        let engine = Engine::open(&format, options, clock)?;
        Ok(Randflake { engine, cipher: Sparx64::new(secret), ahead: Ahead::default() })
    }

    /// Makes the ID of these parts, without the cursor: for tests and for reading old data, not for new IDs. The time is
    /// Unix milliseconds and is rounded down to the second.
    ///
    /// # Errors
    /// `TimestampBeforeEpoch`, `TimestampOverflow`, `NodeOutOfRange`, `SequenceOutOfRange`.
    pub fn compose(&self, timestamp_ms: i64, node: i64, sequence: i64) -> Result<i64, Error> {
        RAW.compose_ms(timestamp_ms, node, sequence).map(|raw| self.cipher.encrypt_number(raw))
    }

    /// The ID of a position.
    #[inline]
    fn encrypted(&self, taken: Taken<u64>) -> i64 {
        self.ahead.of(RAW.join(taken.into()), &self.cipher)
    }
}

/// The layout of what is encrypted.
pub(crate) const fn layout() -> &'static Layout {
    &RAW
}

/// Takes a Randflake ID apart. Every number is one under every secret: who has the wrong secret gets wrong parts.
pub(crate) fn inspect(cipher: &Sparx64, id: i64) -> Result<Parts, Error> {
    let fields = RAW.split(cipher.decrypt_number(id))?;
    Ok(Parts {
        scheme: Scheme::Randflake,
        layout: None,
        id: id.into(),
        timestamp_ms: Some(RAW.tick_start_ms(fields.tick)),
        submillisecond_ns: None,
        node: Some(fields.node),
        sequence: Some(fields.counter),
        random: None,
        rollback: None,
        secret_index: None,
    })
}

impl<C: Clock, W: CursorWord<Position = u64>> Generator for Randflake<C, W> {
    fn scheme(&self) -> Scheme {
        Scheme::Randflake
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        self.engine.attempt_number(|raw| self.ahead.of(raw, &self.cipher))
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
        self.engine.attempt_within(left, Pace::sequence(1), |taken| self.encrypted(taken))
    }

    fn generate(&self) -> Result<i64, Error> {
        self.engine.generate_number(|raw| self.ahead.of(raw, &self.cipher))
    }

    fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
        // Sequence and node lie below the time, one above the other: what is encrypted are consecutive numbers.
        let write = |ids: &mut [i64], taken: Taken<u64>| self.cipher.encrypt_run(RAW.join(taken.into()), ids);
        self.engine.fill_runs(ids, |want| Ok(Pace::sequence(want)), write)
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Unique)
    }

    fn range(&self, _start_ms: i64, _end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        Err(Error::NotTimeOrdered { scheme: Scheme::Randflake.name() })
    }

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(&self.cipher, id)
    }
}
