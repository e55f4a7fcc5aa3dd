//! Keeps a lease for a command that reports to nobody which times it uses. [`Holder`] decides what
//! to do next, and this file does it.

use super::bounds::clock_us;
use saiban::{Clock, Entropy, ErrorKind, OsEntropy, SystemClock};
use saiban_coordination::Error;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::holder::{Act, Event, Holder, Moment, Policy, State};
use saiban_coordination::lease::protocol::{Acquire, Grant};
use saiban_coordination::store::Store;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{oneshot, watch};
use tokio::task::JoinHandle;

/// How long to try to reach the store for the first grant, µs.
const WAIT_US: i64 = 10_000_000;

/// The longest sleep between two reads of the time. Timers stand still while the machine sleeps.
const LONGEST_NAP: Duration = Duration::from_secs(1);

/// The store, the terms and the policy of a lease.
pub(super) struct Plan {
    pub(super) store: Arc<dyn Store>,
    pub(super) terms: Terms,
    pub(super) policy: Policy,
    /// Whether to create the namespace if it does not exist.
    pub(super) create: bool,
}

/// The current state of a lease.
#[derive(Clone, Default)]
pub(super) struct News {
    /// The grant with its current end. After the end of the lease, the last grant.
    pub(super) grant: Option<Grant>,
    /// Whether the lease was lost or has expired.
    pub(super) is_over: bool,
    /// The error of the last request to the store, if it failed.
    pub(super) why: Option<Error>,
}

/// A lease that a background task keeps.
pub(super) struct Keeper {
    news: watch::Receiver<News>,
    stop: oneshot::Sender<bool>,
    task: JoinHandle<Result<(), Error>>,
}

impl Keeper {
    pub(super) fn start(plan: Plan) -> Self {
        let (board, news) = watch::channel(News::default());
        let (stop, stopped) = oneshot::channel();
        let holder = Holder::new(plan.policy.clone());
        let mut task = Task { plan, holder, board, stopped, is_used: true, began: Instant::now(), began_us: 0 };
        task.began_us = task.at_us();
        Keeper { news, stop, task: tokio::spawn(task.keep()) }
    }

    /// Waits for a grant; returns `None` if there will be none.
    pub(super) async fn granted(&mut self) -> Option<Grant> {
        let news = self.news.wait_for(|news| news.grant.is_some() || news.is_over).await;
        news.ok().and_then(|news| news.grant.clone())
    }

    /// Waits until the lease is lost or has expired.
    pub(super) async fn over(&mut self) {
        // An error means that the task has ended, and so nothing keeps the lease.
        let _ = self.news.wait_for(|news| news.is_over).await;
    }

    pub(super) fn news(&self) -> News {
        self.news.borrow().clone()
    }

    /// Ends the task and releases the nodes. `is_used` is true if the command may have made IDs.
    ///
    /// # Errors
    /// Why there was no lease, or why the release failed.
    pub(super) async fn stop(self, is_used: bool) -> Result<(), Error> {
        // An error means that the task has already ended.
        let _ = self.stop.send(is_used);
        self.task.await.unwrap_or_else(|error| Err(Error::new(ErrorKind::Internal, error.to_string())))
    }
}

struct Task {
    plan: Plan,
    holder: Holder,
    board: watch::Sender<News>,
    stopped: oneshot::Receiver<bool>,
    is_used: bool,
    began: Instant,
    began_us: i64,
}

impl Task {
    async fn keep(mut self) -> Result<(), Error> {
        let mut act = self.on(Event::Start);
        loop {
            self.report(&act);
            let event = match act {
                Act::Rest => return Ok(()),
                Act::Wait(until_us) => {
                    if let Some(error) = self.refusal() {
                        return Err(error);
                    }
                    self.wait(until_us).await
                }
                Act::Acquire(request) => Event::Answer(self.acquire(&request).await),
                Act::Renew(request, until_us) => {
                    let renewing = self.plan.store.renew(self.plan.terms.name(), &request);
                    let late = |_| {
                        Err(Error::new(ErrorKind::StoreUnavailable, "the store did not answer before the lease ended"))
                    };
                    Event::Answer(tokio::time::timeout(self.left(until_us), renewing).await.unwrap_or_else(late))
                }
                Act::Begin(_) | Act::Extend(_) => Event::Time,
                Act::Close => {
                    // Nobody knows which times the command used, so all of the lease counts as
                    // used. The command is ended before its clock passes the end of the lease.
                    let end_us = self.holder.grant().map_or(0, |grant| grant.end_us);
                    Event::Closed(if self.is_used { end_us } else { 0 })
                }
                Act::Release(request) => {
                    self.plan.store.release(self.plan.terms.name(), &request).await?;
                    Event::Released
                }
            };
            act = self.on(event);
        }
    }

    fn on(&mut self, event: Event) -> Act {
        let at_us = self.at_us();
        // An unreadable clock counts as far from the store's clock.
        let clock_us = clock_us().unwrap_or(0);
        let random = OsEntropy.next_u64().map_or(0, |random| (random >> 1) as i64);
        self.holder.on(event, Moment { at_us, clock_us, random })
    }

    /// Returns a time that nobody can set, µs. If the system has such a clock, this time continues
    /// while the machine sleeps, as the store's does.
    fn at_us(&self) -> i64 {
        let since = SystemClock.since_boot_ns().map_or(self.began.elapsed(), Duration::from_nanos);
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }

    /// Publishes the state of the lease to the `Keeper`.
    fn report(&self, act: &Act) {
        let is_over = matches!(act, Act::Close) && self.holder.state() != State::Draining;
        self.board.send_modify(|news| {
            news.grant = self.holder.grant().cloned().or_else(|| news.grant.take());
            news.is_over |= is_over;
            news.why = self.holder.why().cloned();
        });
    }

    /// Returns why there will be no lease: the store refused it, or was unreachable for too long.
    fn refusal(&self) -> Option<Error> {
        let why = self.holder.why().filter(|_| self.holder.state() == State::Acquiring)?;
        let is_final = why.kind() != ErrorKind::StoreUnavailable || self.at_us() - self.began_us >= WAIT_US;
        is_final.then(|| why.clone())
    }

    async fn wait(&mut self, until_us: i64) -> Event {
        let nap = self.left(until_us).min(LONGEST_NAP);
        tokio::select! {
            stopped = &mut self.stopped => {
                self.is_used = stopped.unwrap_or(true);
                Event::Stop
            }
            () = tokio::time::sleep(nap) => Event::Time,
        }
    }

    fn left(&self, until_us: i64) -> Duration {
        Duration::from_micros(u64::try_from(until_us - self.at_us()).unwrap_or(0))
    }

    async fn acquire(&self, request: &Acquire) -> Result<Grant, Error> {
        let Plan { store, terms, .. } = &self.plan;
        match store.acquire(terms.name(), terms.fingerprint(), request).await {
            Err(error) if error.kind() == ErrorKind::NamespaceUnknown && self.plan.create => {
                store.create(terms).await?;
                store.acquire(terms.name(), terms.fingerprint(), request).await
            }
            answer => answer,
        }
    }
}
