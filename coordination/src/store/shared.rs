//! The open stores of a process, which all its leases, counters and generators share.

use super::{Store, StoreUrl, open};
use crate::Error;
use crate::per_process::PerProcess;
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

/// How to get a store.
pub(crate) enum Source {
    /// By URL. Each process opens the store for itself.
    Url(StoreUrl),
    /// A store that the caller has opened. Its connections belong to one process, so a forked child
    /// cannot use it.
    Open(Arc<dyn Store>),
}

impl Source {
    /// Returns the source for a URL.
    ///
    /// A memory store counts as opened by the caller: a forked child has a copy of the
    /// memory, and would hand out the same IDs.
    pub(crate) fn of(url: StoreUrl) -> Result<Self, Error> {
        Ok(if url.kind() == "memory" { Source::Open(open(&url)?) } else { Source::Url(url) })
    }

    /// Returns the store, opened in this process.
    pub(crate) fn open(&self) -> Result<Arc<dyn Store>, Error> {
        match self {
            Source::Url(url) => shared(url),
            Source::Open(store) => Ok(Arc::clone(store)),
        }
    }
}

type Open = BTreeMap<String, Weak<dyn Store>>;

/// The open stores, by URL.
static OPEN: PerProcess<Open> = PerProcess::new(BTreeMap::new());

/// Returns the store at this URL. All users in the process share it, and it closes when the last
/// one drops it.
fn shared(url: &StoreUrl) -> Result<Arc<dyn Store>, Error> {
    let key = url.key();
    let there = |open: &mut Open| open.get(&key).and_then(Weak::upgrade);
    if let Some(store) = OPEN.with(there) {
        return Ok(store);
    }
    let store = open(url)?;
    Ok(OPEN.with(|open| {
        // Another thread may have opened the store since the first check.
        there(open).unwrap_or_else(|| {
            open.retain(|_, store| store.strong_count() > 0);
            open.insert(key.clone(), Arc::downgrade(&store));
            store
        })
    }))
}
