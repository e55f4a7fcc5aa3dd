//! Numbers in hand: a block that is being handed out, and the next, which is fetched meanwhile.

use super::protocol::{self, Seen, Take, Taken};
use super::size::Size;
use super::terms::CounterTerms;
use crate::fetching::{Fetch, Fetches};
use crate::store::{Numbers, Store};
use crate::{Error, runtime};
use arc_swap::ArcSwap;
use saiban::counter::Block;
use saiban::{ErrorKind, process};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long to wait before a store that could not be asked is asked again: the first time, and at most.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LAST_PAUSE: Duration = Duration::from_secs(3);

/// What numbers are asked for with.
#[derive(Clone)]
pub(super) struct Wishes {
    pub(super) store: Arc<dyn Store>,
    pub(super) terms: CounterTerms,
    /// Whether the counter is made where it is not, as long as nothing was seen of it.
    pub(super) create: bool,
    pub(super) day: Option<i32>,
}

/// One process's numbers of a counter, or of one of its days.
pub(super) struct Desk {
    generation: u32,
    wishes: Wishes,
    size: Size,
    lot: ArcSwap<Lot>,
    state: Mutex<State>,
    changed: Condvar,
}

/// A block, since when it is handed out, and whether the next one was ordered.
struct Lot {
    numbers: Block,
    since: Instant,
    is_ordered: AtomicBool,
}

struct State {
    next: Option<Taken>,
    is_fetching: bool,
    /// How often fetching came to an end.
    fetched: u64,
    /// Why it came to nothing at last, where asking again would not help.
    failed: Option<Error>,
    /// What went wrong when the store was asked last, if anything did.
    why: Option<Error>,
    seen: Option<Seen>,
    size: u64,
    calls: u64,
}

/// What is known of numbers in hand.
#[derive(Clone, Debug)]
pub(super) struct InHand {
    pub(super) left: u64,
    pub(super) size: u64,
    pub(super) calls: u64,
    pub(super) why: Option<Error>,
}

impl Lot {
    fn of(taken: Option<&Taken>, step: i64) -> Arc<Self> {
        let (first, count) = taken.map_or((0, 0), |taken| (taken.first, taken.count));
        Arc::new(Lot {
            numbers: Block::new(first, step, count),
            since: Instant::now(),
            is_ordered: AtomicBool::new(false),
        })
    }

    /// Whether it is time, and this thread's turn, to order the next one. A single number is ordered when it is asked for: else one would
    /// always be in hand, and lost in the end.
    #[inline]
    fn is_due(&self) -> bool {
        !self.is_ordered.load(Ordering::Relaxed)
            && self.numbers.count() > 1
            && self.numbers.left() <= self.numbers.count() / 2
            && !self.is_ordered.swap(true, Ordering::Relaxed)
    }
}

impl Desk {
    /// With nothing in hand. `size` is what another desk of the counter has come to; `seen` what is known of these numbers.
    pub(super) fn new(wishes: Wishes, sizes: Size, size: Option<u64>, seen: Option<Seen>) -> Arc<Self> {
        let step = wishes.terms.stride().step();
        Arc::new(Desk {
            generation: process::watched_generation(),
            wishes,
            size: sizes,
            lot: ArcSwap::new(Lot::of(None, step)),
            state: Mutex::new(State {
                next: None,
                is_fetching: false,
                fetched: 0,
                failed: None,
                why: None,
                seen,
                size: size.unwrap_or(sizes.first()),
                calls: 0,
            }),
            changed: Condvar::new(),
        })
    }

