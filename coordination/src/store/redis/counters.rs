//! Counters in Redis: a second script (`counter.lua`), with the same conventions as that for
//! leases.

use super::{RedisStore, VERSION, key_of, number};
use crate::Error;
use crate::counter::protocol::{self, Take, Taken};
use crate::counter::{CounterRecord, CounterTerms};
use crate::store::calls::in_time;
use crate::store::errors::{MEND_COUNTERS, newer, not_as_written, refused};
use crate::store::{Numbers, StoreUrl, draw};
use async_trait::async_trait;
use redis::{Script, Value};
use saiban::ErrorKind;
use std::sync::LazyLock;

static SCRIPT: LazyLock<Script> = LazyLock::new(|| {
    Script::new(concat!(include_str!("numbers.lua"), include_str!("server.lua"), include_str!("counter.lua")))
});

fn corrupt(url: &StoreUrl, place: &str, what: &str) -> Error {
    not_as_written(url, place, what, MEND_COUNTERS)
}

/// Returns 100 steps of a counter. This is the least by which the counter advances for each second
/// of numbers that a server may have lost.
fn hundred(terms: &CounterTerms) -> String {
    number(terms.stride().step().saturating_mul(100))
}

/// The last part of a counter's key.
const KEY: &str = "counter";

impl RedisStore {
    /// Runs the script. Returns the outcome and the record, or `None` if there is no such counter.
    async fn ask_counter(&self, name: &str, arguments: &[String]) -> Result<Option<(String, CounterRecord)>, Error> {
        let mut call = SCRIPT.prepare_invoke();
        call.key(key_of(name, KEY)).key(key_of(name, "days")).arg(arguments);
        let strange = |what: &str| corrupt(&self.url, "the script's answer", what);
        let Value::Array(values) = self.call(name, &call).await? else { return Err(strange("it is no list")) };
        let texts: Vec<String> = values
            .into_iter()
            .map(|value| match value {
                Value::BulkString(bytes) => String::from_utf8(bytes).map_err(|_| strange("it is no text")),
                other => Err(strange(&format!("{other:?}"))),
            })
            .collect::<Result<_, _>>()?;
        let parse = |text: &str| text.parse::<i64>().map_err(|_| strange(&format!("{text:?} is no number")));
        match texts.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["unknown"] => Ok(None),
            ["young"] => Err(Error::new(
                ErrorKind::StoreUnavailable,
                format!(
                    "the store {} was just started, and may have lost numbers: try again in 3 seconds, when saiban \
                     skips them",
                    self.url
                ),
            )),
            ["nameless"] => Err(refused(
                &self.url,
                "its INFO shows no run_id, which identifies a server that may have lost numbers",
            )),
            ["corrupt", key, what] => Err(corrupt(&self.url, &format!("the key {key}"), what)),
            ["version", key, version] if version.parse().is_ok_and(|version: i64| version > VERSION) => {
                Err(newer(&self.url, &format!("the key {key}"), version, VERSION))
            }
            ["version", key, version] => {
                Err(corrupt(&self.url, &format!("the key {key}"), &format!("its version is {version:?}")))
            }
            [what, fingerprint, incarnation, next] => {
                let (fingerprint, incarnation, next) = (fingerprint.into(), parse(incarnation)?, parse(next)?);
                Ok(Some((what.into(), CounterRecord { fingerprint, incarnation, next })))
            }
            _ => Err(strange(&format!("{texts:?}"))),
        }
    }
}

#[async_trait]
impl Numbers for RedisStore {
    async fn create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error> {
        protocol::check_next(terms, next)?;
        let arguments = ["create".into(), terms.fingerprint().into(), number(draw()?), number(next)];
        let (_, record) =
            self.ask_counter(terms.name(), &arguments).await?.ok_or_else(|| protocol::unknown(terms.name()))?;
        record.check(terms)?;
        Ok(record)
    }

