//! IDs in hand: a block that is being handed out, and the next, which is fetched meanwhile.

use super::form::{Form, Width};
use super::options::Limits;
use super::service::{FIRST_PAUSE, LAST_PAUSE, Service, is_passing, late, too_old, would_wait};
use crate::fetching::{Fetch, Fetches};
use crate::{Error, runtime};
use arc_swap::ArcSwap;
use saiban::{Clock, SystemClock, process};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// For how long who does not wait is told why there is nothing, ns.
const NEWS_NS: u64 = 1_000_000_000;

/// One process's IDs of a scheme.
pub(super) struct Desk<I> {
    generation: u32,
    service: Service,
    form: Form,
    limits: Limits,
    lot: ArcSwap<Lot<I>>,
    state: Mutex<State<I>>,
    changed: Condvar,
    issued: AtomicU64,
    waits: AtomicU64,
}

/// A block, how much of it is taken, and until when it may be.
struct Lot<I> {
    ids: Box<[I]>,
    /// How many were asked for, which may be more than there are.
    taken: AtomicUsize,
    /// When it was asked for, and from when on it is too old, by the clock that nobody sets.
    asked_ns: u64,
    end_ns: u64,
    /// Whether the next one was ordered.
    is_ordered: AtomicBool,
}

struct State<I> {
    next: Option<Lot<I>>,
    is_fetching: bool,
    /// How often fetching came to an end.
    fetched: u64,
    /// Whether anybody wants what is being fetched, and does not only have it fetched ahead.
    is_wanted: bool,
    /// Why that came to nothing at last, and when, until somebody is told.
    failed: Option<(Error, u64)>,
    /// What went wrong when the service was asked last, if anything did.
    why: Option<Error>,
    calls: u64,
    dropped: u64,
}

/// What is known of IDs in hand.
#[derive(Clone, Debug)]
pub(super) struct InHand {
    pub(super) left: usize,
    pub(super) dropped: u64,
    pub(super) calls: u64,
    pub(super) why: Option<Error>,
}

