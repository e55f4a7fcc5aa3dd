//! Defines [`Candidates`], the result of an inspection, and [`Candidate`].

use super::reason::{Evidence, Reason};
use crate::encoding::Text;
use crate::error::Error;
use crate::id::Parts;

/// The maximum number of candidates that an inspector keeps. It drops those of the lowest rank.
pub const MAX_CANDIDATES: usize = 32;

/// A format that an ID may have, with its parts, score and reasons.
///
/// ```
/// use saiban::{Inspector, Scheme};
/// let found = Inspector::at(1_763_700_000_000).inspect_text("507F191E810C19729DE860EA")?;
/// let first = found.ranked().next().expect("a candidate");
/// assert_eq!((first.parts().scheme, first.parts().timestamp_ms), (Scheme::ObjectId, Some(1_350_506_782_000)));
/// assert_eq!(first.text().as_str(), "507f191e810c19729de860ea");
/// assert!(first.is_plausible() && first.layout_index().is_none());
/// assert!(found.ranked().skip(1).all(|other| other.score() <= first.score()));
/// let why: Vec<String> = first.reasons().map(|reason| reason.to_string()).collect();
/// assert_eq!(why, ["length and alphabet are an ObjectId's", "time is plausible: 13 years ago"]);
/// # Ok::<(), saiban::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    pub(super) parts: Parts,
    pub(super) text: Text,
    pub(super) score: i32,
    pub(super) evidence: Evidence,
    pub(super) age_ms: i64,
    /// The name of the other encoding in which the text was read, or "".
    pub(super) encoding: &'static str,
    pub(super) layout_index: Option<u8>,
}

impl Candidate {
    /// Returns the parts that the ID has in this format.
    #[must_use]
    pub const fn parts(&self) -> &Parts {
        &self.parts
    }

    /// Returns the score in points. One point more means twice as likely.
    ///
    /// Compare only the scores of candidates of one ID. Scores may change with every version.
    #[must_use]
    pub const fn score(&self) -> i32 {
        self.score
    }

    /// Returns the reasons for the rank of this candidate.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> {
        self.evidence.reasons(&self.parts, self.age_ms, self.encoding)
    }

    /// Returns whether the time is plausible, or the ID has no time.
    ///
    /// A plausible time is at most a day in the future, and not before the format existed. The
    /// first day after the epoch of a layout is not plausible, because all small numbers lie there.
    #[must_use]
    pub const fn is_plausible(&self) -> bool {
        self.parts.timestamp_ms.is_none() || self.evidence.has(Evidence::TIME_PLAUSIBLE)
    }

    /// Returns whether the candidate is plausible, or the text has the scheme's length and
    /// alphabet.
    #[must_use]
    pub fn is_believable(&self) -> bool {
        self.is_plausible() || self.reasons().any(|reason| matches!(reason, Reason::LengthAndAlphabet(_)))
    }

    /// Returns the index of the user's layout that the ID fits, counted from 0.
    #[must_use]
    pub fn layout_index(&self) -> Option<usize> {
        self.layout_index.map(usize::from)
    }

    /// Returns the canonical text of the ID in this format. For a Flake, it is the decimal number.
    #[must_use]
    pub const fn text(&self) -> Text {
        self.text
    }
}

/// The candidates for an ID, the most plausible first.
///
/// ```
/// use saiban::{Inspector, inspect::MAX_CANDIDATES};
/// let inspector = Inspector::at(1_763_700_000_000);
/// let found = inspector.inspect(175_928_847_299_117_063);
/// assert_eq!(found.iter().next().and_then(|parts| parts.layout), Some("discord"));
/// assert!(found.ranked().is_sorted_by(|one, next| one.score() >= next.score()));
/// assert!(found.len() == found.iter().count() && found.len() <= MAX_CANDIDATES);
/// assert!(inspector.inspect_wide(5, 100).is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Candidates {
    found: [Option<Candidate>; MAX_CANDIDATES],
    len: usize,
}

impl Candidates {
    pub(super) const fn new() -> Self {
        Candidates { found: [None; MAX_CANDIDATES], len: 0 }
    }

    /// Returns the parts of the candidates, the most plausible first.
    pub fn iter(&self) -> impl Iterator<Item = &Parts> {
        self.ranked().map(Candidate::parts)
    }

    /// Returns the candidates, the most plausible first.
    pub fn ranked(&self) -> impl Iterator<Item = &Candidate> {
        self.found.iter().flatten()
    }

    /// Returns the number of candidates.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.len
    }

    /// Returns whether there are no candidates.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the fault of the form that `text` resembles, if none of its candidates is likely.
    ///
    /// `self` is the result of inspecting `text`. A candidate is likely if
    /// [`is_believable`](Candidate::is_believable) is true, unless it is only a number in another
    /// encoding.
    ///
    /// ```
    /// use saiban::{ErrorKind, Inspector};
    /// let inspector = Inspector::at(1_763_700_000_000);
    /// // An ObjectId with a missing digit.
    /// let text = "507f191e810c19729de860e";
    /// let miss = inspector.inspect_text(text)?.near_miss(text).expect("nothing else is likely");
    /// assert_eq!(miss.kind(), ErrorKind::TextLength);
    /// # Ok::<(), saiban::Error>(())
    /// ```
    #[must_use]
    pub fn near_miss(&self, text: &str) -> Option<Error> {
        let is_other = |candidate: &Candidate| {
            candidate.layout_index().is_none() && candidate.reasons().any(|why| matches!(why, Reason::OtherEncoding(_)))
        };
        let is_told = self.ranked().any(|candidate| candidate.is_believable() && !is_other(candidate));
        if is_told { None } else { super::near_miss(text) }
    }

    /// Adds a candidate after those with an equal or a higher score.
    ///
    /// Two readings of a text can have equal parts, for example "8" as a decimal number and as a
    /// Randflake. Only the reading with the higher score is kept. Presets with the user's epoch
    /// differ in their names, so all of them are kept.
    pub(super) fn add(&mut self, candidate: Candidate) {
        let is_same = |other: &Candidate| other.parts == candidate.parts;
        let same =
            self.ranked().enumerate().find(|(_, other)| is_same(other)).map(|(place, other)| (place, other.score));
        if let Some((place, score)) = same {
            if score >= candidate.score {
                return;
            }
            self.found[place..self.len].rotate_left(1);
            self.len -= 1;
            self.found[self.len] = None;
        }
        let place = self.ranked().filter(|other| other.score >= candidate.score).count();
        if place < MAX_CANDIDATES {
            self.found[place..].rotate_right(1);
            self.found[place] = Some(candidate);
            self.len = (self.len + 1).min(MAX_CANDIDATES);
        }
    }
}
