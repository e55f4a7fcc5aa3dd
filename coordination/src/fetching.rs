//! A fetch of a block in the background, which is over however its task ends.

use crate::Error;
use saiban::ErrorKind;
use std::sync::Weak;

/// A pool for which blocks are fetched, one at a time.
pub(crate) trait Fetches {
    /// Notes that the fetch under way ended without an answer, for this reason, and wakes the
    /// threads that wait for it.
    fn abandon(&self, why: Error);
}

/// The fetch under way for a pool. Dropped before [`Fetch::finish`], it is abandoned: else the pool
/// would wait for it for ever, and no caller would begin another.
pub(crate) struct Fetch<P: Fetches> {
    pool: Weak<P>,
    is_finished: bool,
}

impl<P: Fetches> Fetch<P> {
    pub(crate) fn of(pool: Weak<P>) -> Self {
        Fetch { pool, is_finished: false }
    }

    /// Ends it: the pool has noted the answer.
    pub(crate) fn finish(mut self) {
        self.is_finished = true;
    }
}

impl<P: Fetches> Drop for Fetch<P> {
    fn drop(&mut self) {
        if let Some(pool) = self.pool.upgrade().filter(|_| !self.is_finished) {
            pool.abandon(Error::new(
                ErrorKind::Internal,
                "the task that fetches the next block panicked: a defect of saiban, or of the store's client. The panic's message is \
                 on stderr: please report it. The next call fetches again",
            ));
        }
    }
}
