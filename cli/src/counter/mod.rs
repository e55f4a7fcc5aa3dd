//! `saiban counter`: lists, creates and raises the counters of a store, and takes numbers from
//! them.

mod args;

pub(crate) use args::Arguments;

use crate::failure::Failure;
use crate::output::{self, Output};
use args::{Init, List, Next, Raise, Verb, Where};
use jiff::civil::Date;
use saiban::{ErrorKind, Stride};
use saiban_coordination::counter::protocol::Take;
use saiban_coordination::counter::{CounterRecord, CounterTerms, DailyFormat};
use saiban_coordination::store::{self, Numbers, Store, StoreUrl, sql};
use saiban_coordination::{Error, counter};
use serde_json::json;
use std::future::Future;
use std::sync::Arc;
use tokio::runtime::Builder;

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.verb {
        Verb::Ls(list) => ls(list),
        Verb::Init(init) => self::init(init),
        Verb::Raise(raise) => self::raise(raise),
        Verb::Next(next) => self::next(next),
    }
}

/// An open store of counters.
struct Place {
    url: StoreUrl,
    store: Arc<dyn Store>,
}

impl Place {
    fn of(arguments: &Where) -> Result<Self, Failure> {
        let url = StoreUrl::new(&url(arguments)?)?;
        if url.kind() == "memory" {
            return Err(Failure::Arguments(format!(
                "{url} is a store of one process, whose numbers begin again with each command: give a file \
                 (sqlite:///path), or a server"
            )));
        }
        crate::secret::warn_of_exposed(&url);
        let store = store::open(&url)?;
        counter::of_store(&*store)?;
        Ok(Place { url, store })
    }

    /// Runs an operation on the store, and returns its result. An error names the store.
    fn ask<'a, T, W: Future<Output = Result<T, Error>>>(
        &'a self,
        work: impl FnOnce(&'a dyn Numbers) -> W,
    ) -> Result<T, Failure> {
        let runtime = Builder::new_current_thread().enable_all().build().map_err(Failure::io("waiting for a store"))?;
        let says = |error| Failure::Store { store: Some(self.url.to_string()), error };
        let numbers = counter::of_store(&*self.store).map_err(says)?;
        runtime.block_on(work(numbers)).map_err(says)
    }

    fn record(&self, name: &str) -> Result<(CounterTerms, CounterRecord), Failure> {
        let record = self.ask(|numbers| numbers.counter(name))?.ok_or_else(|| self.says(counter::unknown(name)))?;
        let terms = CounterTerms::read(name, &record.fingerprint).ok_or_else(|| {
            let message = format!("the counter {name:?} counts {:?}, which saiban never writes", record.fingerprint);
            self.says(Error::new(ErrorKind::StoreCorrupt, message))
        })?;
        Ok((terms, record))
    }

    fn says(&self, error: Error) -> Failure {
        Failure::Store { store: Some(self.url.to_string()), error }
    }
}

fn url(arguments: &Where) -> Result<String, Failure> {
    let url = crate::lease::given(arguments.store.as_deref())?;
    url.ok_or_else(|| {
        Failure::Arguments(
            "no store is given: give --store, or set SAIBAN_STORE, for example to sqlite:///path/counters.db".into(),
        )
    })
}

fn ls(arguments: &List) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let counters = place.ask(Numbers::counters)?;
    let mut output = Output::stdout()?;
    if arguments.json {
        for (name, CounterRecord { fingerprint, next, .. }) in &counters {
            output.line(
                &json!({ "store": place.url.to_string(), "name": name, "counts": fingerprint, "next": next })
                    .to_string(),
            )?;
        }
        return output.finish();
    }
    let width = counters.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(4);
    output.line(&format!("{:width$}  {:>19}  COUNTS", "NAME", "NEXT"))?;
    for (name, CounterRecord { fingerprint, next, .. }) in &counters {
        let next = if fingerprint.starts_with("daily ") { "each day again".to_owned() } else { next.to_string() };
        output.line(&format!("{name:width$}  {next:>19}  {}", crate::lease::plain(fingerprint)))?;
    }
    output.finish()
}

fn init(arguments: &Init) -> Result<(), Failure> {
    if arguments.print_sql {
        let url = StoreUrl::new(&url(&arguments.place)?)?;
        let schema = sql::counter_schema(url.kind());
        return match schema {
            Some(schema) => output::print(schema.trim_end()),
            None => Err(Failure::Arguments(format!(
                "a store of the kind {} has no tables: leave --print-sql out",
                url.kind()
            ))),
        };
    }
    let terms = match &arguments.daily {
        Some(zone) => CounterTerms::daily(&arguments.name, arguments.start, counter::zone_name(zone)?.as_str())?,
        None => CounterTerms::new(&arguments.name, Stride::new(arguments.start, arguments.step)?)?,
    };
    let place = Place::of(&arguments.place)?;
    let next = arguments.at.unwrap_or(terms.stride().start());
    let is_new = place.ask(|numbers| numbers.counter(terms.name()))?.is_none();
    let record = place.ask(|numbers| numbers.create_counter(&terms, next))?;
    if let Some(at) = arguments.at.filter(|at| record.next < *at) {
        let message = format!(
            "the counter {:?} exists already, and its next number is {}: raise it (saiban counter raise --to {at})",
            terms.name(),
            record.next
        );
        return Err(place.says(Error::new(ErrorKind::InvalidArgument, message)));
    }
    let what = if is_new { "is made" } else { "existed, and is unchanged" };
    let next = if terms.is_daily() { String::new() } else { format!(", next {}", record.next) };
    output::report(&format!("{} {what}, in {}: {}{next}", terms.name(), place.url, terms.fingerprint()))
}

fn raise(arguments: &Raise) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let day = arguments.day.as_deref().map(day).transpose()?;
    let record = place.ask(|numbers| numbers.raise(&arguments.name, day, arguments.to))?;
    output::report(&format!("{}: next {}", arguments.name, record.next))
}

fn day(text: &str) -> Result<i32, Failure> {
    let date: Date =
        text.parse().map_err(|_| Failure::Arguments(format!("{text:?} is not a date: give one such as 2026-11-22")))?;
    Ok((date - Date::constant(1970, 1, 1)).get_days())
}

fn next(arguments: &Next) -> Result<(), Failure> {
    let place = Place::of(&arguments.place)?;
    let format = arguments.format.as_deref().map(DailyFormat::new).transpose()?;
    let (terms, _) = place.record(&arguments.name)?;
    let day = terms.zone().map(counter::today).transpose()?;
    if day.is_none() && format.is_some() {
        return Err(Failure::Arguments(format!(
            "the counter {:?} is not a daily counter, which --format is for: leave it out",
            arguments.name
        )));
    }
    let format = format.unwrap_or_default();
    let mut left = arguments.count;
    let mut output = Output::stdout()?;
    while left > 0 {
        let request = Take { count: left, day, seen: None };
        let taken = place.ask(|numbers| numbers.take(&terms, &request))?;
        for index in 0..taken.count {
            let number = taken.first + i64::try_from(index).unwrap_or(i64::MAX) * terms.stride().step();
            output.line(&day.map_or_else(|| number.to_string(), |day| format.text(day, number)))?;
        }
        left -= taken.count.min(left);
    }
    output.finish()
}
