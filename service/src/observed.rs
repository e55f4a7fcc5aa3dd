//! State that the service keeps for the status page: rates, errors and listings.
//!
//! `observe` and `ops` record it, and `observe` reads it.

use crate::problem::Problem;
use saiban_coordination::store::Listing;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

/// The number of seconds over which rates are averaged.
const SPAN: usize = 10;

/// How long a listing is cached, so that many viewers cause few requests to the store.
const FRESH: Duration = Duration::from_secs(2);

/// The maximum number of namespaces of other programs that are remembered.
const MAX_NAMESPACES: usize = 64;

type Kept = BTreeMap<String, (Instant, Result<Listing, Problem>)>;

/// The recorded state.
#[derive(Default)]
pub(crate) struct Observed {
    /// The number of IDs that each scheme had issued, once a second, the newest last.
    samples: Mutex<BTreeMap<String, VecDeque<(Instant, u64)>>>,
    /// The last error of each scheme.
    failures: Mutex<BTreeMap<String, (SystemTime, Problem)>>,
    /// Namespaces from which other programs lease.
    namespaces: Mutex<BTreeSet<String>>,
    listings: Mutex<Kept>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Observed {
    /// Records that a scheme failed to generate IDs.
    pub(crate) fn failed(&self, scheme: &str, problem: &Problem) {
        locked(&self.failures).insert(scheme.to_owned(), (SystemTime::now(), problem.clone()));
    }

    /// Records that another program leases from this namespace.
    pub(crate) fn leased_from(&self, namespace: &str) {
        let mut known = locked(&self.namespaces);
        if known.len() < MAX_NAMESPACES && !known.contains(namespace) {
            known.insert(namespace.to_owned());
        }
    }

    /// Returns the namespaces from which other programs lease.
    pub(crate) fn namespaces(&self) -> BTreeSet<String> {
        locked(&self.namespaces).clone()
    }

    /// Returns the time and the reason of the scheme's last error.
    pub(crate) fn failure(&self, scheme: &str) -> Option<(SystemTime, Problem)> {
        locked(&self.failures).get(scheme).cloned()
    }

    /// Records how many IDs a scheme has issued so far. It is called once a second.
    pub(crate) fn issued(&self, scheme: &str, count: u64) {
        let mut samples = locked(&self.samples);
        let of = samples.entry(scheme.to_owned()).or_default();
        of.push_back((Instant::now(), count));
        if of.len() > SPAN + 1 {
            of.pop_front();
        }
    }

    /// Returns the rate of a scheme, in IDs per second. `count` is the number of IDs that it has
    /// issued so far.
    pub(crate) fn rate(&self, scheme: &str, count: u64) -> f64 {
        let samples = locked(&self.samples);
        let Some((began, before)) = samples.get(scheme).and_then(|of| of.front()) else { return 0.0 };
        let seconds = began.elapsed().as_secs_f64();
        if seconds > 0.0 { count.saturating_sub(*before) as f64 / seconds } else { 0.0 }
    }

    /// Returns the cached listing of this namespace, unless it is older than `FRESH`.
    pub(crate) fn listing(&self, namespace: &str) -> Option<Result<Listing, Problem>> {
        locked(&self.listings).get(namespace).filter(|(at, _)| at.elapsed() < FRESH).map(|(_, listing)| listing.clone())
    }

    /// Caches the response of the store.
    pub(crate) fn keep(&self, namespace: &str, listing: Result<Listing, Problem>) {
        locked(&self.listings).insert(namespace.to_owned(), (Instant::now(), listing));
    }
}
