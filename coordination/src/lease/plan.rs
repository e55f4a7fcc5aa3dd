//! What a lease is acquired with, in each process anew.

use super::holder::Policy;
use super::keeper::{Keeper, News, Subject};
use crate::Error;
use crate::store::Source;
use saiban::ErrorKind;
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

impl Plan {
    /// Keeps a lease, and waits for its first grant.
    pub(super) fn start(&self) -> Result<Keeper, Error> {
        let store = self.store.open()?;
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

/// What a store can keep of it, and a terminal show: no control characters, and not more than anybody reads.
fn shown(holder: &str) -> String {
    holder.chars().filter(|character| !character.is_control()).take(LONGEST_HOLDER).collect()
}

/// Host and process id.
fn this_process() -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    format!("{host}/{}", std::process::id())
}
