//! Daily counters: their numbers restart each day.

use super::day::{Day, Zone};
use super::format::DailyFormat;
use super::protocol::LastSeen;
use super::shared::{CounterOptions, CounterStatus, Opening};
use super::supply::Supply;
use super::terms::CounterTerms;
use crate::Error;
use crate::pool::Pool;
use crate::store::{Source, Store, StoreUrl};
use arc_swap::ArcSwapOption;
use saiban::{AnyClock, Clock};
use std::fmt;
use std::mem;
use std::sync::Arc;

/// Options of a daily counter. Every option has a default.
///
/// ```
/// use saiban_coordination::DailyOptions;
/// let options = DailyOptions { zone: "Europe/Berlin".into(), ..DailyOptions::default() };
/// assert_eq!((options.format.as_str(), options.first), ("{date:%Y%m%d}-{n:06}", 1));
/// ```
#[derive(Clone, Debug)]
pub struct DailyOptions {
    /// The counter's name; by default `default`. See [`CounterOptions::name`].
    pub name: String,
    /// The time zone whose days the counter counts, by its IANA name; by default `UTC`.
    pub zone: String,
    /// The format of texts, a [`DailyFormat`]; by default [`DailyFormat::DEFAULT`].
    pub format: String,
    /// The first number of each day; by default 1.
    pub first: i64,
    /// See [`CounterOptions::block_size`].
    pub block_size: Option<i64>,
    /// See [`CounterOptions::max_block_size`].
    pub max_block_size: i64,
    /// See [`CounterOptions::create`].
    pub create: Option<bool>,
    /// See [`CounterOptions::wait_s`].
    pub wait_s: i64,
    /// See [`CounterOptions::gapless`].
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

/// A number of a daily counter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DailyNumber {
    /// The day, in days since 1970-01-01.
    pub day: i32,
    /// The number.
    pub number: i64,
    /// Day and number, in the counter's format.
    pub text: String,
}

impl fmt::Display for DailyNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A counter that restarts with each day of a time zone: `20261121-000001`.
///
/// No number of a day is handed out twice, as with a [`SharedCounter`](super::SharedCounter), whose
/// other promises hold too.
///
/// The day is that of the clock. If the clock goes back, the numbers of the earlier day continue.
/// Numbers that are prefetched when a day ends are not used.
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

/// Of how many days that it left a process keeps the state.
const DAYS_LEFT: usize = 8;

struct Today {
    day: Day,
    pool: Arc<Pool<Supply>>,
    /// The states of days that the process left, the last one first.
    left: Vec<(i32, LastSeen)>,
}

impl DailyCounter {
    /// Opens a daily counter in the store at this URL, as
    /// [`SharedCounter::open`](super::SharedCounter::open) does.
    ///
    /// # Errors
    /// Those of [`SharedCounter::open`](super::SharedCounter::open); `InvalidArgument` for an
    /// unknown time zone or an invalid format.
    pub fn open(url: &str, options: &DailyOptions) -> Result<Self, Error> {
        Self::of(Source::of(StoreUrl::new(url)?)?, options, AnyClock::default())
    }

    /// Opens a daily counter in a store that is already open, with this clock.
    ///
    /// A forked child cannot use that store: its calls return `Forked`.
    ///
    /// # Errors
    /// Those of [`DailyCounter::open`].
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

    /// Returns the next number of today. Waits for the store if no number is prefetched.
    ///
    /// # Errors
    /// Those of [`SharedCounter::generate`](super::SharedCounter::generate); `ClockUnavailable` if
    /// the clock cannot be read, or its time has no date.
    pub fn generate(&self) -> Result<DailyNumber, Error> {
        let today = self.today()?;
        Ok(self.number(&today, today.pool.take(self.opening.wait)?))
    }

    /// Returns the next number of today if it is prefetched. Otherwise starts a fetch and returns
    /// `None`. Never waits.
    ///
    /// # Errors
    /// Those of [`SharedCounter::try_generate`](super::SharedCounter::try_generate);
    /// `ClockUnavailable`.
    pub fn try_generate(&self) -> Result<Option<DailyNumber>, Error> {
        let today = self.today()?;
        Ok(today.pool.take_or_order()?.map(|number| self.number(&today, number)))
    }

    /// Returns the status of today's numbers in this process.
    ///
    /// # Errors
    /// Those of [`DailyCounter::try_generate`].
    pub fn status(&self) -> Result<CounterStatus, Error> {
        Ok(self.today()?.pool.status().into())
    }

    /// Returns the format of the texts.
    #[must_use]
    pub fn format(&self) -> &DailyFormat {
        &self.format
    }

    fn number(&self, today: &Today, number: i64) -> DailyNumber {
        let day = today.day.number;
        DailyNumber { day, number, text: self.format.text(day, number) }
    }

    /// Returns the numbers of the clock's current day, for this process.
    fn today(&self) -> Result<Arc<Today>, Error> {
        let now_ms = i64::try_from(self.clock.now_ns()? / 1_000_000).unwrap_or(i64::MAX);
        let is_it = |today: &Arc<Today>| today.day.lasts_ms.contains(&now_ms) && !today.pool.is_copy();
        loop {
            let before = self.today.load_full();
            if let Some(today) = before.as_ref().filter(|today| is_it(today)) {
                return Ok(Arc::clone(today));
            }
            let of_parent = before.as_ref().is_some_and(|today| today.pool.is_copy());
            let day = self.zone.day(now_ms)?;
            let left = before.as_ref().map(|today| today.leave()).unwrap_or_default();
            let before_pool = before.as_ref().map(|today| &*today.pool);
            let pool = self.opening.pool(Some(day.number), before_pool, known(&left, day.number));
            let after = pool.map(|pool| Arc::new(Today { day, pool, left }));
            // Another thread may have been first: then its pool stays.
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
    /// Returns the states of this day and of the days left before, for the day that comes next.
    fn leave(&self) -> Vec<(i32, LastSeen)> {
        // In a forked child, a lock that was held during the fork stays held.
        let seen = if self.pool.is_copy() { None } else { self.pool.supplier().known() };
        let mine = seen.map(|seen| (self.day.number, seen));
        let others = self.left.iter().copied().filter(|(day, _)| *day != self.day.number);
        mine.into_iter().chain(others).take(DAYS_LEFT).collect()
    }
}

/// Returns the known state of a day: the counter's incarnation, and the day's next number if the
/// process was in that day before.
fn known(left: &[(i32, LastSeen)], day: i32) -> Option<LastSeen> {
    let incarnation = left.first()?.1.incarnation;
    let next =
        left.iter().find(|(of, seen)| *of == day && seen.incarnation == incarnation).map_or(0, |(_, seen)| seen.next);
    Some(LastSeen { incarnation, next })
}

impl Drop for DailyCounter {
    fn drop(&mut self) {
        let today = self.today.load_full();
        if today.as_ref().is_some_and(|today| today.pool.is_copy()) {
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