    /// Whether this process is a copy of the one whose numbers these are.
    #[inline]
    pub(super) fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }

    /// What it knows of its numbers.
    pub(super) fn seen(&self) -> Option<Seen> {
        self.state().seen
    }

    pub(super) fn in_hand(&self) -> InHand {
        let left = self.lot.load().numbers.left();
        let state = self.state();
        let next = state.next.map_or(0, |next| next.count);
        InHand { left: left + next, size: state.size, calls: state.calls, why: state.why.clone() }
    }

    /// The next number of the block that is being handed out.
    #[inline]
    fn try_take(self: &Arc<Self>) -> Option<i64> {
        let lot = self.lot.load();
        let number = lot.numbers.take()?;
        if lot.is_due() {
            self.order();
        }
        Some(number)
    }

    /// The next number that is in hand; where there is none, more are fetched.
    pub(super) fn take_or_order(self: &Arc<Self>) -> Option<i64> {
        loop {
            let number = self.try_take();
            if number.is_some() {
                return number;
            }
            let is_begun = self.begin_next(&mut self.state());
            if !is_begun {
                self.order();
                return None;
            }
        }
    }

    /// Hands out the next block, if it is there and the one before is used up. Answers whether there are numbers now.
    fn begin_next(&self, state: &mut State) -> bool {
        let before = self.lot.load();
        if before.numbers.left() > 0 {
            return true;
        }
        let Some(next) = state.next.take() else { return false };
        if before.numbers.count() > 0 {
            state.size = self.size.next(before.numbers.count(), before.since.elapsed());
        }
        self.lot.store(Lot::of(Some(&next), self.wishes.terms.stride().step()));
        true
    }

    /// The next number, waited for at most so long.
    #[inline]
    pub(super) fn take(self: &Arc<Self>, wait: Duration) -> Result<i64, Error> {
        if let Some(number) = self.try_take() {
            return Ok(number);
        }
        let mut number = [0];
        self.fill_slowly(&mut number, wait)?;
        Ok(number[0])
    }

    /// Fills all of it, or answers how many there were before an error; an error where there was none.
    pub(super) fn fill(self: &Arc<Self>, numbers: &mut [i64], wait: Duration) -> Result<usize, Error> {
        let filled = self.try_fill(numbers);
        if filled == numbers.len() {
            return Ok(filled);
        }
        match self.fill_slowly(&mut numbers[filled..], wait) {
            Ok(more) => Ok(filled + more),
            Err(_) if filled > 0 => Ok(filled),
            Err(error) => Err(error),
        }
    }

    fn try_fill(self: &Arc<Self>, numbers: &mut [i64]) -> usize {
        let lot = self.lot.load();
        let filled = lot.numbers.fill(numbers);
        if filled > 0 && lot.is_due() {
            self.order();
        }
        filled
    }

    #[cold]
    fn fill_slowly(self: &Arc<Self>, numbers: &mut [i64], wait: Duration) -> Result<usize, Error> {
        let deadline = Instant::now() + wait;
        let mut filled = 0;
        while filled < numbers.len() {
            match self.wait_for_more((numbers.len() - filled) as u64, deadline, wait) {
                Ok(()) => filled += self.try_fill(&mut numbers[filled..]),
                Err(_) if filled > 0 => return Ok(filled),
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Waits until there are numbers in hand, though others may take them first.
    fn wait_for_more(self: &Arc<Self>, wanted: u64, deadline: Instant, wait: Duration) -> Result<(), Error> {
        let mut state = self.state();
        let mut seen_fetched = None;
        loop {
            if self.begin_next(&mut state) {
                return Ok(());
            }
            if !state.is_fetching {
                if let Some(error) =
                    state.failed.clone().filter(|_| seen_fetched.is_some_and(|seen| seen < state.fetched))
                {
                    return Err(error);
                }
                let size = self.size.of_wish(state.size, wanted);
                self.fetch(&mut state, size)?;
            }
            seen_fetched = seen_fetched.or(Some(state.fetched));
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(state.why.clone().unwrap_or_else(|| late(wait)));
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has the next block fetched in the background, unless that is being done.
    #[cold]
    fn order(self: &Arc<Self>) {
        let mut state = self.state();
        if state.is_fetching || state.next.is_some() {
            return;
        }
        let lot = self.lot.load();
        // By what the first half of it has shown.
        let used = lot.numbers.count() - lot.numbers.left();
        if used > 0 {
            state.size = self.size.next(used, lot.since.elapsed());
        }
        let size = state.size;
        // Without a thread to do it whoever needs the next number is told.
        let _ = self.fetch(&mut state, size);
    }

    fn fetch(self: &Arc<Self>, state: &mut State, count: u64) -> Result<(), Error> {
        let runtime = runtime::handle()?;
        state.is_fetching = true;
        state.failed = None;
        runtime.spawn(fetch(Arc::downgrade(self), count));
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fetches for Desk {
    fn abandon(&self, why: Error) {
        let mut state = self.state();
        state.calls += 1;
        state.why = Some(why.clone());
        state.failed = Some(why);
        state.is_fetching = false;
        state.fetched += 1;
        drop(state);
        self.changed.notify_all();
    }
}

/// Asks the store until it has answered, or nobody wants its numbers any more.
async fn fetch(desk: Weak<Desk>, count: u64) {
    let under_way = Fetch::of(desk.clone());
    let mut pause = FIRST_PAUSE;
    loop {
        let Some((wishes, seen)) = desk.upgrade().map(|desk| (desk.wishes.clone(), desk.state().seen)) else { return };
        let answer = ask(&wishes, count, seen).await;
        drop(wishes);
        let Some(desk) = desk.upgrade() else { return };
        let is_over = {
            let mut state = desk.state();
            state.calls += 1;
            state.why = answer.as_ref().err().cloned();
            match answer {
                Ok(taken) => {
                    state.seen = Some(Seen { incarnation: taken.incarnation, next: taken.next });
                    state.next = Some(taken);
                }
                Err(error) if error.kind() != ErrorKind::StoreUnavailable || error.is_permanent() => {
                    state.failed = Some(error);
                }
                Err(_) => {}
            }
            let is_over = state.next.is_some() || state.failed.is_some();
            if is_over {
                state.is_fetching = false;
                state.fetched += 1;
            }
            is_over
        };
        desk.changed.notify_all();
        if is_over {
            under_way.finish();
            return;
        }
        drop(desk);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LAST_PAUSE);
    }
}

async fn ask(Wishes { store, terms, create, day }: &Wishes, count: u64, seen: Option<Seen>) -> Result<Taken, Error> {
    let numbers = numbers_of(&**store)?;
    let wish = Take { count, day: *day, seen };
    let answer = match (numbers.take(terms, &wish).await, seen) {
        (Err(error), None) if *create && error.kind() == ErrorKind::CounterUnknown => {
            numbers.create_counter(terms, terms.stride().start()).await?;
            numbers.take(terms, &wish).await
        }
        (Err(error), Some(seen)) if error.kind() == ErrorKind::CounterUnknown => {
            Err(protocol::gone(terms, "it is not there any more", seen.next))
        }
        (answer, _) => answer,
    }?;
    // Whatever a store does, nothing is handed out twice here.
    let is_behind = seen.is_some_and(|seen| seen.incarnation == answer.incarnation && seen.next > answer.first);
    if is_behind {
        return Err(protocol::behind(
            terms,
            *day,
            &format!("it gave {} anew", answer.first),
            seen.map_or(0, |seen| seen.next),
        ));
    }
    Ok(answer)
}

/// What a store does for counters.
///
/// # Errors
/// `StoreUnsupported` for a kind of store that keeps none.
pub fn numbers_of(store: &dyn Store) -> Result<&dyn Numbers, Error> {
    store.numbers().ok_or_else(|| {
        Error::new(
            ErrorKind::StoreUnsupported,
            "counters are kept in sqlite:, postgres:, mysql:, redis: and memory: stores, and this is of another kind: it would be too slow for them",
        )
    })
}

fn late(wait: Duration) -> Error {
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the store has not answered within {} s (wait_s), and no numbers are in hand: see that it runs and can be reached from here",
            wait.as_secs()
        ),
    )
}
