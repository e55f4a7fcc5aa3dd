//! Numbers that begin anew each day.

use super::day::{Day, Zone};
use super::desk::Desk;
use super::format::DailyFormat;
use super::protocol::Seen;
use super::shared::{CounterOptions, CounterStatus, Opening};
use super::terms::CounterTerms;
use crate::Error;
use crate::store::{Source, Store, StoreUrl};
use arc_swap::ArcSwapOption;
use saiban::{AnyClock, Clock};
use std::fmt;
use std::mem;
use std::sync::Arc;

/// What one may choose of daily numbers. Everything has a default.
///
/// ```
/// use saiban_coordination::DailyOptions;
/// let options = DailyOptions { zone: "Europe/Berlin".into(), ..DailyOptions::default() };
/// assert_eq!((options.format.as_str(), options.first), ("{date:%Y%m%d}-{n:06}", 1));
/// ```
#[derive(Clone, Debug)]
pub struct DailyOptions {
    /// Its name; by default `default`. As [`CounterOptions::name`].
    pub name: String,
    /// The time zone whose days it counts, by its name in the IANA database; by default `UTC`.
    pub zone: String,
    /// What numbers look like, a [`DailyFormat`]; by default `20261121-000001`.
    pub format: String,
    /// Each day's first number; by default 1.
    pub first: i64,
    /// As [`CounterOptions::block_size`].
    pub block_size: Option<i64>,
    /// As [`CounterOptions::max_block_size`].
    pub max_block_size: i64,
    /// As [`CounterOptions::create`].
    pub create: Option<bool>,
    /// As [`CounterOptions::wait_s`].
    pub wait_s: i64,
    /// As [`CounterOptions::gapless`].
    pub gapless: bool,
}

impl Default for DailyOptions {
    fn default() -> Self {
        let CounterOptions { name, start, block_size, max_block_size, create, wait_s, gapless, .. } =
            CounterOptions::default();
        DailyOptions {
            name,
            zone: "UTC".into(),
            format: DailyFormat::DEFAULT.into(),
            first: start,
            block_size,
            max_block_size,
            create,
            wait_s,
            gapless,
        }
    }
}

/// A number of a day.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DailyNumber {
    /// The day, since 1970-01-01.
    pub day: i32,
    /// The number.
    pub number: i64,
    /// Both, in the counter's format.
    pub text: String,
}

impl fmt::Display for DailyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Numbers that begin anew with each day of a time zone, `20261121-000001`: each once, whoever asks, in all that a [`SharedCounter`](super::SharedCounter) promises.
///
/// The day is the clock's, also where that goes back: numbers of a day that was left go on where they were. What is in hand when a day ends is not used.
///
/// ```
/// use saiban_coordination::{DailyCounter, DailyOptions};
/// let daily = DailyCounter::open("memory:shop", &DailyOptions { name: "invoices".into(), ..DailyOptions::default() })?;
/// assert!(daily.generate()?.text.ends_with("-000001"));
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
pub struct DailyCounter {
    opening: Opening,
    zone: Zone,
    format: DailyFormat,
    clock: AnyClock,
    today: ArcSwapOption<Today>,
}

/// Of how many days that were left a process remembers what it knows of them.
const DAYS_LEFT: usize = 8;

struct Today {
    day: Day,
    desk: Arc<Desk>,
    /// The days that were left, the last one first.
    left: Vec<(i32, Seen)>,
}

impl DailyCounter {
    /// Daily numbers of the store that this URL names, as [`SharedCounter::open`](super::SharedCounter::open).
    ///
    /// # Errors
    /// As there, and `InvalidArgument` for a time zone or a format that cannot be.
    pub fn open(url: &str, options: &DailyOptions) -> Result<Self, Error> {
        Self::of(Source::of(StoreUrl::new(url)?)?, options, AnyClock::default())
    }

    /// The same in a store that is open already, and with a clock of one's own. A copy made by fork cannot use that store: `Forked`.
    ///
    /// # Errors
    /// As [`DailyCounter::open`].
    pub fn with_store(store: Arc<dyn Store>, clock: AnyClock, options: &DailyOptions) -> Result<Self, Error> {
        Self::of(Source::Open(store), options, clock)
    }

