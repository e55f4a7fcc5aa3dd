//! What can this ID be?
//!
//! An ID tells little of its origin: what can be told is which formats it fits, and how plausible the time is that it would have in each.
//! [`Inspector`] answers with all that fit, the most plausible first, and says why. It never panics, on any input.
//!
//! Targets without 64-bit atomics have no wide formats and no layouts of the user's own: there it knows the presets, Ulid-Flake and Randflake.
//!
//! How often the first answer is wrong, and why it must be: `docs/inspect.md`.

#[cfg(not(target_has_atomic = "64"))]
mod absent;
mod candidates;
mod formats;
#[cfg(target_has_atomic = "64")]
mod layouts;
mod nearly;
mod read;
mod reason;
mod weigh;
#[cfg(target_has_atomic = "64")]
mod wide;

pub use candidates::{Candidate, Candidates, MOST_CANDIDATES};
pub use nearly::near_miss;
pub use reason::Reason;

use crate::bits::{low_8, low_64};
use crate::cipher::{Secret, Sparx64};
use crate::encoding::Encoding;
use crate::error::Error;
use crate::generator::{UlidFlakeFormat, inspect_randflake, inspect_snowflake, inspect_ulid_flake, randflake_layout};
use crate::id::{Parts, Scheme};
use crate::layout::Layout;
use formats::{Habit, KNOWN, ULID_FLAKE, ULID_FLAKE_SCALABLE};
use reason::Evidence;
use weigh::{GIVEN, Life, Weight, weigh_parts};

/// The most secrets that an inspector tries.
pub const MOST_SECRETS: usize = 8;

/// The most layouts that an inspector looks for beside the presets.
pub const MOST_LAYOUTS: usize = 4;

/// One in 1024 numbers has so many zeros in front.
const RARE_ZEROS: u32 = 10;

const MS_PER_DAY: i64 = 86_400_000;
const MS_PER_YEAR: i64 = 31_557_600_000;

/// How a number came to be read.
#[derive(Clone, Copy)]
struct Reading<'t> {
    text: Option<&'t str>,
    points: i32,
    /// The same where it is a layout that was given, with a plausible time.
    points_given: i32,
    evidence: Evidence,
    /// The other encoding that it was read in.
    encoding: &'static str,
    /// Whether only what has a plausible time is worth telling.
    only_plausible: bool,
}

impl<'t> Reading<'t> {
    /// A number that was given as such.
    const fn of_number(evidence: Evidence) -> Self {
        Reading { text: None, points: 0, points_given: 0, evidence, encoding: "", only_plausible: false }
    }

    const fn of_text(text: &'t str, points: i32, evidence: Evidence) -> Self {
        Reading { text: Some(text), points, points_given: points, evidence, encoding: "", only_plausible: false }
    }

    /// The same, so much more or less likely.
    const fn weighing(self, points: i32) -> Self {
        Reading { points: self.points + points, points_given: self.points_given + points, ..self }
    }
}

/// Looks at IDs of unknown origin.
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
    ciphers: [Option<Sparx64>; MOST_SECRETS],
    /// The first so many are looked for. Places that are free hold a layout too: of a `None` most bytes are whatever the stack held before,
    /// which may be a secret's.
    layouts: [Layout; MOST_LAYOUTS],
    layouts_len: usize,
    epoch_ms: Option<i64>,
    scheme: Option<Scheme>,
}

