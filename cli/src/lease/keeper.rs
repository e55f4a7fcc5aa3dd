//! Keeps a lease for a command that tells nobody which times it uses. What to do when [`Holder`] says; here it is done.

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

/// How long a store is waited for that cannot be reached, µs.
const WAIT_US: i64 = 10_000_000;

/// How long to wait at most before looking at the time: what wakes us stands still while the machine sleeps.
const LONGEST_NAP: Duration = Duration::from_secs(1);

/// What a lease is for, and on what terms.
pub(super) struct Plan {
    pub(super) store: Arc<dyn Store>,
    pub(super) terms: Terms,
    pub(super) policy: Policy,
    /// Whether the name space is made where it is not.
    pub(super) create: bool,
}

/// What is known of a lease at the moment.
#[derive(Clone, Default)]
pub(super) struct News {
    /// The grant, with the end that it has now; the last one, where it is over.
    pub(super) grant: Option<Grant>,
    /// Whether it was lost, or has expired.
    pub(super) is_over: bool,
    /// What went wrong when the store was asked last, if anything did.
    pub(super) why: Option<Error>,
}

/// A lease that a task of its own keeps.
pub(super) struct Keeper {
    news: watch::Receiver<News>,
    stop: oneshot::Sender<bool>,
    task: JoinHandle<Result<(), Error>>,
}

impl Keeper {
    pub(super) fn start(plan: Plan) -> Self {
        let (told, news) = watch::channel(News::default());
        let (stop, stopped) = oneshot::channel();
        let holder = Holder::new(plan.policy.clone());
        let mut task = Task { plan, holder, told, stopped, is_used: true, began: Instant::now(), began_us: 0 };
        task.began_us = task.at_us();
        Keeper { news, stop, task: tokio::spawn(task.keep()) }
    }

    /// Waits for nodes; `None` when there will be none.
    pub(super) async fn granted(&mut self) -> Option<Grant> {
        let news = self.news.wait_for(|news| news.grant.is_some() || news.is_over).await;
        news.ok().and_then(|news| news.grant.clone())
    }

    /// Waits until the lease is over against our will.
    pub(super) async fn over(&mut self) {
        // A task that is no more keeps nothing either.
        let _ = self.news.wait_for(|news| news.is_over).await;
    }

    pub(super) fn news(&self) -> News {
        self.news.borrow().clone()
    }

    /// Gives the nodes back; `is_used` says whether somebody may have made IDs with them.
    ///
    /// # Errors
    /// Why there was no lease, or why the store could not be told.
    pub(super) async fn stop(self, is_used: bool) -> Result<(), Error> {
        // Who no longer listens has ended.
        let _ = self.stop.send(is_used);
        self.task.await.unwrap_or_else(|error| Err(Error::new(ErrorKind::Internal, error.to_string())))
    }
}

struct Task {
    plan: Plan,
    holder: Holder,
    told: watch::Sender<News>,
    stopped: oneshot::Receiver<bool>,
    is_used: bool,
    began: Instant,
    began_us: i64,
}

impl Task {
    async fn keep(mut self) -> Result<(), Error> {
        let mut act = self.on(Event::Start);
        loop {
            self.tell(&act);
            let event = match act {
                Act::Rest => return Ok(()),
                Act::Wait(until_us) => {
                    if let Some(error) = self.refusal() {
                        return Err(error);
                    }
                    self.wait(until_us).await
                }
                Act::Acquire(wish) => Event::Answer(self.acquire(&wish).await),
                Act::Renew(wish, until_us) => {
                    let renewing = self.plan.store.renew(self.plan.terms.name(), &wish);
                    let late = |_| {
                        Err(Error::new(ErrorKind::StoreUnavailable, "the store did not answer before the lease ended"))
                    };
                    Event::Answer(tokio::time::timeout(self.left(until_us), renewing).await.unwrap_or_else(late))
                }
                Act::Begin(_) | Act::Extend(_) => Event::Time,
                Act::Close => {
                    // Which times were used is not known: all of the lease's, if any. The command is ended before its clock is past them.
                    let end_us = self.holder.grant().map_or(0, |grant| grant.end_us);
                    Event::Closed(if self.is_used { end_us } else { 0 })
                }
                Act::Release(wish) => {
                    self.plan.store.release(self.plan.terms.name(), &wish).await?;
                    Event::Released
                }
            };
            act = self.on(event);
        }
    }

    fn on(&mut self, event: Event) -> Act {
        let at_us = self.at_us();
        // A clock that cannot be read is far from the store's.
        let clock_us = clock_us().unwrap_or(0);
        let drawn = OsEntropy.next_u64().map_or(0, |drawn| (drawn >> 1) as i64);
        self.holder.on(event, Moment { at_us, clock_us, drawn })
    }

    /// The time that nobody sets. Where the system has one it goes on while the machine sleeps, as the store's time does.
    fn at_us(&self) -> i64 {
        let since = SystemClock.since_boot_ns().map_or(self.began.elapsed(), Duration::from_nanos);
        i64::try_from(since.as_micros()).unwrap_or(i64::MAX)
    }

    /// Lets the command's keeper know where the lease is.
    fn tell(&self, act: &Act) {
        let is_over = matches!(act, Act::Close) && self.holder.state() != State::Draining;
        self.told.send_modify(|news| {
            news.grant = self.holder.grant().cloned().or_else(|| news.grant.take());
            news.is_over |= is_over;
            news.why = self.holder.why().cloned();
        });
    }

    /// Why there will be no lease: the store said no, or could not be reached for too long.
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

    async fn acquire(&self, wish: &Acquire) -> Result<Grant, Error> {
        let Plan { store, terms, .. } = &self.plan;
        match store.acquire(terms.name(), terms.fingerprint(), wish).await {
            Err(error) if error.kind() == ErrorKind::NamespaceUnknown && self.plan.create => {
                store.create(terms).await?;
                store.acquire(terms.name(), terms.fingerprint(), wish).await
            }
            answer => answer,
        }
    }
}
