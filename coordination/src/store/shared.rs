//! Stores that a process has open, which all that use them share.

use super::{Store, StoreUrl, open};
use crate::Error;
use saiban::process;
use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Where a store comes from.
pub(crate) enum Source {
    /// Each process opens it for itself.
    Url(StoreUrl),
    /// Somebody's own, whose connections are one process's.
    Open(Arc<dyn Store>),
}

impl Source {
    /// What this URL names. What is in memory a copy made by fork has a copy of, which hands out the same once more: so that is as if it were somebody's own.
    pub(crate) fn of(url: StoreUrl) -> Result<Self, Error> {
        Ok(if url.kind() == "memory" { Source::Open(open(&url)?) } else { Source::Url(url) })
    }

    /// The store, in this process.
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>, Error> {
        match self {
            Source::Url(url) => shared(url),
            Source::Open(store) => Ok(Arc::clone(store)),
        }
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
    let store = open(url)?;
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
