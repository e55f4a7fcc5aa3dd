//! The pool of one process. It hands out one block while a task prefetches the next.

use super::retry::{FIRST_PAUSE, LAST_PAUSE, is_passing};
use super::{Block, Item, Size, Supplier};
use crate::{Error, runtime};
use arc_swap::ArcSwap;
use saiban::{ErrorKind, process as processes};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// How long after a failed fetch [`Pool::take_or_order`] returns its error.
const NEWS: Duration = Duration::from_secs(1);

/// The pool of one process.
pub(crate) struct Pool<S: Supplier> {
    generation: u32,
    supplier: S,
    sizes: Size,
    current: ArcSwap<Current<S::Block>>,
    state: Mutex<State<S::Block>>,
    changed: Condvar,
    issued: AtomicU64,
    waits: AtomicU64,
}

/// The block that is being handed out.
struct Current<B> {
    block: B,
    since: Instant,
    is_next_ordered: AtomicBool,
}

struct State<B> {
    next: Option<B>,
    is_fetching: bool,
    /// How many fetches have ended.
    fetched: u64,
    /// Whether a caller needs the block that is being fetched; otherwise it is only prefetched.
    is_wanted: bool,
    /// Why the last fetch failed, and when. The time is `None` once a caller got the error.
    failed: Option<(Error, Option<Instant>)>,
    /// The error of the last request to the server, if it failed.
    why: Option<Error>,
    size: u64,
    calls: u64,
    /// How many calls there were when the last fetch began.
    calls_before: u64,
    dropped: u64,
}

/// The status of a pool.
#[derive(Clone, Debug)]
pub(crate) struct PoolStatus {
    /// How many items are prefetched.
    pub(crate) left: u64,
    /// How many items the next fetch requests.
    pub(crate) size: u64,
    pub(crate) calls: u64,
    /// How many items expired unused.
    pub(crate) dropped: u64,
    /// The error of the last request to the server, if it failed.
    pub(crate) why: Option<Error>,
}

impl<B: Block> Current<B> {
    fn new(block: B) -> Arc<Self> {
        Arc::new(Current { block, since: Instant::now(), is_next_ordered: AtomicBool::new(false) })
    }

    /// Returns whether the next block is due, and this thread is the one to order it.
    #[inline]
    fn orders_next(&self, shown: B::Shown) -> bool {
        !self.is_next_ordered.load(Ordering::Relaxed)
            && self.block.is_due(shown)
            && !self.is_next_ordered.swap(true, Ordering::Relaxed)
    }
}

impl<S: Supplier> Pool<S> {
    /// Creates a pool without items. `size` is the size of the first block, if it is known.
    pub(crate) fn new(supplier: S, sizes: Size, size: Option<u64>) -> Arc<Self> {
        Arc::new(Pool {
            generation: processes::watched_generation(),
            current: ArcSwap::new(Current::new(supplier.empty())),
            supplier,
            sizes,
            state: Mutex::new(State {
                next: None,
                is_fetching: false,
                fetched: 0,
                is_wanted: false,
                failed: None,
                why: None,
                size: size.unwrap_or(sizes.first()),
                calls: 0,
                calls_before: 0,
                dropped: 0,
            }),
            changed: Condvar::new(),
            issued: AtomicU64::new(0),
            waits: AtomicU64::new(0),
        })
    }

    /// Returns whether this process is a forked child of the pool's process.
    #[inline]
    pub(crate) fn is_copy(&self) -> bool {
        self.generation != processes::generation()
    }

    pub(crate) fn supplier(&self) -> &S {
        &self.supplier
    }

    pub(crate) fn status(&self) -> PoolStatus {
        let usable = |block: &S::Block| if block.is_usable() { block.left() } else { 0 };
        let current = usable(&self.current.load().block);
        let state = self.state();
        let next = state.next.as_ref().map_or(0, usable);
        PoolStatus {
            left: current + next,
            size: state.size,
            calls: state.calls,
            dropped: state.dropped,
            why: state.why.clone(),
        }
    }

    /// Returns how many items were handed out, and how often a caller waited for some.
    pub(crate) fn counts(&self) -> (u64, u64) {
        (self.issued.load(Ordering::Relaxed), self.waits.load(Ordering::Relaxed))
    }

    /// Returns the next item if it is prefetched. Otherwise starts a fetch and returns `None`. The
    /// error of a failed fetch is returned once.
    pub(crate) fn take_or_order(self: &Arc<Self>) -> Result<Option<Item<S>>, Error> {
        loop {
            let item = self.try_take();
            if item.is_some() {
                return Ok(item);
            }
            let mut state = self.state();
            if !self.begin_next(&mut state) {
                // The cause of an older failure may be gone by now.
                if let Some((error, Some(at))) = state.failed.take()
                    && at.elapsed() < NEWS
                {
                    return Err(error);
                }
                if !state.is_fetching {
                    let size = state.size;
                    self.fetch(&mut state, size)?;
                }
                state.is_wanted = true;
                return Ok(None);
            }
        }
    }

