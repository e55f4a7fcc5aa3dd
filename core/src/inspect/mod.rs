//! Finds the formats that an ID of unknown origin may have.
//!
//! [`Inspector`] returns the formats that an ID fits, the most plausible first, with the reasons
//! for the rank of each. The main criterion is the time that the ID would have in a format. No
//! input causes a panic.
//!
//! Targets without 64-bit atomics have no formats of more than 64 bits and no layouts of the user:
//! there the inspector has the presets, Ulid-Flake, TSID and Randflake.
//!
//! `docs/inspect.md` shows how often the first candidate is wrong, and why.

#[cfg(not(target_has_atomic = "64"))]
mod absent;
mod candidates;
mod formats;
#[cfg(target_has_atomic = "64")]
mod layouts;
mod nearly;
mod outcome;
mod read;
mod reason;
mod units;
mod weigh;
#[cfg(target_has_atomic = "64")]
mod wide;

pub use candidates::{Candidate, Candidates, MAX_CANDIDATES};
pub use nearly::near_miss;
pub use reason::Reason;

use crate::bits::{low_8, low_64};
use crate::cipher::{Secret, Sparx64};
use crate::encoding::Encoding;
use crate::error::Error;
use crate::generator::{inspect_randflake, randflake_layout};
use crate::id::Parts;
use crate::layout::Layout;
use crate::scheme::Scheme;
use formats::{Habit, KNOWN, Known};
use reason::Evidence;
use weigh::{GIVEN, Life, Weight, weigh_parts, weigh_scarcity, weigh_time};

/// The maximum number of secrets of an inspector.
pub const MAX_SECRETS: usize = 8;

/// The maximum number of layouts that the user can add to an inspector.
pub const MAX_LAYOUTS: usize = 4;

/// A number of leading zero bits that one in 1024 random numbers has.
const RARE_ZEROS: u32 = 10;

/// The way in which a number was read.
#[derive(Clone, Copy)]
struct Reading<'t> {
    text: Option<&'t str>,
    points: i32,
    /// The points that replace `points` for a layout of the user, if the time is plausible.
    points_given: i32,
    evidence: Evidence,
    /// The name of the other encoding in which the text was read, or "".
    encoding: &'static str,
    /// Whether to drop candidates whose time is not plausible.
    only_plausible: bool,
}

impl<'t> Reading<'t> {
    /// Returns the reading of a number that was not passed as text.
    const fn of_number(evidence: Evidence) -> Self {
        Reading { text: None, points: 0, points_given: 0, evidence, encoding: "", only_plausible: false }
    }

    const fn of_text(text: &'t str, points: i32, evidence: Evidence) -> Self {
        Reading { text: Some(text), points, points_given: points, evidence, encoding: "", only_plausible: false }
    }

    /// Returns this reading with `points` more points.
    const fn weighing(self, points: i32) -> Self {
        Reading { points: self.points + points, points_given: self.points_given + points, ..self }
    }
}

/// Finds the formats of IDs of unknown origin.
///
/// ```
/// use saiban::{Inspector, Scheme};
/// let inspector = Inspector::at(1_763_700_000_000);
/// let found = inspector.inspect_text("01ARZ3NDEKTSV4RRFFQ69G5FAV")?;
/// let first = found.ranked().next().expect("a candidate");
/// assert_eq!(first.parts().scheme, Scheme::Ulid);
/// assert_eq!(first.reasons().last().map(|reason| reason.to_string()).as_deref(), Some("time is plausible: 9 years ago"));
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Debug)]
pub struct Inspector {
    now_ms: i64,
    ciphers: [Option<Sparx64>; MAX_SECRETS],
    /// The layouts of the user: the first `layouts_len` elements.
    ///
    /// Free elements hold a layout instead of a `None`. Most bytes of a `None` are what the stack
    /// held before, which may be a secret.
    layouts: [Layout; MAX_LAYOUTS],
    layouts_len: usize,
    epoch_ms: Option<i64>,
    scheme: Option<Scheme>,
}

impl Inspector {
    /// Creates an inspector with a given current time, in Unix milliseconds.
    ///
    /// IDs whose time is in the future are less plausible.
    #[must_use]
    pub const fn at(now_ms: i64) -> Self {
        let ciphers = [const { None }; MAX_SECRETS];
        let layouts = [Layout::TWITTER; MAX_LAYOUTS];
        Inspector { now_ms, ciphers, layouts, layouts_len: 0, epoch_ms: None, scheme: None }
    }

