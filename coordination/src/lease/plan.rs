//! What a lease is acquired with, in each process anew.

use super::holder::Policy;
use super::keeper::{Keeper, News, Subject};
use crate::Error;
use crate::store::{self, Store, StoreUrl};
use saiban::{ErrorKind, process};
use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

/// The longest name of a holder, characters.
const LONGEST_HOLDER: usize = 120;

/// Where the lease comes from, and on what terms: what a copy made by fork needs to acquire one of its own.
pub(super) struct Plan {
    pub(super) store: Source,
    pub(super) subject: Subject,
    pub(super) policy: Policy,
    /// Who holds it; by default whichever process does.
    pub(super) holder: Option<String>,
    pub(super) wait: Duration,
}

pub(super) enum Source {
    /// Each process opens it for itself.
    Url(StoreUrl),
    /// Somebody's own, whose connections are one process's.
    Open(Arc<dyn Store>),
}

impl Plan {
    /// Keeps a lease, and waits for its first grant.
    pub(super) fn start(&self) -> Result<Keeper, Error> {
        let store = match &self.store {
            Source::Url(url) => shared(url)?,
            Source::Open(store) => Arc::clone(store),
        };
        let holder = shown(&self.holder.clone().unwrap_or_else(this_process));
        let keeper = Keeper::start(store, self.subject.clone(), Policy { holder, ..self.policy.clone() })?;
        let is_final = |why: &Error| why.kind() != ErrorKind::StoreUnavailable || why.is_permanent();
        let is_settled = |news: &News| news.grant.is_some() || news.why.as_ref().is_some_and(is_final);
        // A store that can be reached answers; one that cannot is waited for. A wrong password is not tried again: accounts may be locked.
        let news = keeper.wait(self.wait, is_settled);
        if news.grant.is_some() {
            return Ok(keeper);
        }
        keeper.stop();
        Err(news.why.unwrap_or_else(|| {
            Error::new(
                ErrorKind::StoreUnavailable,
                format!(
                    "the store has not answered within {} s (wait_s): see that it runs and can be reached from here",
                    self.wait.as_secs()
                ),
            )
        }))
    }
}

type Open = BTreeMap<String, Weak<dyn Store>>;

/// The stores that are open, by URL, and the process that has opened them.
static OPEN: Mutex<(u32, Open)> = Mutex::new((0, BTreeMap::new()));

/// The store at this URL, whose connections all leases of the process share; closed with the last of them.
fn shared(url: &StoreUrl) -> Result<Arc<dyn Store>, Error> {
    let key = url.key();
    let there = |open: &mut Open| open.get(&key).and_then(Weak::upgrade);
    if let Some(store) = with_open(there) {
        return Ok(store);
    }
    let store = store::open(url)?;
    Ok(with_open(|open| {
        // Somebody else may have been first.
        there(open).unwrap_or_else(|| {
            open.retain(|_, store| store.strong_count() > 0);
            open.insert(key.clone(), Arc::downgrade(&store));
            store
        })
    }))
}

fn with_open<T>(use_it: impl FnOnce(&mut Open) -> T) -> T {
    let generation = process::watched_generation();
    // A child finds the lock free.
    let _no_fork = process::no_fork();
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if open.0 != generation {
        // The parent's.
        mem::forget(mem::replace(&mut *open, (generation, BTreeMap::new())));
    }
    use_it(&mut open.1)
}

/// What a store can keep of it, and a terminal show: no control characters, and not more than anybody reads.
fn shown(holder: &str) -> String {
    holder.chars().filter(|character| !character.is_control()).take(LONGEST_HOLDER).collect()
}

/// Host and process id.
fn this_process() -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    format!("{host}/{}", std::process::id())
}