impl Inspector {
    /// An inspector for whom it is this time, Unix milliseconds: IDs from the future are less plausible.
    #[must_use]
    pub const fn at(now_ms: i64) -> Self {
        let ciphers = [const { None }; MOST_SECRETS];
        let layouts = [Layout::TWITTER; MOST_LAYOUTS];
        Inspector { now_ms, ciphers, layouts, layouts_len: 0, epoch_ms: None, scheme: None }
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

    /// Looks for Randflake IDs under this secret too. Where several are given, the new one and old ones, the most plausible time and the smallest
    /// node and sequence tell which fitted: `secret_index` of the parts. Any number is an ID under any secret, so that this is no proof:
    /// a wrong secret makes a time anywhere in 34 years. Of equals the first given wins.
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

    /// Looks for IDs of this layout too, and takes an ID for one wherever the time would be plausible. A preset is a Snowflake still, only likelier,
    /// and a layout of Ulid-Flake's a Ulid-Flake; any other is of the scheme `flake`. [`Candidate::layout_index`] tells which it was.
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
    /// `InvalidArgument` for more than 4 layouts.
    pub fn layout(mut self, layout: &Layout) -> Result<Self, Error> {
        let free = self.layouts.get_mut(self.layouts_len);
        let too_many = Error::InvalidArgument { what: "so many layouts cannot be tried at once: give at most 4" };
        *free.ok_or(too_many)? = *layout;
        self.layouts_len += 1;
        Ok(self)
    }

    /// Counts the times of presets and of Ulid-Flake from this epoch, Unix milliseconds, instead of their own: for IDs of services that took a
    /// known layout and an epoch of their own.
    ///
    /// ```
    /// use saiban::{Inspector, Scheme};
    /// let found = Inspector::at(1_763_700_000_000).epoch_ms(0)?.inspect_text("1J1SMJD9CE74J")?;
    /// assert_eq!(found.iter().next().and_then(|parts| parts.timestamp_ms), Some(1_719_921_095_980));
    /// # Ok::<(), saiban::Error>(())
    /// ```
    ///
    /// # Errors
    /// `InvalidLayout` for an epoch from which a preset would last for longer than 64 bits of milliseconds tell.
    pub fn epoch_ms(mut self, epoch_ms: i64) -> Result<Self, Error> {
        for known in &KNOWN {
            known.layout.spec().epoch_ms(epoch_ms).check()?;
        }
        UlidFlakeFormat { epoch_ms, ..UlidFlakeFormat::default() }.layout()?;
        self.epoch_ms = Some(epoch_ms);
        Ok(self)
    }

    /// Looks for this scheme only; for `uuid` for UUIDs of every version.
    #[must_use]
    pub const fn scheme(mut self, scheme: Scheme) -> Self {
        self.scheme = Some(scheme);
        self
    }

    /// What a number of 64 bits can be.
    #[must_use]
    pub fn inspect(&self, id: i64) -> Candidates {
        let mut found = Candidates::new();
        self.add_number(&mut found, &Reading::of_number(Evidence::NONE), id);
        found
    }

    /// What a number of so many bits can be: 128 (ULID, UUID), 96 (ObjectId), 77 (tick ID), or as many as a layout has that was given. Up to 64
    /// bits it is a number of 64.
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

    /// What a text can be: what a scheme writes, a decimal number of up to 128 bits, with a sign or without, a UUID in any of its forms, letters
    /// in either case; after `0x` a hexadecimal number; and, less likely, a number in any other [encoding](crate::Encoding), where its
    /// time would be plausible.
    ///
    /// A text that can be read but fits nothing (a Randflake ID, without its secret) may have no candidates.
    ///
    /// # Errors
    /// When nothing reads it: of the form that it looks like most, what is wrong, as [`near_miss`] says; of a text that looks like
    /// none which forms there are. `TextLength`, `TextCharacter` (with the position), `TextOverflow`, or `TextNotCanonical`.
    pub fn inspect_text(&self, text: &str) -> Result<Candidates, Error> {
        let mut found = Candidates::new();
        let mut outcome = self.read_forms(&mut found, text);
        self.read_others(&mut found, text, &mut outcome);
        if outcome.was_read { Ok(found) } else { Err(nearly::unread(text)) }
    }

    /// The names and values of the node's parts, from the highest bit to the lowest, where they have names: in layouts that were given, and
    /// worker and process in Discord's. Else there are none.
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
        let preset = parts.layout.and_then(|name| KNOWN.iter().find(|known| known.name == name));
        let given = || candidate.layout_index().and_then(|index| self.given().get(index));
        let layout = match preset {
            Some(known) => known.named.as_ref(),
            None => given().filter(|layout| layout.spec().fields().iter().any(|field| !field.name.is_empty())),
        };
        layout.zip(parts.node).into_iter().flat_map(|(layout, node)| layout.parts_of_node(node))
    }

    /// Whether a text may be a Randflake ID that only its secret shows, none being given: a number of 64 bits that is as large as all but one
    /// in 1024 of them are.
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