/// The time since the machine was started, which goes on while it sleeps; where the system does not tell, since the program was.
fn now_ns() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    SystemClock.since_boot_ns().unwrap_or_else(|| u64::try_from(BEGAN.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

impl<I: Width> Lot<I> {
    fn new(ids: Box<[I]>, asked_ns: u64, max_age_ns: u64) -> Self {
        let end_ns = asked_ns.saturating_add(max_age_ns);
        Lot { ids, taken: AtomicUsize::new(0), asked_ns, end_ns, is_ordered: AtomicBool::new(false) }
    }

    /// How many are left, too old or not.
    fn left(&self) -> usize {
        self.ids.len().saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Whether any may be handed out at this time.
    fn is_good(&self, now_ns: u64) -> bool {
        now_ns < self.end_ns && self.left() > 0
    }

    /// The next ID, and the time.
    #[inline]
    fn take(&self) -> Option<(I, u64)> {
        // Who finds it empty asks for nothing, so that no number of asking wraps.
        if self.left() == 0 {
            return None;
        }
        let id = *self.ids.get(self.taken.fetch_add(1, Ordering::Relaxed))?;
        // Looked at when it is in hand: who slept before has none.
        let now_ns = now_ns();
        (now_ns < self.end_ns).then_some((id, now_ns))
    }

    /// Whether it is time, and this thread's turn, to order the next one: half of it, or of its time, is used up. A single ID is ordered when it is
    /// asked for: else one would always be in hand, and dropped.
    #[inline]
    fn is_due(&self, now_ns: u64) -> bool {
        let half_ns = self.asked_ns + (self.end_ns - self.asked_ns) / 2;
        !self.is_ordered.load(Ordering::Relaxed)
            && self.ids.len() > 1
            && (self.left() <= self.ids.len() / 2 || now_ns > half_ns)
            && !self.is_ordered.swap(true, Ordering::Relaxed)
    }
}

impl<I> Desk<I> {
    /// Whether this process is a copy of the one whose IDs these are.
    #[inline]
    pub(super) fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }
}

impl<I: Width> Desk<I> {
    /// With nothing in hand.
    pub(super) fn new(service: Service, form: Form, limits: Limits) -> Arc<Self> {
        Arc::new(Desk {
            generation: process::watched_generation(),
            service,
            form,
            limits,
            lot: ArcSwap::from_pointee(Lot::new(Box::default(), 0, 0)),
            state: Mutex::new(State {
                next: None,
                is_fetching: false,
                fetched: 0,
                is_wanted: false,
                failed: None,
                why: None,
                calls: 0,
                dropped: 0,
            }),
            changed: Condvar::new(),
            issued: AtomicU64::new(0),
            waits: AtomicU64::new(0),
        })
    }

    pub(super) fn in_hand(&self) -> InHand {
        let (now_ns, lot) = (now_ns(), self.lot.load());
        let left = if lot.is_good(now_ns) { lot.left() } else { 0 };
        let state = self.state();
        let next = state.next.as_ref().filter(|next| next.is_good(now_ns)).map_or(0, Lot::left);
        InHand { left: left + next, dropped: state.dropped, calls: state.calls, why: state.why.clone() }
    }

    /// How many IDs were handed out, and how often somebody waited for some.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.issued.load(Ordering::Relaxed), self.waits.load(Ordering::Relaxed))
    }

    /// Why there is none, as far as it is known.
    pub(super) fn why(&self) -> Option<Error> {
        self.state().why.clone()
    }

    /// The next ID of the block that is being handed out.
    #[inline]
    fn try_take(self: &Arc<Self>) -> Option<I> {
        let lot = self.lot.load();
        let (id, now_ns) = lot.take()?;
        self.issued.fetch_add(1, Ordering::Relaxed);
        if lot.is_due(now_ns) {
            self.order();
        }
        Some(id)
    }

    /// The next ID that is in hand; where there is none, more are fetched. What that came to nothing for is told once.
    pub(super) fn take_or_order(self: &Arc<Self>) -> Result<Option<I>, Error> {
        loop {
            let id = self.try_take();
            if id.is_some() {
                return Ok(id);
            }
            let mut state = self.state();
            if !self.begin_next(&mut state) {
                // What is news no more may be otherwise by now.
                let is_news = |at_ns: u64| now_ns().saturating_sub(at_ns) < NEWS_NS;
                if let Some((error, _)) = state.failed.take().filter(|(_, at_ns)| is_news(*at_ns)) {
                    return Err(error);
                }
                if !state.is_fetching {
                    self.fetch(&mut state)?;
                }
                state.is_wanted = true;
                return Ok(None);
            }
        }
    }

    /// Hands out the next block, if it is there and the one before is used up, or too old. Answers whether there are IDs now.
    fn begin_next(&self, state: &mut State<I>) -> bool {
        let now_ns = now_ns();
        let before = self.lot.load();
        if before.is_good(now_ns) {
            return true;
        }
        let Some(next) = state.next.take() else { return false };
        if !next.is_good(now_ns) {
            state.dropped += next.left() as u64;
            return false;
        }
        // Nobody is given one of those any more.
        state.dropped += before.left() as u64;
        self.lot.store(Arc::new(next));
        true
    }

    /// The next ID, waited for at most so long.
    #[inline]
    pub(super) fn take(self: &Arc<Self>, wait: Duration) -> Result<I, Error> {
        if let Some(id) = self.try_take() {
            return Ok(id);
        }
        let mut id = [I::default()];
        self.fill_slowly(&mut id, wait)?;
        Ok(id[0])
    }

    /// Fills all of it, waiting at most so long for each block, or answers how many there were before an error; an error where there was none.
    pub(super) fn fill(self: &Arc<Self>, ids: &mut [I], wait: Duration) -> Result<usize, Error> {
        let filled = self.try_fill(ids);
        if filled == ids.len() {
            return Ok(filled);
        }
        match self.fill_slowly(&mut ids[filled..], wait) {
            Ok(more) => Ok(filled + more),
            Err(_) if filled > 0 => Ok(filled),
            Err(error) => Err(error),
        }
    }

    fn try_fill(self: &Arc<Self>, ids: &mut [I]) -> usize {
        let mut filled = 0;
        while let Some(id) = (filled < ids.len()).then(|| self.try_take()).flatten() {
            ids[filled] = id;
            filled += 1;
        }
        filled
    }

    #[cold]
    fn fill_slowly(self: &Arc<Self>, ids: &mut [I], wait: Duration) -> Result<usize, Error> {
        let mut filled = 0;
        while filled < ids.len() {
            // Each block is waited for anew: a service that answers slowly does answer.
            let deadline = Instant::now() + wait;
            self.waits.fetch_add(1, Ordering::Relaxed);
            match self.wait_for_more(deadline, wait) {
                Ok(()) => filled += self.try_fill(&mut ids[filled..]),
                Err(_) if filled > 0 => return Ok(filled),
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }

    /// Waits until there are IDs in hand, though others may take them first.
    fn wait_for_more(self: &Arc<Self>, deadline: Instant, wait: Duration) -> Result<(), Error> {
        let mut state = self.state();
        let mut seen_fetched = None;
        loop {
            if self.begin_next(&mut state) {
                return Ok(());
            }
            if !state.is_fetching {
                let is_news = seen_fetched.is_some_and(|seen| seen < state.fetched);
                if let Some((error, _)) = state.failed.clone().filter(|_| is_news) {
                    return Err(error);
                }
                self.fetch(&mut state)?;
            }
            state.is_wanted = true;
            seen_fetched = seen_fetched.or(Some(state.fetched));
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(state.why.clone().unwrap_or_else(|| self.late(wait)));
            }
            state = self.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Has the next block fetched in the background, unless that is being done.
    #[cold]
    fn order(self: &Arc<Self>) {
        let mut state = self.state();
        if state.is_fetching || state.next.as_ref().is_some_and(|next| next.is_good(now_ns())) {
            return;
        }
        // Without a thread to do it whoever needs the next ID is told.
        let _ = self.fetch(&mut state);
    }

    fn fetch(self: &Arc<Self>, state: &mut State<I>) -> Result<(), Error> {
        let runtime = runtime::handle()?;
        if let Some(old) = state.next.take() {
            state.dropped += old.left() as u64;
        }
        state.is_fetching = true;
        state.is_wanted = false;
        state.failed = None;
        runtime.spawn(fetch(Arc::downgrade(self)));
        Ok(())
    }

    /// Why nobody waits any longer.
    fn late(&self, wait: Duration) -> Error {
        if wait < self.limits.wait { would_wait(wait) } else { late(wait) }
    }

    fn state(&self) -> MutexGuard<'_, State<I>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what the service has answered. Answers whether fetching is over: it is where no answer has come for as long as anybody waits, so that
    /// no service is asked for ever for IDs that nobody wants.
    fn note(&self, answer: Result<Lot<I>, Error>, is_late: bool) -> bool {
        let mut state = self.state();
        state.calls += 1;
        let answer = answer.and_then(|lot| {
            let now_ns = now_ns();
            if lot.is_good(now_ns) {
                return Ok(lot);
            }
            // Asked again at once, a service that is slow would be asked ever more.
            state.dropped += lot.left() as u64;
            Err(too_old(now_ns - lot.asked_ns, self.limits.max_age_ns))
        });
        state.why = answer.as_ref().err().cloned();
        let is_over = match answer {
            Ok(lot) => {
                state.next = Some(lot);
                true
            }
            Err(error) if is_late || !is_passing(&error) => {
                state.failed = Some((error, now_ns())).filter(|_| state.is_wanted);
                true
            }
            Err(_) => false,
        };
        if is_over {
            state.is_fetching = false;
            state.fetched += 1;
        }
        drop(state);
        self.changed.notify_all();
        is_over
    }
}

impl<I: Width> Fetches for Desk<I> {
    fn abandon(&self, why: Error) {
        let mut state = self.state();
        state.calls += 1;
        state.why = Some(why.clone());
        state.failed = Some((why, now_ns())).filter(|_| state.is_wanted);
        state.is_fetching = false;
        state.fetched += 1;
        drop(state);
        self.changed.notify_all();
    }
}

/// Asks the service until it has answered, or nobody wants its IDs any more.
async fn fetch<I: Width>(desk: Weak<Desk<I>>) {
    let under_way = Fetch::of(desk.clone());
    let began = Instant::now();
    let mut pause = FIRST_PAUSE;
    loop {
        // Whoever waits has the desk too; without an owner this is the last question.
        let Some(ours) = desk.upgrade() else { return };
        let asked_ns = now_ns();
        let answer = ours.service.ids(ours.limits.block, &ours.form).await;
        let answer = answer.map(|ids| Lot::new(ids, asked_ns, ours.limits.max_age_ns));
        if ours.note(answer, began.elapsed() + pause > ours.limits.wait) {
            under_way.finish();
            return;
        }
        drop(ours);
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(LAST_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreUrl;
    use saiban::ErrorKind;
    use std::net::TcpListener;
    use std::task::{Context, Waker};

    #[test]
    fn a_fetch_that_ends_without_an_answer_is_over() {
        // It accepts connections and never replies.
        let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("saiban://{}", silent.local_addr().expect("an address"));
        let url = StoreUrl::new(&url).expect("a URL");
        let form = Form { scheme: saiban::Scheme::Ulid, layout: None, bits: 128, fingerprint: String::new() };
        let limits = Limits { block: 10, max_age_ns: 1, wait: Duration::from_secs(60) };
        let service = Service::new(&url, "orders").expect("a service");
        let desk = Desk::<u128>::new(service, form, limits);
        desk.state().is_fetching = true;
        desk.state().is_wanted = true;
        // A panic drops the task in the middle of it too.
        let mut under_way = Box::pin(fetch(Arc::downgrade(&desk)));
        let runtime = runtime::handle().expect("a runtime");
        let _entered = runtime.enter();
        assert!(under_way.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        drop(under_way);
        let state = desk.state();
        assert!(!state.is_fetching, "the next caller begins another");
        let (why, _) = state.failed.as_ref().expect("the reason, for the caller that waits");
        assert_eq!((why.kind(), state.calls), (ErrorKind::Internal, 1), "{why}");
    }
}