    /// Returns the next item. Waits for it for at most `wait`.
    #[inline]
    pub(crate) fn take(self: &Arc<Self>, wait: Duration) -> Result<Item<S>, Error> {
        if let Some(item) = self.try_take() {
            return Ok(item);
        }
        let mut item = [Item::<S>::default()];
        self.fill_slowly(&mut item, wait)?;
        Ok(item[0])
    }

    /// Fills the buffer, waiting for each block for at most `wait`. Returns the number of items
    /// before an error, or the error if there were none.
    pub(crate) fn fill(self: &Arc<Self>, items: &mut [Item<S>], wait: Duration) -> Result<usize, Error> {
        let filled = self.try_fill(items);
        if filled == items.len() {
            return Ok(filled);
        }
        match self.fill_slowly(&mut items[filled..], wait) {
            Ok(more) => Ok(filled + more),
            Err(_) if filled > 0 => Ok(filled),
            Err(error) => Err(error),
        }
    }

    /// Returns the next item of the current block.
    #[inline]
    fn try_take(self: &Arc<Self>) -> Option<Item<S>> {
        let current = self.current.load();
        let (item, shown) = current.block.take()?;
        self.handed_out(1);
        if current.orders_next(shown) {
            self.prefetch();
        }
        Some(item)
    }

    fn try_fill(self: &Arc<Self>, items: &mut [Item<S>]) -> usize {
        let current = self.current.load();
        let Some((filled, shown)) = current.block.fill(items) else { return 0 };
        self.handed_out(filled as u64);
        if current.orders_next(shown) {
            self.prefetch();
        }
        filled
    }

    #[inline]
    fn handed_out(&self, count: u64) {
        if S::Block::IS_COUNTED {
            self.issued.fetch_add(count, Ordering::Relaxed);
        }
    }