    /// The layouts that were given.
    fn given(&self) -> &[Layout] {
        &self.layouts[..self.layouts_len]
    }

    fn wants(&self, scheme: Scheme) -> bool {
        let is_uuid = matches!(scheme, Scheme::UuidV1 | Scheme::UuidV4 | Scheme::UuidV7);
        self.scheme.is_none_or(|only| only == scheme || only == Scheme::Uuid && is_uuid)
    }

    /// A number of 64 bits.
    fn add_number(&self, found: &mut Candidates, reading: &Reading<'_>, id: i64) {
        self.add_presets(found, reading, id);
        self.add_ulid_flake(found, reading, id, ULID_FLAKE);
        self.add_randflake(found, reading, id);
        self.add_layouts(found, reading, u128::from(id as u64), |layout| !layout.is_wide());
    }

    fn add_presets(&self, found: &mut Candidates, reading: &Reading<'_>, id: i64) {
        if !self.wants(Scheme::Snowflake) {
            return;
        }
        for known in &KNOWN {
            let known = if self.epoch_ms.is_some() { known.adopted() } else { known };
            let Some((layout, life)) = self.counted(&known.layout, known.since_ms) else { continue };
            let Ok(parts) = inspect_snowflake(&layout, id) else { continue };
            let parts = Parts { layout: Some(known.name), ..parts };
            let index = self.given().iter().position(|given| *given == known.layout);
            let has_habit = parts.timestamp_ms.is_some_and(|timestamp_ms| timestamp_ms >= known.node_since_ms);
            let node = if has_habit { known.node } else { Habit::Even };
            let small = weigh_parts(&layout, &parts, node, known.sequence);
            let weight = self.weigh(&layout, &parts, life, known.commonness, small);
            self.add_given(found, reading, parts, weight, index);
        }
    }

    /// A Ulid-Flake, stand-alone and scalable: nothing tells these apart.
    fn add_ulid_flake(&self, found: &mut Candidates, reading: &Reading<'_>, id: i64, commonness: i32) {
        if !self.wants(Scheme::UlidFlake) {
            return;
        }
        for scalable in [false, true] {
            let own = if scalable { Layout::ULID_FLAKE_SCALABLE } else { Layout::ULID_FLAKE };
            let index = self.given().iter().position(|given| given.reads_as(&own));
            let Some((layout, life)) = self.counted(&own, own.epoch_ms()) else { continue };
            let Ok(parts) = inspect_ulid_flake(&layout, id) else { continue };
            let rarer = if scalable { ULID_FLAKE_SCALABLE - ULID_FLAKE } else { 0 };
            let weight = self.weigh(&layout, &parts, life, commonness + rarer, Weight::NONE);
            self.add_given(found, reading, parts, weight, index);
        }
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

    /// A known layout from the epoch that was given, or its own, and when such IDs are made.
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

    /// Weighs a reading by a layout. Where the time is not plausible nothing else speaks for it.
    fn weigh(&self, layout: &Layout, parts: &Parts, life: Life, commonness: i32, small: Weight) -> Weight {
        let time = self.weigh_time(parts.timestamp_ms.unwrap_or(self.now_ms), life);
        if !time.is_plausible() {
            return time;
        }
        let scarcity = self.weigh_scarcity(layout, life.since_ms);
        time.and(small).and(Weight::of(scarcity + commonness, Evidence::NONE))
    }

    /// Adds a reading by a layout that was given, if it was.
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

    /// An ID that has no text in its scheme is no candidate.
    fn candidate(&self, reading: &Reading<'_>, parts: Parts, weight: Weight) -> Result<Candidate, Error> {
        let text = parts.text()?;
        let mut evidence = reading.evidence.and(weight.evidence);
        if reading.text.is_some_and(|given| text == *given) {
            evidence = evidence.without(Evidence::DECIMAL).and(Evidence::CANONICAL_TEXT);
        }
        if self.epoch_ms.is_some() && matches!(parts.scheme, Scheme::Snowflake | Scheme::UlidFlake) {
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

fn keep(found: &mut Candidates, reading: &Reading<'_>, candidate: Candidate) {
    if !reading.only_plausible || candidate.is_plausible() {
        found.add(candidate);
    }
}
