//! Keeps a lease for a command that tells nobody which times it uses. What to do when [`Holder`] says; here it is done.

use saiban::{Clock, Entropy, ErrorKind, OsEntropy, SystemClock};
use saiban_coordination::Error;
use saiban_coordination::lease::Terms;
use saiban_coordination::lease::holder::{Act, Event, Holder, Moment, Policy, State};
use saiban_coordination::lease::protocol::{Acquire, Grant};
use saiban_coordination::store::Store;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

/// How long a store is waited for that cannot be reached.
const WAIT: Duration = Duration::from_secs(10);

/// What a lease is for, and on what terms.
pub(super) struct Plan {
    pub(super) store: Arc<dyn Store>,
    pub(super) terms: Terms,
    pub(super) policy: Policy,
    /// Whether the name space is made where it is not.
    pub(super) create: bool,
}

enum News {
    Granted(Grant),
    /// It was lost, or has expired.
    Over(Option<Error>),
}

/// A lease that a task of its own keeps.
pub(super) struct Keeper {
    news: mpsc::UnboundedReceiver<News>,
    stop: oneshot::Sender<bool>,
    task: JoinHandle<Result<(), Error>>,
}

impl Keeper {
    pub(super) fn start(plan: Plan) -> Self {
        let (told, news) = mpsc::unbounded_channel();
        let (stop, stopped) = oneshot::channel();
        let holder = Holder::new(plan.policy.clone());
        let task = Task { plan, holder, told, stopped, is_used: true, began: Instant::now() };
        Keeper { news, stop, task: tokio::spawn(task.keep()) }
    }

    /// Waits for nodes; `None` when there will be none.
    pub(super) async fn granted(&mut self) -> Option<Grant> {
        match self.news.recv().await {
            Some(News::Granted(grant)) => Some(grant),
            Some(News::Over(_)) | None => None,
        }
    }

    /// Waits until the lease is over against our will; why, as far as it is known.
    pub(super) async fn over(&mut self) -> Option<Error> {
        match self.news.recv().await {
            Some(News::Over(why)) => why,
            Some(News::Granted(_)) | None => None,
        }
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
    told: mpsc::UnboundedSender<News>,
    stopped: oneshot::Receiver<bool>,
    is_used: bool,
    began: Instant,
}

impl Task {
    async fn keep(mut self) -> Result<(), Error> {
        let mut act = self.on(Event::Start);
        loop {
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
                Act::Begin(grant) => {
                    self.tell(News::Granted(grant));
                    Event::Time
                }
                Act::Extend(_) => Event::Time,
                Act::Close => {
                    if self.holder.state() != State::Draining {
                        self.tell(News::Over(self.holder.why().cloned()));
                    }
                    // Which times were used is not known: all of the lease's, if any.
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
        let at_us = i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX);
        // A clock that cannot be read is far from the store's.
        let clock_us = SystemClock.now_ns().map_or(0, |ns| i64::try_from(ns / 1_000).unwrap_or(i64::MAX));
        let drawn = OsEntropy.next_u64().map_or(0, |drawn| (drawn >> 1) as i64);
        self.holder.on(event, Moment { at_us, clock_us, drawn })
    }

    /// Why there will be no lease: the store said no, or could not be reached for too long.
    fn refusal(&self) -> Option<Error> {
        let why = self.holder.why().filter(|_| self.holder.state() == State::Acquiring)?;
        let is_final = why.kind() != ErrorKind::StoreUnavailable || self.began.elapsed() >= WAIT;
        is_final.then(|| why.clone())
    }

    async fn wait(&mut self, until_us: i64) -> Event {
        let left = self.left(until_us);
        tokio::select! {
            stopped = &mut self.stopped => {
                self.is_used = stopped.unwrap_or(true);
                Event::Stop
            }
            () = tokio::time::sleep(left) => Event::Time,
        }
    }

    fn left(&self, until_us: i64) -> Duration {
        Duration::from_micros(u64::try_from(until_us).unwrap_or(0)).saturating_sub(self.began.elapsed())
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

    fn tell(&self, news: News) {
        // Who does not listen any more is about to stop us.
        let _ = self.told.send(news);
    }
}