    fn of(source: Source, options: &DailyOptions, clock: AnyClock) -> Result<Self, Error> {
        let DailyOptions { name, zone, format, first, block_size, max_block_size, create, wait_s, gapless } =
            options.clone();
        let (zone, format) = (Zone::new(&zone)?, DailyFormat::new(&format)?);
        let terms = CounterTerms::daily(&name, first, zone.name())?;
        let rest = CounterOptions { block_size, max_block_size, create, wait_s, gapless, ..CounterOptions::default() };
        let opening = Opening::new(source, terms, &rest)?;
        Ok(DailyCounter { opening, zone, format, clock, today: ArcSwapOption::empty() })
    }

    /// The next number of today.
    ///
    /// # Errors
    /// As [`SharedCounter::generate`](super::SharedCounter::generate); `ClockUnavailable` where the clock has no date.
    pub fn generate(&self) -> Result<DailyNumber, Error> {
        let today = self.today()?;
        Ok(self.number(&today, today.desk.take(self.opening.wait)?))
    }

    /// The next number of today if it is in hand: it waits for nobody.
    ///
    /// # Errors
    /// As [`SharedCounter::try_generate`](super::SharedCounter::try_generate); `ClockUnavailable`.
    pub fn try_generate(&self) -> Result<Option<DailyNumber>, Error> {
        let today = self.today()?;
        Ok(today.desk.take_or_order().map(|number| self.number(&today, number)))
    }

    /// How it is doing in this process, of today.
    ///
    /// # Errors
    /// As [`DailyCounter::try_generate`].
    pub fn status(&self) -> Result<CounterStatus, Error> {
        Ok(self.today()?.desk.in_hand().into())
    }

    /// What numbers look like.
    #[must_use]
    pub fn format(&self) -> &DailyFormat {
        &self.format
    }

    fn number(&self, today: &Today, number: i64) -> DailyNumber {
        let day = today.day.number;
        DailyNumber { day, number, text: self.format.text(day, number) }
    }

    /// The numbers of the day that the clock shows.
    fn today(&self) -> Result<Arc<Today>, Error> {
        let now_ms = i64::try_from(self.clock.now_ns()? / 1_000_000).unwrap_or(i64::MAX);
        let is_it = |today: &Arc<Today>| today.day.lasts_ms.contains(&now_ms) && !today.desk.is_copy();
        loop {
            let before = self.today.load_full();
            if let Some(today) = before.as_ref().filter(|today| is_it(today)) {
                return Ok(Arc::clone(today));
            }
            let of_parent = before.as_ref().is_some_and(|today| today.desk.is_copy());
            let day = self.zone.day(now_ms)?;
            let left = before.as_ref().map(|today| today.leave()).unwrap_or_default();
            let desk = self.opening.desk(
                Some(day.number),
                before.as_ref().map(|today| &*today.desk),
                known(&left, day.number),
            );
            let after = desk.map(|desk| Arc::new(Today { day, desk, left }));
            // Others may have been first: theirs is taken.
            let found = after.map(|after| self.today.compare_and_swap(&before, Some(after)));
            if of_parent {
                mem::forget(before);
                found.map(arc_swap::Guard::into_inner).map(mem::forget)?;
            } else {
                found?;
            }
        }
    }
}

impl Today {
    /// What is known of it and of days before it, by who leaves it.
    fn leave(&self) -> Vec<(i32, Seen)> {
        // A lock that was held when the process was copied stays so.
        let seen = if self.desk.is_copy() { None } else { self.desk.seen() };
        let mine = seen.map(|seen| (self.day.number, seen));
        let others = self.left.iter().copied().filter(|(day, _)| *day != self.day.number);
        mine.into_iter().chain(others).take(DAYS_LEFT).collect()
    }
}

/// What is known of a day: which counter it is of, and its numbers, if it is one that was left.
fn known(left: &[(i32, Seen)], day: i32) -> Option<Seen> {
    let incarnation = left.first()?.1.incarnation;
    let next =
        left.iter().find(|(of, seen)| *of == day && seen.incarnation == incarnation).map_or(0, |(_, seen)| seen.next);
    Some(Seen { incarnation, next })
}

impl Drop for DailyCounter {
    fn drop(&mut self) {
        let today = self.today.load_full();
        if today.as_ref().is_some_and(|today| today.desk.is_copy()) {
            // Its connections are the parent's.
            mem::forget(today);
        }
    }
}

impl fmt::Debug for DailyCounter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms = &self.opening.terms;
        f.debug_struct("DailyCounter")
            .field("name", &terms.name())
            .field("counts", &terms.fingerprint())
            .finish_non_exhaustive()
    }
}
