//! The parameters of a lease, with which each process acquires a lease of its own.

use super::holder::Policy;
use super::keeper::{Keeper, News, Subject};
use crate::Error;
use crate::store::Source;
use saiban::ErrorKind;
use std::time::Duration;

/// The maximum length of a holder's name, characters.
const LONGEST_HOLDER: usize = 120;

/// The source and the terms of a lease. A forked child acquires a lease of its own with them.
pub(super) struct Plan {
    pub(super) store: Source,
    pub(super) subject: Subject,
    pub(super) policy: Policy,
    /// The holder's name; by default host name and process id.
    pub(super) holder: Option<String>,
    pub(super) wait: Duration,
}

impl Plan {
    /// Starts the task that keeps the lease, and waits for the first grant.
    ///
    /// # Errors
    /// The store's error; `StoreUnavailable` if the store does not reply within `wait`.
    pub(super) fn start(&self) -> Result<Keeper, Error> {
        let store = self.store.open()?;
        let holder = shown(&self.holder.clone().unwrap_or_else(this_process));
        let keeper = Keeper::start(store, self.subject.clone(), Policy { holder, ..self.policy.clone() })?;
        let is_final = |why: &Error| why.kind() != ErrorKind::StoreUnavailable || why.is_permanent();
        let is_settled = |news: &News| news.grant.is_some() || news.why.as_ref().is_some_and(is_final);
        // Only a store that cannot be reached is waited for; every other error is final. A wrong
        // password is not retried, because servers may lock the account.
        let news = keeper.wait(self.wait, is_settled);
        if news.grant.is_some() {
            return Ok(keeper);
        }
        keeper.stop();
        Err(news.why.unwrap_or_else(|| {
            Error::new(
                ErrorKind::StoreUnavailable,
                format!(
                    "the store has not answered within {} s (wait_s): check that it runs and can be reached from here",
                    self.wait.as_secs()
                ),
            )
        }))
    }
}

/// Returns the holder's name as stores keep it: no control characters, at most 120 characters.
fn shown(holder: &str) -> String {
    holder.chars().filter(|character| !character.is_control()).take(LONGEST_HOLDER).collect()
}

/// Returns host name and process id, such as `web-1/4711`: the default name of a holder.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn this_process() -> String {
    format!("{}/{}", gethostname::gethostname().to_string_lossy(), std::process::id())
}

/// Returns the default name of a holder where there is neither a host name nor a process id.
#[cfg(target_family = "wasm")]
#[must_use]
pub fn this_process() -> String {
    "wasm".to_owned()
}
