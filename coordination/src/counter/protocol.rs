//! What a store of numbers decides, whatever keeps it. It must read, decide and write at once, and answer when that is durable.

use super::terms::{CounterRecord, CounterTerms};
use crate::Error;
use saiban::ErrorKind;

/// Numbers that a process asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// How many, at least 1.
    pub count: u64,
    /// Of which day, of a counter that counts days: since 1970-01-01.
    pub day: Option<i32>,
    /// What it knows of the counter, or of that day.
    pub seen: Option<Seen>,
}

/// What a process knows of a counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which counter of the name it was.
    pub incarnation: i64,
    /// No number before this one is to be handed out again.
    pub next: i64,
}

/// Numbers that nobody else has: the first, and how many, in the counter's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// Which counter of the name it was.
    pub incarnation: i64,
    /// The first number.
    pub first: i64,
    /// How many: fewer than were asked for at the very end.
    pub count: u64,
    /// The store's next number.
    pub next: i64,
}

/// Decides which numbers are handed out from a record, whose `next` is then to be that of the answer.
///
/// # Errors
/// `CounterMismatch`; `CounterBehind` when the store has forgotten numbers; `CounterExhausted`.
pub fn take(record: &CounterRecord, terms: &CounterTerms, wish: &Take) -> Result<Taken, Error> {
    record.check(terms)?;
    check_seen(record, terms, wish)?;
    check_number(terms, record.next)?;
    let (step, next) = (terms.stride().step(), record.next);
    // The next number must have a place too, so that the very last one stays unused.
    let there = (i64::MAX - next.max(0)) / step;
    let count = i64::try_from(wish.count.max(1)).unwrap_or(i64::MAX).min(there);
    if count == 0 {
        return Err(saiban::Error::CounterExhausted { step }.into());
    }
    let taken =
        Taken { incarnation: record.incarnation, first: next, count: count.unsigned_abs(), next: next + count * step };
    Ok(taken)
}

/// Refuses numbers that a store gives once more.
///
/// # Errors
/// `CounterBehind`.
pub fn check_seen(record: &CounterRecord, terms: &CounterTerms, wish: &Take) -> Result<(), Error> {
    match wish.seen {
        Some(seen) if seen.incarnation != record.incarnation => {
            Err(gone(terms, "it was deleted and made again", seen.next))
        }
        Some(seen) if seen.next > record.next => {
            Err(behind(terms, wish.day, &format!("its next number is {}", record.next), seen.next))
        }
        _ => Ok(()),
    }
}

/// Decides what a counter that is raised, so that its next number is at least this one, becomes: `next` of the answer is to be written.
///
/// # Errors
/// `StoreCorrupt` for a record that no saiban has written; `InvalidArgument` for a number that it does not have, for a day of one that counts none,
/// and for one that counts days without one.
pub fn raise(record: &CounterRecord, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error> {
    let terms = CounterTerms::read(name, &record.fingerprint).ok_or_else(|| {
        Error::new(
            ErrorKind::StoreCorrupt,
            format!("the counter {name:?} counts {:?}, which no saiban has written", record.fingerprint),
        )
    })?;
    if terms.is_daily() != day.is_some() {
        let what = if terms.is_daily() { "counts days: say which of them" } else { "counts no days: name none" };
        return Err(Error::new(ErrorKind::InvalidArgument, format!("the counter {name:?} {what}")));
    }
    check_next(&terms, next)?;
    if next < record.next {
        check_number(&terms, record.next)?;
    }
    Ok(CounterRecord { next: next.max(record.next), ..record.clone() })
}

/// Refuses numbers that are not the counter's, but may be another store's.
///
/// # Errors
/// `StoreCorrupt`.
pub fn check_number(terms: &CounterTerms, next: i64) -> Result<(), Error> {
    if terms.stride().index(next).is_some() {
        return Ok(());
    }
    let (name, fingerprint) = (terms.name(), terms.fingerprint());
    Err(Error::new(
        ErrorKind::StoreCorrupt,
        format!(
            "the counter {name:?} is at {next}, which is none of its numbers ({fingerprint}): somebody has changed it. Raise it to one of them, past {next} and \
             past all that were used or are in hand (saiban counter raise)"
        ),
    ))
}

/// Refuses a counter that would begin with a number that it does not have.
///
/// # Errors
/// `InvalidArgument`.
pub fn check_next(terms: &CounterTerms, next: i64) -> Result<(), Error> {
    let stride = terms.stride();
    if stride.index(next).is_some() {
        return Ok(());
    }
    let (start, step) = (stride.start(), stride.step());
    let below = start + next.saturating_sub(start).max(0) / step * step;
    let above = below.checked_add(step).filter(|_| next > start);
    let above = above.map_or_else(String::new, |above| format!(" or {above}"));
    Err(Error::new(
        ErrorKind::InvalidArgument,
        format!(
            "a counter from {start} by {step} cannot begin with {next}: give one of its numbers, {below}{above}, say"
        ),
    ))
}

/// A counter that has forgotten what it handed out.
pub(crate) fn behind(terms: &CounterTerms, day: Option<i32>, what: &str, next: i64) -> Error {
    let day = day.map_or_else(String::new, |day| format!(" --day {}", super::format::date(day)));
    forgotten(
        terms,
        what,
        next,
        &format!(
            "raise it past all numbers that were used or are in hand, which are two blocks a program (saiban counter raise{day})"
        ),
    )
}

/// A counter that is not the one that it was.
pub(crate) fn gone(terms: &CounterTerms, what: &str, next: i64) -> Error {
    let cure = "let it begin past all numbers that were used or are in hand, which are two blocks a program (saiban counter init --at), and start the programs anew";
    forgotten(terms, what, next, cure)
}

fn forgotten(terms: &CounterTerms, what: &str, next: i64, cure: &str) -> Error {
    let (name, last) = (terms.name(), next.saturating_sub(terms.stride().step()));
    let handed_out =
        if next > terms.stride().start() { format!("{last} was handed out") } else { "numbers were handed out".into() };
    Error::new(
        ErrorKind::CounterBehind,
        format!(
            "the store has forgotten numbers of the counter {name:?}: {what}, and {handed_out} before. Nothing more is, or numbers would \
             come twice: put its store back as it was, or {cure}"
        ),
    )
}

/// What is said of a counter that is not there.
#[must_use]
pub fn unknown(name: &str) -> Error {
    Error::new(
        ErrorKind::CounterUnknown,
        format!(
            "the store has no counter {name:?}. That is no proof that none of its numbers is used: if it is new indeed, say so (saiban counter init, or \
             create=True); if it was lost, let it begin past all numbers that were used or are in hand (saiban counter init --at)"
        ),
    )
}
