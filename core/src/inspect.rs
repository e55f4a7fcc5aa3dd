//! What can this ID be?
//!
//! A number of 64 bits tells little of its origin: what can be told is which formats it fits, and how plausible the time is
//! that it would have in each. [`Inspector`] answers with all that fit, the most plausible first. It never panics, on
//! any input.

use crate::cipher::{Secret, Sparx64};
use crate::encoding::{Encoding, Leniency};
use crate::error::Error;
use crate::generator::{inspect_randflake, inspect_snowflake, inspect_ulid_flake, ulid_flake_layout};
use crate::id::{Parts, Scheme};
use crate::layout::Layout;

/// The most secrets that an inspector tries.
pub const MOST_SECRETS: usize = 8;

/// The most candidates: every preset, Ulid-Flake and Randflake under every secret, each from two readings of the text.
const MOST: usize = 2 * (PRESETS + 1 + MOST_SECRETS);

/// How many of the presets are looked for: those of generators that are in use.
const PRESETS: usize = 5;

const MS_PER_DAY: i64 = 86_400_000;

/// What an inspector found, the most plausible first.
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    found: [Option<(u64, Parts)>; MOST],
    len: usize,
}

impl Candidates {
    const fn new() -> Self {
        Candidates { found: [None; MOST], len: 0 }
    }

    /// The candidates, the most plausible first.
    pub fn iter(&self) -> impl Iterator<Item = &Parts> {
        self.found.iter().flatten().map(|(_, parts)| parts)
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing fits.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Adds a candidate behind those at least as plausible. Two readings of a text ("8": decimal, and a Randflake's) may
    /// come to the same.
    fn add(&mut self, penalty: u64, parts: Parts) {
        if self.iter().any(|other| *other == parts) {
            return;
        }
        let place = self.found[..self.len].iter().flatten().filter(|(other, _)| *other <= penalty).count();
        if place < MOST {
            self.found[place..].rotate_right(1);
            self.found[place] = Some((penalty, parts));
            self.len = (self.len + 1).min(MOST);
        }
    }
}

/// Looks at IDs of unknown origin.
///
/// ```
/// use saiban::{Inspector, Scheme};
/// let inspector = Inspector::at(1_763_700_000_000);
/// let found = inspector.inspect_text("00CMXB6TAK4SA")?;
/// assert_eq!(found.iter().next().map(|parts| parts.scheme), Some(Scheme::UlidFlake));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Inspector {
    now_ms: i64,
    ciphers: [Option<Sparx64>; MOST_SECRETS],
    scheme: Option<Scheme>,
}

impl Inspector {
    /// An inspector for whom it is this time, Unix milliseconds: IDs from the future are less plausible.
    #[must_use]
    pub const fn at(now_ms: i64) -> Self {
        Inspector { now_ms, ciphers: [const { None }; MOST_SECRETS], scheme: None }
    }

    /// An inspector for whom it is now.
    ///
    /// # Errors
    /// `ClockUnavailable`.
    #[cfg(feature = "std")]
    pub fn now() -> Result<Self, Error> {
        use crate::clock::{Clock, SystemClock};
        Ok(Self::at((SystemClock.now_ns()? / 1_000_000) as i64))
    }

    /// Looks for Randflake IDs under this secret too. Where several are given, the new one and old ones, the most plausible time tells which
    /// fitted: `secret_index` of the parts. Any number is an ID under any secret, so that this is no proof:
    /// a wrong secret makes a time anywhere in 34 years, newer than the right one for 3 in 100 IDs that are a year old. Of equals the first given wins.
    ///
    /// ```
    /// use saiban::{Generator, Inspector, Randflake, Secret};
    /// let (new, old) = (Secret::new([1; 16]), Secret::new([2; 16]));
    /// let id = Randflake::new(&old, 1)?.compose(1_763_700_000_000, 1, 1)?;
    /// let found = Inspector::at(1_763_700_000_000).secret(&new)?.secret(&old)?.inspect(id);
    /// let first = found.iter().find(|parts| parts.secret_index.is_some());
    /// assert_eq!(first.and_then(|parts| parts.secret_index), Some(1));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for more than 8 secrets.
    pub fn secret(mut self, secret: &Secret) -> Result<Self, Error> {
        let free = self.ciphers.iter_mut().find(|place| place.is_none());
        let too_many = Error::InvalidArgument { what: "so many secrets cannot be tried at once: give at most 8" };
        *free.ok_or(too_many)? = Some(Sparx64::new(secret));
        Ok(self)
    }