    #[cold]
    fn fill_slowly(self: &Arc<Self>, items: &mut [Item<S>], wait: Duration) -> Result<usize, Error> {
        let mut filled = 0;
        while filled < items.len() {
            self.waits.fetch_add(1, Ordering::Relaxed);
            match self.wait_for_block((items.len() - filled) as u64, wait) {
                Ok(()) => filled += self.try_fill(&mut items[filled..]),
                Err(_) if filled > 0 => return Ok(filled),
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Waits until there are items, though other threads may take them first.
    fn wait_for_block(self: &Arc<Self>, wanted: u64, wait: Duration) -> Result<(), Error> {
        let deadline = Instant::now() + wait;
        let mut state = self.state();
        let mut fetched_before = None;
        loop {
            if self.begin_next(&mut state) {
                return Ok(());
            }
            if !state.is_fetching {
                let is_of_this_wait = fetched_before.is_some_and(|before| before < state.fetched);
                if let Some((error, untold)) = state.failed.as_mut().filter(|_| is_of_this_wait) {
                    *untold = None;
                    return Err(error.clone());
                }
                let size = self.sizes.of_request(state.size, wanted);
                self.fetch(&mut state, size)?;
            }
            state.is_wanted = true;
            fetched_before = fetched_before.or(Some(state.fetched));
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // The cause of an older fetch's error may be gone by now.
                let why = state.why.clone().filter(|_| state.calls > state.calls_before);
                return Err(why.unwrap_or_else(|| self.supplier.late(wait)));
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Makes the next block the current one, if it is there and the current one is used up. Returns
    /// whether there are items now.
    fn begin_next(&self, state: &mut State<S::Block>) -> bool {
        let before = self.current.load();
        if before.block.is_usable() {
            return true;
        }
        let Some(next) = state.next.take() else { return false };
        if !next.is_usable() {
            state.dropped += next.left();
            return false;
        }
        // Items that are left here have expired: none of them is handed out any more.
        state.dropped += before.block.left();
        if before.block.count() > 0 {
            state.size = self.sizes.next(before.block.count(), before.since.elapsed());
        }
        self.current.store(Current::new(next));
        true
    }

    /// Fetches the next block in the background, unless a fetch is under way or a block is there.
    #[cold]
    fn prefetch(self: &Arc<Self>) {
        let mut state = self.state();
        if state.is_fetching || state.next.as_ref().is_some_and(Block::is_usable) {
            return;
        }
        let current = self.current.load();
        // Adapt the size to how fast the first half of the block was used.
        let used = current.block.count() - current.block.left();
        if used > 0 {
            state.size = self.sizes.next(used, current.since.elapsed());
        }
        let size = state.size;
        // If no thread can be started, the caller that needs the next item gets the error.
        let _ = self.fetch(&mut state, size);
    }

    fn fetch(self: &Arc<Self>, state: &mut State<S::Block>, count: u64) -> Result<(), Error> {
        let runtime = runtime::handle()?;
        if let Some(expired) = state.next.take() {
            state.dropped += expired.left();
        }
        state.is_fetching = true;
        state.is_wanted = false;
        state.failed = None;
        state.calls_before = state.calls;
        runtime.spawn(fetch_block(Arc::downgrade(self), count));
        Ok(())
    }

    /// Records the reply to a request. Returns whether the fetch is over.
    ///
    /// A fetch is also over when it has taken as long as any caller waits. Otherwise the server
    /// would get requests for ever for items that no caller needs.
    fn note(&self, answer: Result<S::Block, Error>, is_late: bool) -> bool {
        let mut state = self.state();
        state.calls += 1;
        let answer = answer.and_then(|block| {
            if block.is_usable() {
                return Ok(block);
            }
            // An error, so that the next request waits for a pause: requests at once would slow
            // down a slow server further.
            state.dropped += block.left();
            Err(self.supplier.expired(&block))
        });
        state.why = answer.as_ref().err().cloned();
        match answer {
            Ok(block) => state.next = Some(block),
            Err(error) if is_late || !is_passing(&error) => {
                state.failed = Some((error, Some(Instant::now()))).filter(|_| state.is_wanted);
            }
            Err(_) => {
                drop(state);
                self.changed.notify_all();
                return false;
            }
        }
        self.end_fetch(state);
        true
    }

    /// Records that the current fetch ended without a reply.
    fn abandon(&self, why: Error) {
        let mut state = self.state();
        state.calls += 1;
        state.why = Some(why.clone());
        state.failed = Some((why, Some(Instant::now()))).filter(|_| state.is_wanted);
        self.end_fetch(state);
    }

    fn end_fetch(&self, mut state: MutexGuard<'_, State<S::Block>>) {
        state.is_fetching = false;
        state.fetched += 1;
        drop(state);
        self.changed.notify_all();
    }

    fn state(&self) -> MutexGuard<'_, State<S::Block>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Fetches a block with retries, until the fetch is over or the pool has no owner.
async fn fetch_block<S: Supplier>(pool: Weak<Pool<S>>, count: u64) {
    let under_way = Fetch::of(pool.clone());
    let began = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        // Waiting callers own the pool too. Once there is no owner, no further request is sent.
        let Some(ours) = pool.upgrade() else { return };
        let answer = ours.supplier.fetch(count).await;
        if ours.note(answer, began.elapsed() + pause > ours.supplier.wait()) {
            under_way.finish();
            return;
        }
        drop(ours);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LAST_PAUSE);
    }
}

/// A guard for the current fetch of a pool.
///
/// If it is dropped before [`Fetch::finish`], it abandons the fetch. Otherwise the pool would wait
/// for the fetch for ever, and no caller would start another.
struct Fetch<S: Supplier> {
    pool: Weak<Pool<S>>,
    is_finished: bool,
}

impl<S: Supplier> Fetch<S> {
    fn of(pool: Weak<Pool<S>>) -> Self {
        Fetch { pool, is_finished: false }
    }

    /// Disarms the guard: the pool has recorded the reply.
    fn finish(mut self) {
        self.is_finished = true;
    }
}

impl<S: Supplier> Drop for Fetch<S> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::task::{Context, Waker};

    /// A server that never replies.
    struct Silent;

    struct Nothing;

    impl Block for Nothing {
        type Item = i64;
        type Shown = ();
        const IS_COUNTED: bool = false;

        fn take(&self) -> Option<(i64, ())> {
            None
        }

        fn count(&self) -> u64 {
            0
        }

        fn left(&self) -> u64 {
            0
        }

        fn is_due(&self, (): ()) -> bool {
            false
        }
    }

    impl Supplier for Silent {
        type Block = Nothing;

        fn empty(&self) -> Nothing {
            Nothing
        }

        fn fetch(&self, _: u64) -> impl Future<Output = Result<Nothing, Error>> + Send {
            std::future::pending()
        }

        fn wait(&self) -> Duration {
            Duration::from_secs(60)
        }

        fn expired(&self, _: &Nothing) -> Error {
            Error::new(ErrorKind::StoreUnavailable, "expired")
        }

        fn late(&self, _: Duration) -> Error {
            Error::new(ErrorKind::StoreUnavailable, "late")
        }
    }

    #[test]
    fn a_dropped_fetch_is_no_longer_in_progress() {
        let pool = Pool::new(Silent, Size::Fixed(10), None);
        pool.state().is_fetching = true;
        pool.state().is_wanted = true;
        // The future is dropped halfway, as by a panic in the task.
        let mut under_way = Box::pin(fetch_block(Arc::downgrade(&pool), 10));
        assert!(under_way.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(under_way);
        let state = pool.state();
        assert!(!state.is_fetching, "the next caller begins another");
        let (why, _) = state.failed.as_ref().expect("the reason, for the caller that waits");
        assert_eq!((why.kind(), state.calls), (ErrorKind::Internal, 1), "{why}");
    }

    #[test]
    fn a_caller_that_waited_gets_an_error_of_this_fetch_and_not_of_an_older_one() {
        let pool = Pool::new(Silent, Size::Fixed(10), None);
        let fail = |why| pool.note(Err(Error::new(ErrorKind::StoreUnavailable, why)), false);
        let wait = || pool.take(Duration::ZERO).expect_err("no block comes").to_string();
        fail("an older fetch");
        assert_eq!(wait(), "late");
        fail("this fetch");
        assert_eq!(wait(), "this fetch");
    }
}
