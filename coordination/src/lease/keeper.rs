//! The background task that keeps a lease: it carries out the actions of a [`Holder`].
//!
//! It uses a real store, real clocks and the core's grants, on the runtime's thread. [`Keeper`] is
//! the handle to the task, for `plan` and `handle`.

use super::holder::{Act, Event, Holder, Moment, Policy, State};
use super::terms::Terms;
use super::{protocol, refusal};
use crate::store::Store;
use crate::{Error, runtime};
use saiban::{Clock, Entropy, ErrorKind, Grant, Layout, OsEntropy, Scheme, Scope, SystemClock, process};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TryRecvError;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// The IDs that a lease is for, and their namespace.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) terms: Terms,
    pub(super) scheme: Scheme,
    pub(super) layout: Layout,
    pub(super) key_id: Option<u32>,
    /// A number for the store and the namespace, and the scope in which the number is known. Grants
    /// of different spaces may have equal nodes.
    pub(super) space: (u64, Scope),
    /// Whether to create a missing namespace.
    pub(super) create: bool,
}

/// A command from the owner of a lease.
#[derive(Clone, Copy, Debug)]
enum Order {
    Renew,
    Stop,
}

/// The longest sleep before the clock is read again: timers stand still while the machine sleeps.
const LONGEST_NAP: Duration = Duration::from_secs(5);

/// The current state of a lease, as its owner and its listeners get it.
#[derive(Clone, Debug)]
pub(super) struct News {
    pub(super) state: State,
    pub(super) grant: Option<Grant>,
    pub(super) end_us: i64,
    pub(super) why: Option<Error>,
    /// The number of grants so far.
    pub(super) grants: u64,
    /// The number of renewals so far.
    pub(super) renewals: u64,
    /// Why the store could not be notified of the release.
    pub(super) untold: Option<Error>,
    /// Whether the owner has released the lease: from then on nothing is issued under it.
    is_stopped: bool,
    /// Counts the changes.
    pub(super) version: u64,
}

type Listener = Box<dyn Fn(&News) + Send>;

struct Board {
    news: Mutex<News>,
    changed: Condvar,
    listeners: Mutex<Vec<Listener>>,
}

/// A handle to the task that keeps a lease, in the process that started it.
pub(super) struct Keeper {
    generation: u32,
    board: Arc<Board>,
    orders: UnboundedSender<Order>,
}

impl Board {
    fn news(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, change: impl FnOnce(&mut News)) {
        let news = {
            let mut news = self.news();
            change(&mut news);
            news.version += 1;
            news.clone()
        };
        self.changed.notify_all();
        // A listener may register further listeners, so the lock is free while listeners run. Only
        // the lease's task publishes, so no other call runs in between.
        let mut listeners = mem::take(&mut *self.listeners());
        for listener in &listeners {
            // A panic in a listener must not end the lease.
            let _ = catch_unwind(AssertUnwindSafe(|| listener(&news)));
        }
        let mut later = self.listeners();
        listeners.append(&mut later);
        *later = listeners;
    }

    fn listeners(&self) -> MutexGuard<'_, Vec<Listener>> {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Keeper {
    /// Starts the task, which requests nodes at once.
    pub(super) fn start(store: Arc<dyn Store>, subject: Subject, policy: Policy) -> Result<Self, Error> {
        let runtime = runtime::handle()?;
        let board = Arc::new(Board {
            news: Mutex::new(News {
                state: State::Idle,
                grant: None,
                end_us: 0,
                why: None,
                grants: 0,
                renewals: 0,
                untold: None,
                is_stopped: false,
                version: 0,
            }),
            changed: Condvar::new(),
            listeners: Mutex::default(),
        });
        let (orders, received) = unbounded_channel();
        let task = Task {
            store,
            subject,
            holder: Holder::new(policy),
            board: Arc::clone(&board),
            orders: received,
            began: Instant::now(),
        };
        runtime.spawn(task.keep());
        Ok(Keeper { generation: process::watched_generation(), board, orders })
    }

    /// Returns whether this process is a forked child of the process that started the task.
    pub(super) fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }

    pub(super) fn news(&self) -> News {
        self.board.news().clone()
    }

    /// Waits until `is_wanted` holds, for at most `at_most`. Returns the current state.
    pub(super) fn wait(&self, at_most: Duration, is_wanted: impl Fn(&News) -> bool) -> News {
        let news = self.board.news();
        let waited = self.board.changed.wait_timeout_while(news, at_most, |news| !is_wanted(news));
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    pub(super) fn listen(&self, listener: Listener) {
        self.board.listeners().push(listener);
    }

    pub(super) fn renew(&self) {
        // Sending fails only once the task has ended.
        let _ = self.orders.send(Order::Renew);
    }

    /// Releases the lease. Nothing is issued under it from now on, whether or not the store
    /// replies.
    pub(super) fn stop(&self) {
        let grant = {
            let mut news = self.board.news();
            news.is_stopped = true;
            news.grant.clone()
        };
        // The task closes the grant once more, and gets its high-water mark then.
        let _ = grant.and_then(|grant| grant.close());
        let _ = self.orders.send(Order::Stop);
    }
}

struct Task {
    store: Arc<dyn Store>,
    subject: Subject,
    holder: Holder,
    board: Arc<Board>,
    orders: UnboundedReceiver<Order>,
    began: Instant,
}

impl Task {
    async fn keep(mut self) {
        let mut act = self.begin();
        loop {
            self.report(&act);
            let Some(event) = self.act(act).await else { return };
            let now = self.moment();
            act = self.holder.on(event, now);
        }
    }

    fn begin(&mut self) -> Act {
        let now = self.moment();
        self.holder.on(Event::Start, now)
    }