    /// Looks for this scheme only.
    #[must_use]
    pub const fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = Some(scheme);
        self
    }

    /// What a number can be.
    #[must_use]
    pub fn inspect(&self, id: i64) -> Candidates {
        let mut found = Candidates::new();
        for scheme in Scheme::ALL {
            self.add(&mut found, scheme, id);
        }
        found
    }

    /// What a text can be: canonical text of each scheme looked for, and decimal numbers of any.
    ///
    /// A text that can be read but fits nothing (a Randflake ID, without its secret) has no candidates.
    ///
    /// # Errors
    /// When no scheme reads it, the error of the reading that came furthest.
    pub fn inspect_text(&self, text: &str) -> Result<Candidates, Error> {
        let mut found = Candidates::new();
        let mut was_read = false;
        let mut furthest: Option<Error> = None;
        let readings = [(Scheme::UlidFlake, Leniency::AnyCase), (Scheme::Randflake, Leniency::Strict)];
        match Encoding::DECIMAL.decode(text) {
            Ok(id) => {
                found = self.inspect(id);
                was_read = true;
            }
            Err(error) => keep_furthest(&mut furthest, error),
        }
        for (scheme, leniency) in readings {
            if self.scheme.is_some_and(|only| only != scheme) {
                continue;
            }
            match scheme.encoding().decode_as(text, None, leniency) {
                Ok(id) => {
                    self.add(&mut found, scheme, id);
                    was_read = true;
                }
                Err(error) => keep_furthest(&mut furthest, error),
            }
        }
        match furthest {
            Some(error) if !was_read => Err(error),
            _ => Ok(found),
        }
    }

    fn add(&self, found: &mut Candidates, scheme: Scheme, id: i64) {
        if self.scheme.is_some_and(|only| only != scheme) {
            return;
        }
        let mut add = |parts: Result<Parts, Error>| {
            if let Ok(parts) = parts {
                found.add(self.penalty(&parts), parts);
            }
        };
        match scheme {
            Scheme::Snowflake => {
                for (_, layout) in Layout::PRESETS.iter().take(PRESETS) {
                    add(inspect_snowflake(layout, id));
                }
            }
            Scheme::UlidFlake => add(ulid_flake_layout().and_then(|layout| inspect_ulid_flake(&layout, id))),
            Scheme::Flake
            | Scheme::Ulid
            | Scheme::Uuid
            | Scheme::UuidV1
            | Scheme::UuidV4
            | Scheme::UuidV7
            | Scheme::ObjectId
            | Scheme::TickId => {}
            Scheme::Randflake => {
                let is_choice = self.ciphers[1].is_some();
                for (index, cipher) in (0..).zip(self.ciphers.iter().flatten()) {
                    let parts = inspect_randflake(cipher, id);
                    add(parts.map(|parts| Parts { secret_index: is_choice.then_some(index), ..parts }));
                }
            }
        }
    }

    /// How implausible a candidate's time is: the age counts, and the future counts far more.
    fn penalty(&self, parts: &Parts) -> u64 {
        /// More than any past: a thousand years.
        const FUTURE: u64 = 365_250 * MS_PER_DAY as u64;
        let age_ms = self.now_ms.saturating_sub(parts.timestamp_ms.unwrap_or(self.now_ms));
        // Clocks differ: a day ahead is the present still.
        if age_ms < -MS_PER_DAY { FUTURE.saturating_add(age_ms.unsigned_abs()) } else { age_ms.max(0) as u64 }
    }
}

/// Of two errors the one whose text made sense for longer.
fn keep_furthest(furthest: &mut Option<Error>, error: Error) {
    let reach = |error: &Error| error.position().unwrap_or(0);
    if furthest.as_ref().is_none_or(|kept| reach(&error) > reach(kept)) {
        *furthest = Some(error);
    }
}
