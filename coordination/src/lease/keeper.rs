//! Keeps a lease: does what the [`Holder`] says, with a real store, real clocks and the core's grants, on the process's lease thread.

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
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

/// What a lease is for.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    pub(super) terms: Terms,
    pub(super) scheme: Scheme,
    pub(super) layout: Layout,
    pub(super) key_id: Option<u32>,
    /// A number of the store and the name space, and who knows them by it: of another one nodes may be the same.
    pub(super) space: (u64, Scope),
    /// Whether the name space is made where it is not.
    pub(super) create: bool,
}

/// What the owner of a lease says.
#[derive(Clone, Copy, Debug)]
enum Order {
    Renew,
    Stop,
}

/// How long to wait at most before looking at the time: what wakes us stands still while the machine sleeps.
const LONGEST_NAP: Duration = Duration::from_secs(5);

/// What is known of a lease at the moment.
#[derive(Clone, Debug)]
pub(super) struct News {
    pub(super) state: State,
    pub(super) grant: Option<Grant>,
    pub(super) end_us: i64,
    pub(super) why: Option<Error>,
    /// How many grants there were.
    pub(super) grants: u64,
    /// How often the store renewed it.
    pub(super) renewals: u64,
    /// What kept the store from being told that the lease was given back.
    pub(super) untold: Option<Error>,
    /// Whether its owner wants no more of it: nothing is issued under it from then on.
    is_stopped: bool,
    /// Counts up with every piece of news.
    pub(super) version: u64,
}

type Listener = Box<dyn Fn(&News) + Send>;

struct Board {
    news: Mutex<News>,
    changed: Condvar,
    listeners: Mutex<Vec<Listener>>,
}

/// A lease that is being kept, in the process that began it.
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
        // Who is told may want to be told by another listener too. Only the lease's task publishes.
        let mut listeners = mem::take(&mut *self.listeners());
        for listener in &listeners {
            // Whatever it does, the lease goes on.
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
    /// Begins to keep a lease: asks for nodes, on the lease thread.
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

    /// Whether this process is a copy of the one that keeps it.
    pub(super) fn is_copy(&self) -> bool {
        self.generation != process::generation()
    }

    pub(super) fn news(&self) -> News {
        self.board.news().clone()
    }

    /// Waits until the news are as wanted, or the time is over; answers the last.
    pub(super) fn wait(&self, at_most: Duration, is_wanted: impl Fn(&News) -> bool) -> News {
        let news = self.board.news();
        let waited = self.board.changed.wait_timeout_while(news, at_most, |news| !is_wanted(news));
        waited.unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    pub(super) fn listen(&self, listener: Listener) {
        self.board.listeners().push(listener);
    }

    pub(super) fn renew(&self) {
        // Who no longer listens has ended.
        let _ = self.orders.send(Order::Renew);
    }

    /// Has the lease given back. From now on nothing is issued under it, whether or not the store answers what it was asked.
    pub(super) fn stop(&self) {
        let grant = {
            let mut news = self.board.news();
            news.is_stopped = true;
            news.grant.clone()
        };
        // How far it came the task hears once more, when it closes it.
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
            self.tell(&act);
            let Some(event) = self.act(act).await else { return };
            let now = self.moment();
            act = self.holder.on(event, now);
        }
    }

    fn begin(&mut self) -> Act {
        let now = self.moment();
        self.holder.on(Event::Start, now)
    }

    /// Does this, and answers what came of it; `None` when there is nothing more to do.
    async fn act(&mut self, act: Act) -> Option<Event> {
        let name = self.subject.terms.name().to_owned();
        Some(match act {
            // Nobody starts it again: a new lease has a new keeper.
            Act::Rest => return None,
            Act::Wait(until_us) => self.wait(until_us).await,
            Act::Acquire(wish) => Event::Answer(self.acquire(&wish).await),
            Act::Renew(wish, until_us) => Event::Answer(self.in_time(until_us, self.store.renew(&name, &wish)).await),
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
            Act::Release(wish) => {
                // Where the store cannot be told the lease ends by itself.
                let told = self.store.release(&name, &wish).await;
                self.board.publish(|news| news.untold = told.err());
                Event::Released
            }
        })
    }

    async fn acquire(&self, wish: &protocol::Acquire) -> Result<protocol::Grant, Error> {
        let terms = &self.subject.terms;
        let answer = self.store.acquire(terms.name(), terms.fingerprint(), wish).await;
        match answer {
            Err(error) if error.kind() == ErrorKind::NamespaceUnknown && self.subject.create => {
                // Else it would be made, for ever, and refuse this very wish.
                refusal::check_terms(terms, wish.ttl_us)?;
                self.store.create(terms).await?;
                self.store.acquire(terms.name(), terms.fingerprint(), wish).await
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
            // No whole tick, because others had the nodes until shortly before its end: it is used when it has more time.
            Err(error) => self.board.publish(|news| news.why = Some(error.into())),
        }
    }

    async fn wait(&mut self, until_us: i64) -> Event {
        let left_us = u64::try_from(until_us - self.moment().at_us).unwrap_or(0);
        let nap = Duration::from_micros(left_us).min(LONGEST_NAP);
        let order = tokio::time::timeout(nap, self.orders.recv()).await;
        match order {
            Err(_) => Event::Time,
            Ok(Some(Order::Renew)) => Event::Hurry,
            // Nobody is left who could use it.
            Ok(Some(Order::Stop) | None) => Event::Stop,
        }
    }

    /// What the store answers, if it does until this moment.
    async fn in_time<T>(&self, until_us: i64, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let left_us = u64::try_from(until_us - self.moment().at_us).unwrap_or(0);
        tokio::time::timeout(Duration::from_micros(left_us), call).await.unwrap_or_else(|_| {
            Err(Error::new(ErrorKind::StoreUnavailable, "the store did not answer before the lease ended"))
        })
    }

    /// Lets everybody know where the lease is.
    fn tell(&self, act: &Act) {
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
            // It goes on while the machine sleeps, as the store's time does.
            Some(boot_ns) => i64::try_from(boot_ns / 1_000).unwrap_or(i64::MAX),
            None => i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX),
        };
        // A clock that cannot be read is told by whoever makes IDs; here it is one that is far from the store's.
        let clock_us = SystemClock.now_ns().map_or(0, |ns| i64::try_from(ns / 1_000).unwrap_or(i64::MAX));
        let drawn = OsEntropy.next_u64().map_or(0, |drawn| (drawn >> 1) as i64);
        Moment { at_us, clock_us, drawn }
    }
}
