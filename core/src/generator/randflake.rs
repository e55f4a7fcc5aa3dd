//! Randflake: time, node and sequence, encrypted.
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
//! A node can make 131,072 IDs per second. With the secret you can read the time and node of an ID;
//! without it, IDs reveal neither these nor how many IDs exist. The text is the ID as an unsigned
//! number in base32hex, lower case, without leading zeros.
//!
//! Source: github.com/gosuda/randflake, README and specification (2024); SPARX: see
//! [`crate::cipher`].

use super::ciphertexts::Ciphertexts;
use super::engine::{Engine, Format, Taken};
use super::{Attempt, ComposeParts, Generator, Guarantee, Options, Stats};
use crate::bits::low_64;
use crate::cipher::{Secret, Sparx64};
use crate::clock::Clock;
#[cfg(feature = "std")]
use crate::clock::SystemClock;
use crate::cursor::{CursorWord, Pace};
use crate::error::Error;
use crate::id::Parts;
use crate::layout::Layout;
use crate::scheme::{Part, Scheme};
use core::ops::RangeInclusive;
use core::time::Duration;

/// The layout of the number before encryption.
const RAW: Layout = Layout::RANDFLAKE;

/// A generator of Randflake IDs.
///
/// ```
/// use saiban::{ComposeParts, Generator, RandflakeGenerator, Secret};
/// let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
/// let ids = RandflakeGenerator::new(&secret, 42)?;
/// let parts = ComposeParts::at_ms(1_733_706_297_000).node(42).sequence(1);
/// assert_eq!(ids.compose(&parts)?, 4_594_531_474_933_654_033);
/// assert_eq!(ids.to_text(4_594_531_474_933_654_033)?.as_str(), "3vgoe12ccb8gh");
/// assert_eq!(ids.inspect(ids.generate()?)?.node, Some(42));
/// # Ok::<(), saiban::Error>(())
/// ```
// The engine is the first field, so that it has the address of the generator. The fast path then
// needs one register less.
#[repr(C)]
#[derive(Debug)]
pub struct RandflakeGenerator<C = crate::clock::SystemClock, W: CursorWord<Position = u64> = super::DefaultCursor> {
    engine: Engine<C, W>,
    cipher: Sparx64,
    ciphertexts: Ciphertexts,
}

#[cfg(feature = "std")]
impl RandflakeGenerator {
    /// Returns a generator on the system's clock for one node (0 to 131071), which no other machine
    /// may use.
    ///
    /// # Errors
    /// `NodeOutOfRange`, `NodeInUse`.
    pub fn new(secret: &Secret, node: u64) -> Result<Self, Error> {
        Self::build(secret, &Options::node(node), SystemClock)
    }
}

impl<C: Clock> RandflakeGenerator<C> {
    /// Returns a generator that encrypts with this secret. The unit of `window` is Unix seconds.
    ///
    /// # Errors
    /// `NodeRequired`, `NodeOutOfRange`, `NodeInUse`, `InvalidWindow`; `InvalidArgument` for both a
    /// node and a range; `ClockUnavailable`.
    pub fn build(secret: &Secret, options: &Options, clock: C) -> Result<Self, Error> {
        Self::with_cursor(secret, options, clock)
    }
}

impl<C: Clock, W: CursorWord<Position = u64>> RandflakeGenerator<C, W> {
    /// Returns a generator as [`RandflakeGenerator::build`] does, with the cursor type `W`. A
    /// [`LocalCursor`](crate::cursor::LocalCursor) has a single owner.
    ///
    /// # Errors
    /// As [`RandflakeGenerator::build`].
    pub fn with_cursor(secret: &Secret, options: &Options, clock: C) -> Result<Self, Error> {
        let format = Format {
            unit_ms: 1_000,
            #[cfg(feature = "std")]
            key_id: Some(secret.key_id()),
            ..Format::of(Scheme::Randflake, RAW)
        };
        let engine = Engine::open(&format, options, clock)?;
        Ok(RandflakeGenerator { engine, cipher: Sparx64::new(secret), ciphertexts: Ciphertexts::default() })
    }

    /// Returns the ID of a position.
    #[inline]
    fn encrypted(&self, taken: Taken<u64>) -> i64 {
        self.ciphertexts.of(RAW.join(taken.into()), &self.cipher)
    }
}

/// Returns the layout of the number before encryption.
pub(crate) const fn layout() -> &'static Layout {
    &RAW
}

/// Splits a Randflake ID into its parts. Every number is a valid ID under every secret, so a wrong
/// secret gives wrong parts.
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

impl<C: Clock, W: CursorWord<Position = u64>> Generator for RandflakeGenerator<C, W> {
    type Id = i64;

    fn scheme(&self) -> Scheme {
        Scheme::Randflake
    }

    fn try_generate(&self) -> Result<Attempt, Error> {
        self.engine.attempt_number(|raw| self.ciphertexts.of(raw, &self.cipher))
    }

    fn try_generate_within(&self, left: Duration) -> Result<Attempt, Error> {
        self.engine.attempt_within(left, Pace::sequence(1), |taken| self.encrypted(taken))
    }

    fn generate(&self) -> Result<i64, Error> {
        self.engine.generate_number(|raw| self.ciphertexts.of(raw, &self.cipher))
    }

    fn fill(&self, ids: &mut [i64]) -> Result<usize, Error> {
        // Sequence and node are adjacent below the time, so the numbers to encrypt are consecutive.
        let write = |ids: &mut [i64], taken: Taken<u64>| self.cipher.encrypt_run(RAW.join(taken.into()), ids);
        self.engine.fill_runs(ids, |want| Ok(Pace::sequence(want)), write)
    }

    fn stats(&self) -> Result<Stats, Error> {
        self.engine.stats(Guarantee::Unique)
    }

    fn range(&self, _start_ms: i64, _end_ms: i64) -> Result<RangeInclusive<i64>, Error> {
        Err(Error::NotTimeOrdered { scheme: Scheme::Randflake.name() })
    }

    fn compose(&self, parts: &ComposeParts) -> Result<i64, Error> {
        parts.check(Scheme::Randflake, &[Part::Timestamp, Part::Node, Part::Sequence])?;
        parts.of_layout(&RAW).map(|raw| self.cipher.encrypt_number(low_64(raw) as i64))
    }

    fn inspect(&self, id: i64) -> Result<Parts, Error> {
        inspect(&self.cipher, id)
    }
}