    /// Creates an inspector with the time of the system clock.
    ///
    /// # Errors
    /// `ClockUnavailable` if the clock cannot be read.
    #[cfg(feature = "std")]
    pub fn now() -> Result<Self, Error> {
        use crate::clock::{Clock, SystemClock};
        Ok(Self::at((SystemClock.now_ns()? / 1_000_000) as i64))
    }

    /// Adds a secret: the inspector also tries to decrypt Randflake IDs with it.
    ///
    /// With several secrets, such as a new one and old ones, the plausibility of the time, the node
    /// and the sequence determines the rank. `secret_index` of the parts is the index of the
    /// secret. If scores are equal, the secret that was added first ranks first.
    ///
    /// A candidate is not proof: any number is an ID under any secret. A wrong secret results in a
    /// random time within 34 years.
    ///
    /// ```
    /// use saiban::{ComposeParts, Generator, Inspector, RandflakeGenerator, Secret};
    /// let (new, old) = (Secret::new([1; 16]), Secret::new([2; 16]));
    /// let parts = ComposeParts::at_ms(1_763_700_000_000).node(1).sequence(1);
    /// let id = RandflakeGenerator::new(&old, 1)?.compose(&parts)?;
    /// let found = Inspector::at(1_763_700_000_000).secret(&new)?.secret(&old)?.inspect(id);
    /// let first = found.iter().find(|parts| parts.secret_index.is_some());
    /// assert_eq!(first.and_then(|parts| parts.secret_index), Some(1));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if there are more than 8 secrets.
    pub fn secret(mut self, secret: &Secret) -> Result<Self, Error> {
        let free = self.ciphers.iter_mut().find(|place| place.is_none());
        let too_many = Error::InvalidArgument { what: "so many secrets cannot be tried at once: give at most 8" };
        *free.ok_or(too_many)? = Some(Sparx64::new(secret));
        Ok(self)
    }

    /// Adds a layout: the inspector also looks for IDs of this layout, and ranks them first if
    /// their time is plausible.
    ///
    /// [`scheme_of_layout`] determines the scheme of such candidates: a preset remains a Snowflake,
    /// for example, but scores higher. [`Candidate::layout_index`] is the index of the layout.
    ///
    /// ```
    /// use saiban::{Inspector, Layout, Scheme};
    /// let layout = Layout::from_text("timestamp:42,epoch=2024-01-01 node:10 sequence:12")?;
    /// let found = Inspector::at(1_763_700_000_000).layout(&layout)?.inspect(151_819_733_950_271_234);
    /// assert_eq!(found.iter().next().map(|parts| parts.scheme), Some(Scheme::Flake));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` if there are more than 4 layouts.
    pub fn layout(mut self, layout: &Layout) -> Result<Self, Error> {
        let free = self.layouts.get_mut(self.layouts_len);
        let too_many = Error::InvalidArgument { what: "so many layouts cannot be tried at once: give at most 4" };
        *free.ok_or(too_many)? = *layout;
        self.layouts_len += 1;
        Ok(self)
    }

    /// Sets the epoch of the presets, Ulid-Flake and TSID, in Unix milliseconds, in place of their
    /// own.
    ///
    /// Use it for IDs of a service that has a known layout with an epoch of its own.
    ///
    /// ```
    /// use saiban::{Inspector, Scheme};
    /// let found = Inspector::at(1_763_700_000_000).epoch_ms(0)?.inspect_text("1J1SMJD9CE74J")?;
    /// assert_eq!(found.iter().next().and_then(|parts| parts.timestamp_ms), Some(1_719_921_095_980));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidLayout` if the last time of a preset with this epoch does not fit 64 bits of
    /// milliseconds.
    pub fn epoch_ms(mut self, epoch_ms: i64) -> Result<Self, Error> {
        for known in &KNOWN {
            known.layout.spec().epoch_ms(epoch_ms).check()?;
        }
        self.epoch_ms = Some(epoch_ms);
        Ok(self)
    }

