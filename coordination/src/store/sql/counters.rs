//! Counters in a SQL database: a row for each counter, and a row for each day of those that count
//! days.
//!
//! The general path is that of the leases: a transaction locks the counter's row, asks
//! [`crate::counter::protocol`], writes, and commits. Some databases also have a fast path: one
//! statement, and so one round trip, takes a block.

use super::SqlStore;
use super::failure::{self, Failure, Topic};
use super::holdings::{HeldNumbers, Holdings};
use super::rows::{corrupt, number, one, text};
use super::session::{Cell, Session, Value};
use crate::Error;
use crate::counter::protocol::{self, LastSeen, Take, Taken};
use crate::counter::{CounterRecord, CounterTerms};
use crate::store::calls::in_time;
use crate::store::errors::MEND_COUNTERS;
use crate::store::{Numbers, draw};
use async_trait::async_trait;
use saiban::ErrorKind;

/// The version of the tables that this program supports.
const VERSION: i64 = 1;

const COUNTER: &str = "name, version, fingerprint, incarnation, next";

/// Returns the answer and the new next number for a record.
type Decide<'a, T> = &'a (dyn Fn(&CounterRecord) -> Result<(T, i64), Error> + Sync);

impl SqlStore {
    fn explain_counter(&self, failure: Failure, name: &str) -> Error {
        let topic = Topic {
            missing: protocol::unknown(name),
            tables: "saiban_counters and saiban_counter_days",
            what: "counters",
            known: VERSION,
            mend: MEND_COUNTERS,
        };
        let error = failure::explain(failure, self.dialect.judge, &self.url, topic);
        // `File::missing` returns this kind for a path without a folder; here a counter is missing.
        if error.kind() == ErrorKind::NamespaceUnknown {
            return Error::new(ErrorKind::CounterUnknown, error.to_string());
        }
        error
    }

    /// Tries the fast path. Returns `None` to fall back to the general path.
    async fn take_quickly(
        &self,
        terms: &CounterTerms,
        request: &Take,
        seen: LastSeen,
    ) -> Result<Option<Taken>, Failure> {
        let Some(quick) = &self.dialect.quick_counter else { return Ok(None) };
        let step = terms.stride().step();
        let Some(grown) = i64::try_from(request.count).ok().and_then(|count| count.checked_mul(step)) else {
            return Ok(None);
        };
        let values: [Value<'_>; 6] = [
            grown.into(),
            terms.name().into(),
            terms.fingerprint().into(),
            seen.incarnation.into(),
            seen.next.into(),
            (i64::MAX - grown).into(),
        ];
        let rows = self.quick_rows(&quick(&values), &[]).await?.unwrap_or_default();
        let first = rows.iter().rev().find_map(|row| match row.as_slice() {
            [Cell::Number(first)] => Some(*first),
            _ => None,
        });
        let taken = first.map(|first| Taken {
            incarnation: seen.incarnation,
            first,
            count: request.count,
            next: first + grown,
        });
        if let Some(taken) = &taken {
            protocol::check_number(terms, taken.first)?;
        }
        Ok(taken)
    }

    /// Refuses a next number that a live process of this machine has already taken, by its mark.
    /// The caller has locked the store, or its file does not exist.
    fn check_taken(&self, terms: &CounterTerms, day: Option<i32>, next: i64) -> Result<(), Error> {
        let live = self.holdings.iter().flat_map(Holdings::live);
        let mut taken = live.flat_map(|held| held.numbers.into_iter().map(move |numbers| (held.process, numbers)));
        let is_past =
            |numbers: &HeldNumbers| numbers.counter == terms.name() && numbers.day == day && numbers.next > next;
        let Some((process, numbers)) = taken.find(|(_, numbers)| is_past(numbers)) else { return Ok(()) };
        let what = format!(
            "the file was deleted, replaced or restored from a backup while process {process} of this machine holds \
             prefetched numbers, and it would issue {next} next"
        );
        Err(protocol::behind(terms, day, &what, numbers.next))
    }

