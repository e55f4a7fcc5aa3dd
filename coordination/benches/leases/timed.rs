//! Measures the time and the round trips of one holder's requests.

use super::proxy;
use saiban::{Clock, Layout, Scheme, SystemClock};
use saiban_coordination::Error;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::protocol::{Acquire, LastSeen, Release, Renew};
use saiban_coordination::store::{Store, StoreUrl, open};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

const ROUNDS: usize = 300;
const COUNTED: u64 = 20;

/// A store and the terms of its only namespace.
pub struct Shop {
    pub runtime: Runtime,
    pub store: Arc<dyn Store>,
    pub terms: Terms,
}

impl Shop {
    pub fn open(url: &str, name: &str) -> Result<Self, Error> {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().expect("a runtime");
        let terms = Terms::new(name, Scheme::Snowflake, &Layout::TWITTER, None, 3_600)?;
        let store = {
            let _inside = runtime.enter();
            open(&StoreUrl::new(url)?)?
        };
        Ok(Shop { runtime, store, terms })
    }

    /// Acquires, renews and releases a lease, and returns the time of each request.
    fn round(&self, mut after: impl FnMut(usize)) -> Result<[Duration; 3], Error> {
        let (name, store) = (self.terms.name(), &self.store);
        let now_us = i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(i64::MAX);
        let request = Acquire {
            nodes: 1,
            ttl_us: 600_000_000,
            holder: "the bench".into(),
            token: now_us,
            clock_us: now_us,
            max_clock_skew_us: 10_000_000,
            seen: None,
        };
        let begun = Instant::now();
        let grant = self.runtime.block_on(store.acquire(name, self.terms.fingerprint(), &request))?;
        let acquired = begun.elapsed();
        after(0);
        let seen = LastSeen { incarnation: grant.incarnation, key: grant.key.clone(), end_us: grant.end_us };
        let begun = Instant::now();
        let grant = self.runtime.block_on(store.renew(name, &Renew { seen, ttl_us: 600_000_000 }))?;
        let renewed = begun.elapsed();
        after(1);
        let begun = Instant::now();
        let release = Release { key: grant.key, high_water_us: grant.now_us };
        self.runtime.block_on(store.release(name, &release))?;
        let released = begun.elapsed();
        after(2);
        Ok([acquired, renewed, released])
    }
}

/// Measures a row of the table. With `is_server`, it also counts round trips.
pub fn row(name: &str, url: &str, is_server: bool) -> Result<String, Error> {
    let shop = Shop::open(url, "timed")?;
    shop.runtime.block_on(shop.store.create(&shop.terms))?;
    let mut times: [Vec<Duration>; 3] = Default::default();
    for _ in 0..ROUNDS {
        for (times, time) in times.iter_mut().zip(shop.round(|_| ())?) {
            times.push(time);
        }
    }
    let [acquire, renew, release] = times.map(|mut times| {
        times.sort_unstable();
        format!("{} | {}", ms(share(&times, 50)), ms(share(&times, 99)))
    });
    let trips = if is_server { trips(url)? } else { "none".into() };
    Ok(format!("| {name} | {acquire} | {renew} | {release} | {trips} |"))
}

fn trips(url: &str) -> Result<String, Error> {
    let head = url.find('@').map_or_else(|| url.find("//").expect("a URL") + 2, |at| at + 1);
    let end = url[head..].find('/').map_or(url.len(), |end| head + end);
    let (address, counted) = proxy::before(&url[head..end]);
    let shop = Shop::open(&format!("{}{address}{}", &url[..head], &url[end..]), "timed")?;
    let (mut all, mut first, mut before) = ([0; 3], 0, 0);
    for round in 0..=COUNTED {
        shop.round(|request| {
            let now = counted.count();
            if round > 0 {
                all[request] += now - before;
            } else if request == 0 {
                first = now;
            }
            before = now;
        })?;
    }
    let [acquire, renew, release] = all.map(|all| all as f64 / COUNTED as f64);
    Ok(format!("{first}, {acquire:.0}, {renew:.0}, {release:.0}"))
}

/// Returns a percentile of sorted times.
pub fn share(sorted: &[Duration], percent: usize) -> Duration {
    sorted.get((sorted.len() * percent / 100).min(sorted.len().saturating_sub(1))).copied().unwrap_or_default()
}

pub fn ms(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1_000.0;
    if ms < 0.095 {
        format!("{ms:.3} ms")
    } else if ms < 9.95 {
        format!("{ms:.1} ms")
    } else {
        format!("{ms:.0} ms")
    }
}
