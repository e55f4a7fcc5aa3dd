//! The source of a remote generator's IDs: blocks from a service, which expire.

use super::form::{Form, Width};
use super::options::Limits;
use super::service::{Service, late, too_old, would_wait};
use crate::Error;
use crate::pool::{Block, Supplier};
use saiban::{Clock, SystemClock};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The IDs of a service's scheme.
pub(super) struct Supply<I> {
    service: Service,
    form: Form,
    limits: Limits,
    ids: std::marker::PhantomData<fn() -> I>,
}

impl<I> Supply<I> {
    pub(super) fn new(service: Service, form: Form, limits: Limits) -> Self {
        Supply { service, form, limits, ids: std::marker::PhantomData }
    }
}

/// A block of IDs, with the number of IDs taken, and the time until which they may be taken.
pub(super) struct IdBlock<I> {
    ids: Box<[I]>,
    /// How many IDs were requested from the block, which may be more than it has.
    taken: AtomicUsize,
    /// When the service was asked for the IDs, and when they expire, by a clock that is never set.
    asked_ns: u64,
    end_ns: u64,
}

/// Returns the time since the machine started, which includes sleep, in nanoseconds. If the system
/// has no such clock, returns the time since the first call.
fn now_ns() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    SystemClock.since_boot_ns().unwrap_or_else(|| u64::try_from(BEGAN.elapsed().as_nanos()).unwrap_or(u64::MAX))
}

impl<I> IdBlock<I> {
    fn new(ids: Box<[I]>, asked_ns: u64, max_age_ns: u64) -> Self {
        IdBlock { ids, taken: AtomicUsize::new(0), asked_ns, end_ns: asked_ns.saturating_add(max_age_ns) }
    }

    fn left_len(&self) -> usize {
        self.ids.len().saturating_sub(self.taken.load(Ordering::Relaxed))
    }
}

impl<I: Width> Block for IdBlock<I> {
    type Item = I;
    type Shown = u64;
    const IS_COUNTED: bool = true;

    #[inline]
    fn take(&self) -> Option<(I, u64)> {
        // A thread that finds the block empty takes nothing, so `taken` never overflows.
        if self.left_len() == 0 {
            return None;
        }
        let id = *self.ids.get(self.taken.fetch_add(1, Ordering::Relaxed))?;
        // Read after the ID is taken: a thread that slept in between must not return an expired ID.
        let now_ns = now_ns();
        (now_ns < self.end_ns).then_some((id, now_ns))
    }

    fn count(&self) -> u64 {
        self.ids.len() as u64
    }

    fn left(&self) -> u64 {
        self.left_len() as u64
    }

    fn is_usable(&self) -> bool {
        self.left_len() > 0 && now_ns() < self.end_ns
    }

    /// Returns whether half of the IDs, or of their time, is used up.
    #[inline]
    fn is_due(&self, now_ns: u64) -> bool {
        let half_ns = self.asked_ns + (self.end_ns - self.asked_ns) / 2;
        self.ids.len() > 1 && (self.left_len() <= self.ids.len() / 2 || now_ns > half_ns)
    }
}

impl<I: Width> Supplier for Supply<I> {
    type Block = IdBlock<I>;

    fn empty(&self) -> IdBlock<I> {
        IdBlock::new(Box::default(), 0, 0)
    }

    async fn fetch(&self, count: u64) -> Result<IdBlock<I>, Error> {
        let asked_ns = now_ns();
        let ids = self.service.ids(count, &self.form).await?;
        Ok(IdBlock::new(ids, asked_ns, self.limits.max_age_ns))
    }

    fn wait(&self) -> Duration {
        self.limits.wait
    }

    fn expired(&self, block: &IdBlock<I>) -> Error {
        too_old(now_ns().saturating_sub(block.asked_ns), self.limits.max_age_ns)
    }

    fn late(&self, wait: Duration) -> Error {
        if wait < self.limits.wait { would_wait(wait) } else { late(wait) }
    }
}