    /// Locks a counter, decides on its next number or on that of one of its days, and commits.
    async fn try_change<T: Send>(&self, name: &str, day: Option<i32>, decide: Decide<'_, T>) -> Result<T, Failure> {
        let lock = self.dialect.lock;
        let mut lent = self.sessions.start(false, self.dialect.begin, &[]).await?.0;
        let session = lent.session();
        let mut record = self.record(session, name, lock).await?.ok_or(Failure::Missing)?;
        let mut is_first = false;
        if let Some(day) = day {
            let there = day_of(session, name, day, lock).await?;
            is_first = there.is_none();
            record.next = there.unwrap_or(record.next);
        }
        let (answer, next) = match decide(&record) {
            Ok(decided) => decided,
            Err(error) => {
                lent.commit().await?;
                return Err(error.into());
            }
        };
        let (name, next, before) = (name.into(), next.into(), record.next.into());
        let changed = match day.map(i64::from) {
            Some(day) if is_first => {
                let sql = "INSERT INTO saiban_counter_days (counter, day, next) VALUES (?, ?, ?)";
                session.run(sql, &[name, day.into(), next]).await?
            }
            Some(day) => {
                let sql = "UPDATE saiban_counter_days SET next = ? WHERE counter = ? AND day = ? AND next = ?";
                session.run(sql, &[next, name, day.into(), before]).await?
            }
            None => {
                session
                    .run("UPDATE saiban_counters SET next = ? WHERE name = ? AND next = ?", &[next, name, before])
                    .await?
            }
        };
        one(changed)?;
        lent.commit().await?;
        Ok(answer)
    }

    async fn change<T: Send>(&self, name: &str, day: Option<i32>, decide: Decide<'_, T>) -> Result<T, Error> {
        let answer = self.retry(|| self.try_change(name, day, decide)).await;
        answer.map_err(|failure| self.explain_counter(failure, name))
    }

    async fn try_create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Failure> {
        // A deleted file is not created again while its holders live. The marks are read first:
        // after this check another process may create the file, and take something from it.
        let check = self.check_taken(terms, None, next);
        if self.is_file_missing() {
            check?;
        }
        let mut lent = self.begin_creating().await?;
        let found = match self.record(lent.session(), terms.name(), self.dialect.lock).await {
            Err(Failure::Missing) => {
                // Databases differ in what a failed statement does to its transaction, so begin a
                // new one.
                drop(lent);
                self.sessions.start(true, self.dialect.make_counters, &[]).await?.0.give_back().await;
                lent = self.begin_creating().await?;
                self.record(lent.session(), terms.name(), self.dialect.lock).await?
            }
            found => found?,
        };
        let record = if let Some(record) = found {
            record.check(terms)?;
            record
        } else {
            self.check_taken(terms, None, next)?;
            let record = CounterRecord { fingerprint: terms.fingerprint().into(), incarnation: draw()?, next };
            let sql = format!("INSERT INTO saiban_counters ({COUNTER}) VALUES (?, ?, ?, ?, ?)");
            let values: [Value<'_>; 5] = [
                terms.name().into(),
                VERSION.into(),
                terms.fingerprint().into(),
                record.incarnation.into(),
                next.into(),
            ];
            lent.session().run(&sql, &values).await?;
            record
        };
        lent.commit().await?;
        Ok(record)
    }

    async fn try_counter(&self, name: &str) -> Result<Option<CounterRecord>, Failure> {
        let mut lent = self.sessions.start(false, self.dialect.begin_reading, &[]).await?.0;
        let record = self.record(lent.session(), name, "").await?;
        lent.commit().await?;
        Ok(record)
    }

    async fn try_counters(&self) -> Result<Vec<(String, CounterRecord)>, Failure> {
        let mut lent = self.sessions.start(false, self.dialect.begin_reading, &[]).await?.0;
        let sql = format!("SELECT {COUNTER} FROM saiban_counters ORDER BY name");
        let rows = self.or_missing(lent.session().rows(&sql, &[]).await)?;
        lent.commit().await?;
        rows.iter().map(|row| Ok((text(row, 0, "name", "a row of saiban_counters")?, record(row)?))).collect()
    }

