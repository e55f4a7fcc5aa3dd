//! The rules by which a store hands out numbers, as pure functions.
//!
//! A store must read, decide and write atomically. It replies once the write is durable.

use super::terms::{CounterRecord, CounterTerms};
use crate::Error;
use saiban::ErrorKind;

/// A request for numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Take {
    /// How many numbers, at least 1.
    pub count: u64,
    /// The day of a daily counter, in days since 1970-01-01.
    pub day: Option<i32>,
    /// What the process knows of the counter, or of that day.
    pub seen: Option<LastSeen>,
}

/// The last state of a counter that a process knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastSeen {
    /// The counter's incarnation.
    pub incarnation: i64,
    /// The next number: none before it may be handed out again.
    pub next: i64,
}

/// Numbers that no other process gets: the first, and how many, in the counter's steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The counter's incarnation.
    pub incarnation: i64,
    /// The first number.
    pub first: i64,
    /// How many numbers: fewer than requested only at the very end.
    pub count: u64,
    /// The store's next number.
    pub next: i64,
}

/// Decides which numbers are handed out. The store then sets the record's `next` to that of the
/// result.
///
/// # Errors
/// `CounterMismatch` if the counter counts something else; `CounterBehind` if the store lost
/// numbers; `StoreCorrupt` if the record's next number is not one of the counter's;
/// `CounterExhausted`.
pub fn take(record: &CounterRecord, terms: &CounterTerms, request: &Take) -> Result<Taken, Error> {
    record.check(terms)?;
    check_seen(record, terms, request)?;
    check_number(terms, record.next)?;
    let (step, next) = (terms.stride().step(), record.next);
    // The store's next number must fit into `i64` too, so the very last number stays unused.
    let there = (i64::MAX - next.max(0)) / step;
    let count = i64::try_from(request.count.max(1)).unwrap_or(i64::MAX).min(there);
    if count == 0 {
        return Err(saiban::Error::CounterExhausted { step }.into());
    }
    let taken =
        Taken { incarnation: record.incarnation, first: next, count: count.unsigned_abs(), next: next + count * step };
    Ok(taken)
}

/// Checks that a store hands out no number again.
///
/// # Errors
/// `CounterBehind` if the counter was created again, or its next number is less than the process
/// knows.
pub fn check_seen(record: &CounterRecord, terms: &CounterTerms, request: &Take) -> Result<(), Error> {
    match request.seen {
        Some(seen) if seen.incarnation != record.incarnation => {
            Err(gone(terms, "it was deleted and made again", seen.next))
        }
        Some(seen) if seen.next > record.next => {
            Err(behind(terms, request.day, &format!("its next number is {}", record.next), seen.next))
        }
        _ => Ok(()),
    }
}

/// Returns a counter's record after raising its next number to at least `next`, if it is less. The
/// store then writes the result's `next`.
///
/// # Errors
/// - `StoreCorrupt` for a record that saiban did not write.
/// - `InvalidArgument` for a number that the counter does not have.
/// - `InvalidArgument` for a daily counter without a day, and for any other counter with one.
pub fn raise(record: &CounterRecord, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error> {
    let terms = CounterTerms::read(name, &record.fingerprint).ok_or_else(|| {
        Error::new(
            ErrorKind::StoreCorrupt,
            format!("the counter {name:?} counts {:?}, which saiban never writes", record.fingerprint),
        )
    })?;
    if terms.is_daily() != day.is_some() {
        let what =
            if terms.is_daily() { "is a daily counter: give the day" } else { "is not a daily counter: give no day" };
        return Err(Error::new(ErrorKind::InvalidArgument, format!("the counter {name:?} {what}")));
    }
    check_next(&terms, next)?;
    if next < record.next {
        check_number(&terms, record.next)?;
    }
    Ok(CounterRecord { next: next.max(record.next), ..record.clone() })
}

/// Checks that a store's next number is one of the counter's. Other numbers may belong to a counter
/// in another store.
///
/// # Errors
/// `StoreCorrupt` if it is not.
pub fn check_number(terms: &CounterTerms, next: i64) -> Result<(), Error> {
    if terms.stride().index(next).is_some() {
        return Ok(());
    }
    let (name, fingerprint) = (terms.name(), terms.fingerprint());
    Err(Error::new(
        ErrorKind::StoreCorrupt,
        format!(
            "the counter {name:?} is at {next}, which is not one of its numbers ({fingerprint}): its record was \
             changed. Raise it to one of them, past {next} and past all numbers that were used or prefetched (saiban \
             counter raise)"
        ),
    ))
}

/// Checks that a counter can begin with this number.
///
/// # Errors
/// `InvalidArgument` for a number that the counter does not have.
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
            "a counter from {start} by {step} cannot begin with {next}: give one of its numbers, such as {below}{above}"
        ),
    ))
}

/// Returns the error for a counter that lost numbers which the store handed out.
pub(crate) fn behind(terms: &CounterTerms, day: Option<i32>, what: &str, next: i64) -> Error {
    let day = day.map_or_else(String::new, |day| format!(" --day {}", super::format::date(day)));
    forgotten(
        terms,
        what,
        next,
        &format!(
            "raise it past all numbers that were used or prefetched, two blocks a program (saiban counter raise{day})"
        ),
    )
}

/// Returns the error for a counter that was deleted, and perhaps created again.
pub(crate) fn gone(terms: &CounterTerms, what: &str, next: i64) -> Error {
    let cure = "initialise it past all numbers that were used or prefetched, two blocks a program (saiban counter \
                init --at), and restart the programs";
    forgotten(terms, what, next, cure)
}

fn forgotten(terms: &CounterTerms, what: &str, next: i64, cure: &str) -> Error {
    let (name, last) = (terms.name(), next.saturating_sub(terms.stride().step()));
    let handed_out =
        if next > terms.stride().start() { format!("{last} was handed out") } else { "numbers were handed out".into() };
    Error::new(
        ErrorKind::CounterBehind,
        format!(
            "the store has lost numbers of the counter {name:?}: {what}, and {handed_out} before. No more numbers \
             are issued, because they could repeat: restore the latest state of its store, or {cure}"
        ),
    )
}

/// Returns the error for a counter that the store does not have.
#[must_use]
pub fn unknown(name: &str) -> Error {
    Error::new(
        ErrorKind::CounterUnknown,
        format!(
            "the store has no counter {name:?}. Its numbers may have been used before: if the counter is new, create \
             it (saiban counter init, or create=True); if it was lost, initialise it past all numbers that were used \
             or prefetched (saiban counter init --at)"
        ),
    )
}