    async fn take(&self, terms: &CounterTerms, request: &Take) -> Result<Taken, Error> {
        let step = terms.stride().step();
        // Near the end of the range there are fewer numbers than the caller asks for.
        let there = i64::MAX / step;
        let mut count = i64::try_from(request.count).unwrap_or(i64::MAX).clamp(1, there);
        // The second try takes the numbers that are left. The third one is for a concurrent caller
        // that took some of those.
        for _ in 0..3 {
            let grown = count * step;
            let (incarnation, least) = request.seen.map_or((-1, 0), |seen| (seen.incarnation, seen.next));
            let arguments = [
                "take".into(),
                terms.fingerprint().into(),
                number(incarnation),
                number(grown),
                number(least),
                number(i64::MAX - grown),
                request.day.map(|day| day.to_string()).unwrap_or_default(),
                hundred(terms),
            ];
            let asked = self.ask_counter(terms.name(), &arguments).await?;
            let (what, record) = asked.ok_or_else(|| protocol::unknown(terms.name()))?;
            if what == "ok" {
                protocol::check_number(terms, record.next)?;
                let next = record.next + grown;
                let taken =
                    Taken { incarnation: record.incarnation, first: record.next, count: count.unsigned_abs(), next };
                return Ok(taken);
            }
            count = i64::try_from(protocol::take(&record, terms, request)?.count).unwrap_or(count);
        }
        Err(saiban::Error::CounterExhausted { step }.into())
    }

    async fn raise(&self, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error> {
        let day_text = day.map(|day| day.to_string()).unwrap_or_default();
        // A counter's terms never change, so they are still valid when the script raises the
        // number.
        let look = ["look".into(), day_text.clone()];
        let (_, record) = self.ask_counter(name, &look).await?.ok_or_else(|| protocol::unknown(name))?;
        let raised = protocol::raise(&record, name, day, next)?;
        let terms = CounterTerms::read(name, &record.fingerprint).ok_or_else(|| protocol::unknown(name))?;
        let arguments = ["raise".into(), day_text, number(raised.next), number(record.incarnation), hundred(&terms)];
        let (_, record) = self.ask_counter(name, &arguments).await?.ok_or_else(|| protocol::unknown(name))?;
        Ok(record)
    }

    async fn counter(&self, name: &str) -> Result<Option<CounterRecord>, Error> {
        Ok(self.ask_counter(name, &["look".into(), String::new()]).await?.map(|(_, record)| record))
    }

    async fn counters(&self) -> Result<Vec<(String, CounterRecord)>, Error> {
        let mut found = Vec::new();
        for name in self.counter_names().await? {
            // The counter may have been deleted since the scan.
            if let Some(record) = self.counter(&name).await? {
                found.push((name, record));
            }
        }
        Ok(found)
    }
}

impl RedisStore {
    /// Returns the names of all counters in this database. In a cluster: of those on this server.
    async fn counter_names(&self) -> Result<Vec<String>, Error> {
        let (before, after) = ("saiban:{", format!("}}:{KEY}"));
        let call = async {
            let (mut connection, _) = self.connections.of("").await?;
            let mut names = Vec::new();
            let mut cursor = 0_u64;
            loop {
                let mut scan = redis::cmd("SCAN");
                scan.arg(cursor).arg("MATCH").arg(format!("{before}*{after}")).arg("COUNT").arg(1_000);
                let (next, keys): (u64, Vec<String>) = scan.query_async(&mut connection).await?;
                names.extend(
                    keys.iter().filter_map(|key| Some(key.strip_prefix(before)?.strip_suffix(&*after)?.to_owned())),
                );
                cursor = next;
                if cursor == 0 {
                    return Ok(names);
                }
            }
        };
        let mut names = in_time(&self.url, async { call.await.map_err(|error| self.error_of(&error)) }).await?;
        names.sort();
        names.dedup();
        Ok(names)
    }
}