    /// Restricts the inspector to one scheme. `uuid` stands for UUIDs of every version.
    #[must_use]
    pub const fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = Some(scheme);
        self
    }

    /// Returns the candidates for a number of 64 bits.
    #[must_use]
    pub fn inspect(&self, id: i64) -> Candidates {
        let mut found = Candidates::new();
        self.add_number(&mut found, &Reading::of_number(Evidence::NONE), id);
        found
    }

    /// Returns the candidates for a number of `bits` bits.
    ///
    /// `bits` is 128 (ULID, UUID), 96 (ObjectId, XID), 77 (tick ID), or the size of a layout of the
    /// user. Up to 64 bits, the number is read as a number of 64 bits.
    ///
    /// ```
    /// use saiban::{Inspector, Scheme};
    /// let found = Inspector::at(1_763_700_000_000).inspect_wide(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f, 128);
    /// assert_eq!(found.iter().next().map(|parts| parts.scheme), Some(Scheme::UuidV7));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn inspect_wide(&self, id: u128, bits: u32) -> Candidates {
        let mut found = Candidates::new();
        if bits <= u64::BITS {
            if let Ok(id) = u64::try_from(id) {
                self.add_number(&mut found, &Reading::of_number(Evidence::NONE), id as i64);
            }
            return found;
        }
        let reading = Reading::of_number(Evidence::WIDTH);
        self.add_wide(&mut found, &reading, id, Some(bits));
        self.add_wide_layouts(&mut found, &reading, id, Some(bits));
        found
    }

    /// Returns the candidates for a text.
    ///
    /// A text is read as:
    ///
    /// - the canonical text of each scheme, with letters of either case
    /// - a decimal number of up to 128 bits, with or without a sign
    /// - a UUID in any form
    /// - an ID with a prefix
    /// - a hexadecimal number, after `0x`
    /// - a number in any other [encoding](crate::Encoding). Such candidates rank below all others,
    ///   and only those with a plausible time are kept.
    ///
    /// The result may be empty, for example for a Randflake ID without its secret.
    ///
    /// # Errors
    /// `TextLength`, `TextCharacter`, `TextOverflow` or `TextNotCanonical` if the text has none of
    /// these forms. The message shows the fault of the form that the text resembles, as
    /// [`near_miss`] does. If the text resembles none, the message lists the forms.
    pub fn inspect_text(&self, text: &str) -> Result<Candidates, Error> {
        let mut found = Candidates::new();
        let mut outcome = self.read_forms(&mut found, text);
        self.read_others(&mut found, text, &mut outcome);
        if outcome.was_read { Ok(found) } else { Err(nearly::unread(text)) }
    }

    /// Returns the names and values of the node's parts, from the highest bits to the lowest.
    ///
    /// The result is empty if the parts have no names. Layouts of the user may have named parts,
    /// and Discord's layout has `worker` and `process`.
    ///
    /// ```
    /// use saiban::{Inspector, Layout};
    /// let layout = Layout::from_text("timestamp:42,epoch=2024-01-01 node.datacenter:5 node.worker:5 sequence:12")?;
    /// let inspector = Inspector::at(1_763_700_000_000).layout(&layout)?;
    /// let found = inspector.inspect(151_819_733_950_545_666);
    /// let first = found.ranked().next().expect("a candidate");
    /// assert_eq!(first.parts().node, Some(67));
    /// assert!(inspector.node_parts(first).eq([("datacenter", 2), ("worker", 3)]));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    pub fn node_parts(&self, candidate: &Candidate) -> impl Iterator<Item = (&str, u64)> {
        let parts = candidate.parts();
        let preset = parts.layout.and_then(|name| KNOWN.iter().find(|known| known.name == Some(name)));
        let given = || candidate.layout_index().and_then(|index| self.given().get(index));
        let layout = match preset {
            Some(known) => known.named.as_ref(),
            None => given().filter(|layout| layout.spec().fields().iter().any(|field| !field.name.is_empty())),
        };
        layout.zip(parts.node).into_iter().flat_map(|(layout, node)| layout.parts_of_node(node))
    }

    /// Returns whether a text may be a Randflake ID, if the inspector has no secret.
    ///
    /// This is true for numbers of 64 bits with fewer than 10 leading zero bits, as 1023 of 1024
    /// Randflake IDs have.
    ///
    /// ```
    /// use saiban::{Inspector, Secret};
    /// let inspector = Inspector::at(1_763_700_000_000);
    /// assert!(inspector.may_be_randflake("3vgoe12ccb8gh"));
    /// assert!(!inspector.may_be_randflake("017f22e2-79b0-7cc3-98c4-dc0c0c07398f") && !inspector.may_be_randflake("175"));
    /// assert!(!inspector.secret(&Secret::new([1; 16]))?.may_be_randflake("3vgoe12ccb8gh"));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn may_be_randflake(&self, text: &str) -> bool {
        let signed = |encoding: Encoding| encoding.decode(text).map(|id| id as u64);
        let unsigned = || Encoding::DECIMAL.decode_wide(text, u64::BITS).map(low_64);
        let read = || signed(Encoding::DECIMAL).or_else(|_| signed(Encoding::BASE32HEX)).or_else(|_| unsigned());
        self.ciphers[0].is_none()
            && self.wants(Scheme::Randflake)
            && read().is_ok_and(|id| id.leading_zeros() < RARE_ZEROS)
    }

    /// Returns the layouts of the user.
    fn given(&self) -> &[Layout] {
        &self.layouts[..self.layouts_len]
    }

    fn wants(&self, scheme: Scheme) -> bool {
        let is_uuid = matches!(scheme, Scheme::UuidV1 | Scheme::UuidV4 | Scheme::UuidV7);
        self.scheme.is_none_or(|only| only == scheme || only == Scheme::Uuid && is_uuid)
    }

    /// Adds the candidates for a number of 64 bits.
    fn add_number(&self, found: &mut Candidates, reading: &Reading<'_>, id: i64) {
        self.add_known(found, reading, id, |known| Some(known.commonness));
        self.add_randflake(found, reading, id);
        self.add_layouts(found, reading, u128::from(id as u64), |layout| !layout.is_wide());
    }

    /// Adds the candidates for a number of 64 bits in the known layouts for which `commonness`
    /// returns a value.
    fn add_known(
        &self,
        found: &mut Candidates,
        reading: &Reading<'_>,
        id: i64,
        commonness: impl Fn(&Known) -> Option<i32>,
    ) {
        for known in &KNOWN {
            let known = if self.epoch_ms.is_some() { known.adopted() } else { known };
            let Some(commonness) = commonness(known).filter(|_| self.wants(known.scheme)) else { continue };
            let Some((layout, life)) = self.counted(&known.layout, known.since_ms) else { continue };
            let Ok(parts) = (known.inspect)(&layout, id) else { continue };
            let parts = Parts { layout: known.name, ..parts };
            let index = self.given().iter().position(|given| known.is(given));
            let has_habit = parts.timestamp_ms.is_some_and(|timestamp_ms| timestamp_ms >= known.node_since_ms);
            let node = if has_habit { known.node } else { Habit::Even };
            let small = weigh_parts(&layout, &parts, node, known.sequence);
            let weight = self.weigh(&layout, &parts, life, commonness, small);
            self.add_given(found, reading, parts, weight, index);
        }
    }

    /// Adds the candidates for a number that was read from the canonical text of its scheme.
    fn add_text(&self, found: &mut Candidates, reading: &Reading<'_>, id: i64, encoding: Encoding) {
        self.add_known(found, reading, id, |known| {
            known.text_commonness.filter(|_| known.scheme.encoding() == encoding)
        });
    }

    fn add_randflake(&self, found: &mut Candidates, reading: &Reading<'_>, id: i64) {
        if !self.wants(Scheme::Randflake) {
            return;
        }
        let is_choice = self.ciphers[1].is_some();
        let layout = randflake_layout();
        let life = Life::since(layout.epoch_ms());
        for (index, cipher) in (0..).zip(self.ciphers.iter().flatten()) {
            let Ok(parts) = inspect_randflake(cipher, id) else { continue };
            let parts = Parts { secret_index: is_choice.then_some(index), ..parts };
            let small = weigh_parts(layout, &parts, Habit::Assigned, Habit::Running);
            let weight = self.weigh(layout, &parts, life, 0, small);
            self.add(found, reading, parts, weight.and(Weight::of(0, Evidence::DECRYPTED)));
        }
    }

    /// Returns a known layout with the user's epoch, or with its own, and the life of its IDs.
    fn counted(&self, layout: &Layout, since_ms: i64) -> Option<(Layout, Life)> {
        match self.epoch_ms {
            Some(epoch_ms) => {
                let layout = layout.spec().epoch_ms(epoch_ms).check().ok()?;
                let first_day = Some((epoch_ms, weigh::FIRST_DAY_OF_GIVEN_EPOCH));
                Some((layout, Life { first_day, ..Life::since(epoch_ms) }))
            }
            None => {
                let first_day = Some((layout.epoch_ms(), weigh::FIRST_DAY));
                Some((*layout, Life { since_ms, first_day, grew: true }))
            }
        }
    }

    /// Weighs the parts that an ID has in a layout. If the time is not plausible, only the time
    /// counts.
    fn weigh(&self, layout: &Layout, parts: &Parts, life: Life, commonness: i32, small: Weight) -> Weight {
        let time = weigh_time(self.now_ms, parts.timestamp_ms.unwrap_or(self.now_ms), life);
        if !time.is_plausible() {
            return time;
        }
        let scarcity = weigh_scarcity(self.now_ms, layout, life.since_ms);
        time.and(small).and(Weight::of(scarcity + commonness, Evidence::NONE))
    }

    /// Adds a candidate with more points if its layout is one of the user's. `index` is the index
    /// of this layout.
    fn add_given(
        &self,
        found: &mut Candidates,
        reading: &Reading<'_>,
        parts: Parts,
        weight: Weight,
        index: Option<usize>,
    ) {
        let evidence = if index.is_some() { Evidence::GIVEN_LAYOUT } else { Evidence::NONE };
        let (points, reading) = match index {
            Some(_) if weight.is_plausible() => (GIVEN, Reading { points: reading.points_given, ..*reading }),
            _ => (0, *reading),
        };
        if let Ok(candidate) = self.candidate(&reading, parts, weight.and(Weight::of(points, evidence))) {
            keep(found, &reading, Candidate { layout_index: index.map(low_8), ..candidate });
        }
    }

    fn add(&self, found: &mut Candidates, reading: &Reading<'_>, parts: Parts, weight: Weight) {
        if let Ok(candidate) = self.candidate(reading, parts, weight) {
            keep(found, reading, candidate);
        }
    }

    /// Creates a candidate.
    ///
    /// # Errors
    /// The ID is not a candidate if it has no text in its scheme.
    fn candidate(&self, reading: &Reading<'_>, parts: Parts, weight: Weight) -> Result<Candidate, Error> {
        let text = parts.text()?;
        let mut evidence = reading.evidence.and(weight.evidence);
        if reading.text.is_some_and(|given| text == *given) {
            evidence = evidence.without(Evidence::DECIMAL).and(Evidence::CANONICAL_TEXT);
        }
        if self.epoch_ms.is_some() && KNOWN.iter().any(|known| known.scheme == parts.scheme) {
            evidence = evidence.and(Evidence::GIVEN_EPOCH);
        }
        Ok(Candidate {
            parts,
            text,
            score: reading.points + weight.points,
            evidence,
            age_ms: self.now_ms.saturating_sub(parts.timestamp_ms.unwrap_or(self.now_ms)),
            encoding: reading.encoding,
            layout_index: None,
        })
    }
}

/// Returns the scheme of candidates of a layout of the user.
///
/// A preset is a Snowflake; layouts of Ulid-Flake and TSID are of these schemes; any other layout
/// is a Flake.
///
/// ```
/// use saiban::{Layout, Scheme, inspect::scheme_of_layout};
/// assert_eq!(scheme_of_layout(&Layout::DISCORD), Scheme::Snowflake);
/// ```
#[must_use]
pub fn scheme_of_layout(layout: &Layout) -> Scheme {
    KNOWN.iter().find(|known| known.is(layout)).map_or(Scheme::Flake, |known| known.scheme)
}

/// Returns the names of the presets whose IDs have this scheme.
pub fn presets_of(scheme: Scheme) -> impl Iterator<Item = &'static str> {
    let all = Layout::PRESETS.iter().chain(Layout::READ_ONLY);
    all.filter(move |(_, layout)| scheme_of_layout(layout) == scheme).map(|(name, _)| *name)
}

fn keep(found: &mut Candidates, reading: &Reading<'_>, candidate: Candidate) {
    if !reading.only_plausible || candidate.is_plausible() {
        found.add(candidate);
    }
}
