//! The source of a counter's numbers: blocks that a store hands out.

use super::protocol::{self, LastSeen, Take, Taken};
use super::terms::CounterTerms;
use crate::Error;
use crate::pool::{Block, Supplier};
use crate::store::{Numbers, Store};
use saiban::ErrorKind;
use saiban::counter::Block as NumberBlock;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// The numbers of a counter, or of one of its days, in a store.
pub(super) struct Supply {
    pub(super) store: Arc<dyn Store>,
    pub(super) terms: CounterTerms,
    /// Whether to create a missing counter, as long as `known` is `None`.
    pub(super) create: bool,
    pub(super) day: Option<i32>,
    pub(super) wait: Duration,
    /// The last known state of the numbers: what the store reported last.
    pub(super) known: Mutex<Option<LastSeen>>,
}

impl Supply {
    /// Returns the last known state of the numbers.
    pub(super) fn known(&self) -> Option<LastSeen> {
        *self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Block for NumberBlock {
    type Item = i64;
    type Shown = ();
    const IS_COUNTED: bool = false;

    #[inline]
    fn take(&self) -> Option<(i64, ())> {
        self.take().map(|number| (number, ()))
    }

    fn fill(&self, numbers: &mut [i64]) -> Option<(usize, ())> {
        Some(self.fill(numbers)).filter(|filled| *filled > 0).map(|filled| (filled, ()))
    }

    fn count(&self) -> u64 {
        self.count()
    }

    fn left(&self) -> u64 {
        self.left()
    }

    #[inline]
    fn is_due(&self, (): ()) -> bool {
        self.count() > 1 && self.left() <= self.count() / 2
    }
}

impl Supplier for Supply {
    type Block = NumberBlock;

    fn empty(&self) -> NumberBlock {
        NumberBlock::new(0, self.terms.stride().step(), 0)
    }

    async fn fetch(&self, count: u64) -> Result<NumberBlock, Error> {
        let taken = ask(self, count, self.known()).await?;
        let known = LastSeen { incarnation: taken.incarnation, next: taken.next };
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        Ok(NumberBlock::new(taken.first, self.terms.stride().step(), taken.count))
    }

    fn wait(&self) -> Duration {
        self.wait
    }

    fn expired(&self, _: &NumberBlock) -> Error {
        Error::new(
            ErrorKind::StoreCorrupt,
            "the store returned an empty block: check what changed the counter's record",
        )
    }

    fn late(&self, wait: Duration) -> Error {
        Error::new(
            ErrorKind::StoreUnavailable,
            format!(
                "the store has not answered within {} s (wait_s), and no numbers are prefetched: check that it runs \
                 and can be reached from here",
                wait.as_secs()
            ),
        )
    }
}

async fn ask(supply: &Supply, count: u64, seen: Option<LastSeen>) -> Result<Taken, Error> {
    let Supply { store, terms, create, day, .. } = supply;
    let numbers = numbers_of(&**store)?;
    let request = Take { count, day: *day, seen };
    let answer = match (numbers.take(terms, &request).await, seen) {
        (Err(error), None) if *create && error.kind() == ErrorKind::CounterUnknown => {
            numbers.create_counter(terms, terms.stride().start()).await?;
            numbers.take(terms, &request).await
        }
        (Err(error), Some(seen)) if error.kind() == ErrorKind::CounterUnknown => {
            Err(protocol::gone(terms, "it no longer exists", seen.next))
        }
        (answer, _) => answer,
    }?;
    // Checked here too, so that even a faulty store makes no process hand out a number twice.
    let is_behind = seen.is_some_and(|seen| seen.incarnation == answer.incarnation && seen.next > answer.first);
    if is_behind {
        return Err(protocol::behind(
            terms,
            *day,
            &format!("it gave {} again", answer.first),
            seen.map_or(0, |seen| seen.next),
        ));
    }
    Ok(answer)
}

/// Returns the store's counters.
///
/// # Errors
/// `StoreUnsupported` for a kind of store without counters.
pub fn numbers_of(store: &dyn Store) -> Result<&dyn Numbers, Error> {
    store.numbers().ok_or_else(|| {
        Error::new(
            ErrorKind::StoreUnsupported,
            "counters are kept in sqlite:, postgres:, mysql:, redis: and memory: stores, and this is of another \
             kind: it would be too slow for them",
        )
    })
}