    /// Carries out an action, and returns the resulting event; `None` once the task is done.
    async fn act(&mut self, act: Act) -> Option<Event> {
        let name = self.subject.terms.name().to_owned();
        Some(match act {
            // A task is never started again: each new lease has a new keeper.
            Act::Rest => return None,
            Act::Wait(until_us) => self.wait(until_us).await,
            Act::Acquire(request) => Event::Answer(self.acquire(&request).await),
            Act::Renew(request, until_us) => {
                Event::Answer(self.in_time(until_us, self.store.renew(&name, &request)).await)
            }
            Act::Begin(grant) => {
                self.use_grant(&grant);
                Event::Time
            }
            Act::Extend(end_us) => {
                let granted = self.holder.grant().cloned().filter(|_| self.board.news().grant.is_none());
                self.board.publish(|news| {
                    news.end_us = end_us;
                    news.renewals += 1;
                    news.why = None;
                    if let Some(grant) = &news.grant {
                        grant.extend(end_us);
                    }
                });
                if let Some(granted) = granted {
                    self.use_grant(&granted);
                }
                Event::Time
            }
            Act::Close => {
                let grant = self.board.news().grant.clone();
                let high_water_us = grant.and_then(|grant| grant.close()).unwrap_or(0);
                Event::Closed(high_water_us)
            }
            Act::Release(request) => {
                // If the store cannot be notified, the lease ends by itself.
                let outcome = self.store.release(&name, &request).await;
                self.board.publish(|news| news.untold = outcome.err());
                Event::Released
            }
        })
    }

    async fn acquire(&self, request: &protocol::Acquire) -> Result<protocol::Grant, Error> {
        let terms = &self.subject.terms;
        let answer = self.store.acquire(terms.name(), terms.fingerprint(), request).await;
        match answer {
            Err(error) if error.kind() == ErrorKind::NamespaceUnknown && self.subject.create => {
                // Otherwise the namespace would exist for ever, with a maximum ttl that refuses
                // this very request.
                refusal::check_terms(terms, request.ttl_us)?;
                self.store.create(terms).await?;
                self.store.acquire(terms.name(), terms.fingerprint(), request).await
            }
            answer => answer,
        }
    }

    fn use_grant(&self, granted: &protocol::Grant) {
        let Subject { scheme, layout, key_id, space: (space, known_to), .. } = &self.subject;
        let nodes = granted.key.nodes.clone();
        match Grant::new(*scheme, *layout, *key_id, nodes, granted.start_us, granted.end_us) {
            Ok(grant) => self.board.publish(|news| {
                let grant = grant.of_space(*space, *known_to);
                if news.is_stopped {
                    let _ = grant.close();
                }
                news.grant = Some(grant);
                news.end_us = granted.end_us;
                news.grants += 1;
                news.why = None;
            }),
            // The grant has no whole tick, because another holder had the nodes until shortly
            // before its end. It is used once it is renewed.
            Err(error) => self.board.publish(|news| news.why = Some(error.into())),
        }
    }

    async fn wait(&mut self, until_us: i64) -> Event {
        let left_us = u64::try_from(until_us - self.moment().at_us).unwrap_or(0);
        let nap = Duration::from_micros(left_us).min(LONGEST_NAP);
        let order = tokio::time::timeout(nap, self.orders.recv()).await;
        match order {
            Err(_) => Event::Time,
            Ok(Some(Order::Renew)) => self.hurry(),
            // `None`: all handles to the lease are gone.
            Ok(Some(Order::Stop) | None) => Event::Stop,
        }
    }

    /// Takes the orders that came during the last action. One renewal is enough for all of them,
    /// and a release does not wait for it.
    fn hurry(&mut self) -> Event {
        loop {
            match self.orders.try_recv() {
                Ok(Order::Renew) => {}
                Err(TryRecvError::Empty) => return Event::Hurry,
                Ok(Order::Stop) | Err(TryRecvError::Disconnected) => return Event::Stop,
            }
        }
    }

    /// Returns the store's reply, or `StoreUnavailable` if none comes before this moment.
    async fn in_time<T>(&self, until_us: i64, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let left_us = u64::try_from(until_us - self.moment().at_us).unwrap_or(0);
        tokio::time::timeout(Duration::from_micros(left_us), call).await.unwrap_or_else(|_| {
            Err(Error::new(ErrorKind::StoreUnavailable, "the store did not answer before the lease ended"))
        })
    }

    /// Publishes the holder's state, if it changed.
    fn report(&self, act: &Act) {
        let (state, why) = (self.holder.state(), self.holder.why().cloned());
        let is_known = {
            let news = self.board.news();
            news.state == state && news.why == why && !matches!(act, Act::Close)
        };
        if !is_known {
            self.board.publish(|news| {
                news.state = state;
                news.why = why.or_else(|| news.why.take());
                if !matches!(state, State::Active | State::Renewing | State::Draining | State::Expired | State::Lost) {
                    news.grant = None;
                }
            });
        }
    }

    fn moment(&self) -> Moment {
        let at_us = match SystemClock.since_boot_ns() {
            // This clock continues while the machine sleeps, as the store's does.
            Some(boot_ns) => i64::try_from(boot_ns / 1_000).unwrap_or(i64::MAX),
            None => i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX),
        };
        // If the clock cannot be read, use 0, which is far from the store's time. Generators report
        // the failure.
        let clock_us = SystemClock.now_ns().map_or(0, |ns| i64::try_from(ns / 1_000).unwrap_or(i64::MAX));
        let random = OsEntropy.next_u64().map_or(0, |drawn| (drawn >> 1) as i64);
        Moment { at_us, clock_us, random }
    }
}