    /// Returns the counter's record, or `None` if it has no row.
    ///
    /// # Errors
    /// `Failure::Missing` if the tables do not exist.
    async fn record(
        &self,
        session: &mut dyn Session,
        name: &str,
        lock: &str,
    ) -> Result<Option<CounterRecord>, Failure> {
        let sql = format!("SELECT {COUNTER} FROM saiban_counters WHERE name = ?{lock}");
        let rows = self.or_missing(session.rows(&sql, &[name.into()]).await)?;
        rows.first().filter(|row| row.first() == Some(&Cell::Text(name.into()))).map(record).transpose()
    }
}

/// Returns the next number of a day, or `None` if no number of this day was taken.
async fn day_of(session: &mut dyn Session, name: &str, day: i32, lock: &str) -> Result<Option<i64>, Failure> {
    let sql = format!("SELECT next FROM saiban_counter_days WHERE counter = ? AND day = ?{lock}");
    let rows = session.rows(&sql, &[name.into(), i64::from(day).into()]).await?;
    let place = format!("the row of the day {day} of the counter {name:?} in saiban_counter_days");
    let next = rows.first().map(|row| number(row, 0, "next", &place)).transpose()?;
    next.map(|next| check_next(next, &place)).transpose()
}

fn record(row: &super::session::Row) -> Result<CounterRecord, Failure> {
    let name = text(row, 0, "name", "a row of saiban_counters")?;
    let place = format!("the row of the counter {name:?} in saiban_counters");
    let version = number(row, 1, "version", &place)?;
    if version > VERSION {
        return Err(Failure::Newer { place, version });
    }
    if version < 1 {
        return Err(corrupt(&place, format!("version is {version}")));
    }
    let next = check_next(number(row, 4, "next", &place)?, &place)?;
    Ok(CounterRecord {
        fingerprint: text(row, 2, "fingerprint", &place)?,
        incarnation: number(row, 3, "incarnation", &place)?,
        next,
    })
}

fn check_next(next: i64, place: &str) -> Result<i64, Failure> {
    if next >= 0 { Ok(next) } else { Err(corrupt(place, format!("next is {next}"))) }
}

#[async_trait]
impl Numbers for SqlStore {
    async fn create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error> {
        protocol::check_next(terms, next)?;
        let call = async {
            let answer = self.retry(|| self.try_create_counter(terms, next)).await;
            answer.map_err(|failure| self.explain_counter(failure, terms.name()))
        };
        in_time(&self.url, call).await
    }

    async fn take(&self, terms: &CounterTerms, request: &Take) -> Result<Taken, Error> {
        let call = async {
            if let (Some(seen), None) = (request.seen, request.day) {
                let quick = self.take_quickly(terms, request, seen).await;
                if let Some(taken) = quick.map_err(|failure| self.explain_counter(failure, terms.name()))? {
                    return Ok(taken);
                }
            }
            let decide = |record: &CounterRecord| {
                let taken = protocol::take(record, terms, request)?;
                // A process that knows the counter has sent its next number, and the protocol has
                // compared it.
                if request.seen.is_none() {
                    self.check_taken(terms, request.day, taken.first)?;
                }
                Ok((taken, taken.next))
            };
            self.change(terms.name(), request.day, &decide).await
        };
        let taken = in_time(&self.url, call).await?;
        if let Some(holdings) = &self.holdings {
            holdings.hold_numbers(terms.name(), request.day, taken.next);
        }
        Ok(taken)
    }

    async fn raise(&self, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error> {
        let decide = |record: &CounterRecord| {
            let raised = protocol::raise(record, name, day, next)?;
            let next = raised.next;
            Ok((raised, next))
        };
        in_time(&self.url, self.change(name, day, &decide)).await
    }

    async fn counter(&self, name: &str) -> Result<Option<CounterRecord>, Error> {
        let call = async {
            match self.try_counter(name).await {
                // Without a file or tables there are no counters.
                Err(Failure::Missing) => Ok(None),
                answer => answer.map_err(|failure| self.explain_counter(failure, name)),
            }
        };
        in_time(&self.url, call).await
    }

    async fn counters(&self) -> Result<Vec<(String, CounterRecord)>, Error> {
        let call = async {
            match self.try_counters().await {
                // Without a file or tables there are no counters.
                Err(Failure::Missing) => Ok(Vec::new()),
                answer => answer.map_err(|failure| self.explain_counter(failure, "")),
            }
        };
        in_time(&self.url, call).await
    }
}
