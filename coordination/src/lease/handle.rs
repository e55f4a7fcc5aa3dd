//! A lease as its owner has it.

use super::holder::{Policy, State};
use super::keeper::{Keeper, News, Subject};
use super::plan::Plan;
use super::protocol;
use super::terms::{DEFAULT_MAX_TTL_S, MOST_TTL_S, Terms};
use crate::Error;
use crate::store::{Source, Store, StoreUrl};
use arc_swap::{ArcSwap, ArcSwapOption};
use fnv::FnvHasher;
use saiban::{Clock, ErrorKind, Grant, Layout, Scheme, Scope, Secret, SystemClock, process};
use std::fmt;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The longest that anybody waits for a store, seconds: a year.
const LONGEST_WAIT_S: i64 = 31_536_000;

/// How long a release waits.
const RELEASE_LIMIT: Duration = Duration::from_secs(5);

const RELEASED: &str = "the lease was released, and nothing is issued under it any more: acquire a new one";

/// What one may choose of a lease. Everything has a default.
///
/// ```
/// use saiban_coordination::LeaseOptions;
/// let options = LeaseOptions { nodes: 4, ttl_s: 60, ..LeaseOptions::default() };
/// assert_eq!(options.namespace, "default");
/// ```
#[derive(Clone, Debug)]
pub struct LeaseOptions {
    /// The name space: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default `default`. Generators whose IDs go into one column
    /// have one.
    pub namespace: String,
    /// How many nodes, next to each other: 1 to 65,536; by default 1.
    pub nodes: i64,
    /// For how long at a time, seconds: 1 up to what the name space allows; by default 600. It is renewed after a third.
    pub ttl_s: i64,
    /// The scheme of the IDs; by default Snowflake.
    pub scheme: Scheme,
    /// Their layout, which must have nodes; by default the scheme's own, of a Snowflake Twitter's.
    pub layout: Option<Layout>,
    /// The secret under which they are encrypted: of a Randflake, and only of one. Nothing but its [`Secret::key_id`] is kept, or sent to the store.
    pub secret: Option<Secret>,
    /// Whether the name space is made where it is not. An empty store is not proof that nobody has nodes, so by default only SQLite's, where
    /// trying it out must be one line, is, and one in memory.
    pub create: Option<bool>,
    /// The longest lease that a name space made so allows, seconds, which is also how long it is in quarantine after a loss; by default 3,600.
    pub max_ttl_s: i64,
    /// How far this machine's clock may be from the store's, seconds, at least 0; by default 10.
    pub max_clock_skew_s: i64,
    /// Who holds it, for people, up to 120 characters; by default host and process id.
    pub holder: Option<String>,
    /// How long to wait for a store that cannot be reached, seconds, at least 1; by default 10.
    pub wait_s: i64,
}

impl Default for LeaseOptions {
    fn default() -> Self {
        LeaseOptions {
            namespace: "default".into(),
            nodes: 1,
            ttl_s: 600,
            scheme: Scheme::Snowflake,
            layout: None,
            secret: None,
            create: None,
            max_ttl_s: DEFAULT_MAX_TTL_S,
            max_clock_skew_s: 10,
            holder: None,
            wait_s: 10,
        }
    }
}

impl LeaseOptions {
    /// The terms of the name space that these are for, and the layout of its IDs: all that can be said without asking the store.
    ///
    /// # Errors
    /// `InvalidArgument` for names and numbers that cannot be, together or alone.
    pub fn check(&self) -> Result<(Terms, Layout), Error> {
        let LeaseOptions { scheme, nodes, .. } = *self;
        let layout = Terms::layout(scheme, self.layout, self.secret.as_ref())?;
        let key_id = self.secret.as_ref().map(Secret::key_id);
        let terms = Terms::new(&self.namespace, scheme, &layout, key_id, self.max_ttl_s)?;
        check_seconds(
            "ttl_s",
            self.ttl_s,
            1,
            MOST_TTL_S,
            "a ttl of a second or more, up to the name space's max_ttl_s",
        )?;
        let skew = "how far this clock may be from the store's";
        check_seconds("max_clock_skew_s", self.max_clock_skew_s, 0, i64::MAX, skew)?;
        check_seconds("wait_s", self.wait_s, 1, i64::MAX, "how long to wait for the store")?;
        let ttl_us = self.ttl_s * 1_000_000;
        protocol::check_wish(nodes, ttl_us)?;
        Terms::check_ticks(&layout, ttl_us)?;
        if scheme == Scheme::UlidFlake && nodes > 1 {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{nodes} nodes are more than a Ulid-Flake can use, which has one: ask for 1"),
            ));
        }
        if nodes > terms.nodes() {
            return Err(Error::new(
                ErrorKind::InvalidArgument,
                format!("{nodes} nodes are more than the layout has: ask for 1 to {}", terms.nodes()),
            ));
        }
        Ok((terms, layout))
    }
}

/// How a lease is doing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Where its holder is.
    pub state: State,
    /// The nodes, half-open; none while there is no lease, as none is whose end has come by this machine's clock.
    pub nodes: Option<Range<i64>>,
    /// When it ends unless it is renewed, Unix milliseconds; 0 while there is none.
    pub end_ms: i64,
    /// How many leases there were: more than one, when one was lost, or expired.
    pub grants: u64,
    /// How often it was renewed.
    pub renewals: u64,
    /// What went wrong when the store was asked last, if anything did.
    pub why: Option<Error>,
}

/// What generators may use: nothing once its last tick is over by the clock that they read, however late the lease thread is to close it.
fn in_force(news: &News) -> Option<&Grant> {
    let has_ended = |grant: &Grant| SystemClock.now_ns().is_ok_and(|now_ns| grant.has_ended(now_ns));
    news.grant.as_ref().filter(|grant| !grant.is_closed() && !has_ended(grant))
}

impl From<News> for Status {
    fn from(news: News) -> Self {
        let nodes = in_force(&news).map(Grant::nodes);
        let end_ms = nodes.as_ref().map_or(0, |_| news.end_us / 1_000);
        let News { state, grants, renewals, why, .. } = news;
        Status { state, nodes, end_ms, grants, renewals, why }
    }
}

impl Source {
    /// A number of this name space in this store, which others hardly have, and who knows it by that.
    fn space(&self, namespace: &str) -> (u64, Scope) {
        let mut hasher = FnvHasher::default();
        let scope = match self {
            Source::Url(url) => {
                hasher.write(url.key_of_store().as_bytes());
                Scope::Machine
            }
            Source::Open(store) => {
                hasher.write(&Arc::as_ptr(store).addr().to_ne_bytes());
                Scope::Process
            }
        };
        // No URL has this byte in it.
        hasher.write(&[0]);
        hasher.write(namespace.as_bytes());
        (hasher.finish().max(1), scope)
    }
}

/// Nodes that nobody else has, as long as the store can be reached: a range of node ids, renewed in the background after a third of its time,
/// and given back when it is released or dropped. Generators built for it ([`Leased`](super::Leased)) issue IDs of its nodes and time only.
///
/// Where the store gives no more time before the lease ends, or says that it is another's, generators stop, and a new lease is acquired as
/// soon as there is one: its nodes may be others. In a copy of the process made by fork a lease that was acquired by URL acquires one of its
/// own when it is first used; the parent's is left alone.
///
/// ```
/// use saiban_coordination::{Lease, LeaseOptions, store::MemoryStore};
/// use saiban::SystemClock;
/// use std::sync::Arc;
/// let store = Arc::new(MemoryStore::new(SystemClock));
/// let lease = Lease::with_store(store, &LeaseOptions { nodes: 4, create: Some(true), ..LeaseOptions::default() })?;
/// assert_eq!(lease.grant()?.nodes().count(), 4);
/// lease.release()?;
/// # Ok::<(), saiban_coordination::Error>(())
/// ```
#[derive(Clone)]
pub struct Lease(Arc<Inner>);

struct Inner {
    plan: Plan,
    keeper: ArcSwap<Keeper>,
    /// The generation of the process for which a new keeper is being made, and 1 in the lowest bit once that failed.
    following: AtomicU64,
    /// Of which process that was, and why it failed.
    failed: ArcSwapOption<(u32, Error)>,
    /// Whether its owner has given it back: here, and so in every copy.
    is_released: AtomicBool,
}

impl Lease {
    /// Acquires a lease from the store that this URL names, and waits for it.
    ///
    /// # Errors
    /// `InvalidArgument` for a URL, a name, or numbers that cannot be; `StoreUnavailable` when the store could not be reached in
    /// `wait_s`, at once when it refuses for good; at once `NamespaceUnknown`, `NamespaceMismatch`, `NamespaceFull`,
    /// `NamespaceQuarantined`, `ClockSkew`, `StoreCorrupt`, `StoreUnsupported`.
    pub fn acquire(url: &str, options: &LeaseOptions) -> Result<Self, Error> {
        let url = StoreUrl::new(url)?;
        let create = options.create.unwrap_or(matches!(url.kind(), "sqlite" | "memory"));
        Self::of(Source::of(url)?, create, options)
    }

    /// The same from a store that is open already. A copy made by fork cannot use that: its generators answer `Forked`.
    ///
    /// # Errors
    /// As [`Lease::acquire`].
    pub fn with_store(store: Arc<dyn Store>, options: &LeaseOptions) -> Result<Self, Error> {
        Self::of(Source::Open(store), options.create.unwrap_or(false), options)
    }

    fn of(store: Source, create: bool, options: &LeaseOptions) -> Result<Self, Error> {
        let LeaseOptions { scheme, nodes, .. } = *options;
        let (terms, layout) = options.check()?;
        let key_id = options.secret.as_ref().map(Secret::key_id);
        let ttl_us = options.ttl_s * 1_000_000;
        let max_clock_skew_us = options.max_clock_skew_s.saturating_mul(1_000_000);
        let wait = Duration::from_secs(options.wait_s.min(LONGEST_WAIT_S).unsigned_abs());
        let space = store.space(terms.name());
        let plan = Plan {
            store,
            subject: Subject { terms, scheme, layout, key_id, space, create },
            policy: Policy { nodes, ttl_us, max_clock_skew_us, holder: String::new(), again: true },
            holder: options.holder.clone(),
            wait,
        };
        let keeper = plan.start()?;
        Ok(Lease(Arc::new(Inner {
            plan,
            keeper: ArcSwap::from_pointee(keeper),
            following: AtomicU64::new(0),
            failed: ArcSwapOption::empty(),
            is_released: AtomicBool::new(false),
        })))
    }

    /// What generators may use now.
    ///
    /// # Errors
    /// While there is no lease what went wrong when it was asked for last, `StoreUnavailable` say, or `LeaseLost`, which it is when it was
    /// released; in a copy of the process as [`Lease::acquire`], and `Forked` when the lease was not acquired by URL.
    pub fn grant(&self) -> Result<Grant, Error> {
        let news = self.keeper()?.news();
        in_force(&news).cloned().ok_or_else(|| self.lack(&news))
    }

    /// Why a generator of this lease, which says this, makes nothing. It waits for nobody, in a copy of the process either.
    pub(super) fn explain(&self, error: saiban::Error) -> Error {
        if self.is_released() {
            return Error::new(ErrorKind::LeaseLost, RELEASED);
        }
        let keeper = self.0.keeper.load_full();
        if !keeper.is_copy() {
            let what = match (keeper.news().why, error) {
                (Some(why), _) => format!(
                    "there is no lease at the moment: {why}. It is asked for again and again, and IDs go on when there is one"
                ),
                (None, saiban::Error::Forked) => {
                    "this process, made by fork, had no lease of its own then: try again".into()
                }
                // What it says itself is to acquire a new one, and that is being done.
                (None, saiban::Error::LeaseClosed) => "the lease is over, and a new one is asked for: try again".into(),
                (None, error) => format!("{error}. More time, or a new lease, is asked for: try again"),
            };
            return Error::new(ErrorKind::LeaseLost, what);
        }
        std::mem::forget(keeper);
        match self.0.failed.load().as_deref() {
            Some((made_in, why)) if *made_in == process::generation() => why.clone(),
            _ => error.into(),
        }
    }

    /// Why there is no lease.
    fn lack(&self, news: &News) -> Error {
        let what = match &news.grant {
            _ if self.is_released() => RELEASED.into(),
            Some(grant) if !grant.is_closed() => format!(
                "the lease ended at {} ms (Unix) by this machine's clock. More time, or a new one, is asked for: try again, and if it stays so see \
                 that the clock is right",
                grant.end_ms()
            ),
            _ => "the lease is over, and a new one is asked for: try again".into(),
        };
        let why = news.why.clone().filter(|_| !self.is_released());
        why.unwrap_or_else(|| Error::new(ErrorKind::LeaseLost, what))
    }

    pub(super) fn is_released(&self) -> bool {
        self.0.is_released.load(Ordering::SeqCst)
    }

    /// Whether this process is a copy, made by fork, of the one that acquired it: what is asked of it next may wait for a store.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.0.keeper.load().is_copy()
    }

    /// How it is doing.
    ///
    /// # Errors
    /// As [`Lease::grant`] in a copy of the process, but where it was released: that is no error.
    pub fn status(&self) -> Result<Status, Error> {
        if self.is_released() && self.is_copy() {
            return Ok(Status { state: State::Idle, nodes: None, end_ms: 0, grants: 0, renewals: 0, why: None });
        }
        Ok(self.keeper()?.news().into())
    }

    /// Asks for more time now instead of after a third of it. How that goes [`Lease::status`] tells.
    ///
    /// # Errors
    /// As [`Lease::grant`] in a copy of the process.
    pub fn renew(&self) -> Result<(), Error> {
        self.keeper()?.renew();
        Ok(())
    }

    /// Closes every generator of the lease and gives its nodes back, which others may have at once. Waits for at most 5 seconds for the store; where
    /// it cannot be told the lease ends by itself. Once released it stays so, and released again it does nothing: also in copies of the process,
    /// which give back nothing of their parent's.
    ///
    /// # Errors
    /// `StoreUnavailable` when the store could not be told. Nothing is issued under the lease in that case either.
    pub fn release(&self) -> Result<(), Error> {
        self.let_go();
        let keeper = self.0.keeper.load_full();
        if keeper.is_copy() {
            std::mem::forget(keeper);
            return Ok(());
        }
        let news = keeper.wait(RELEASE_LIMIT, |news| news.state == State::Idle && news.version > 0);
        if news.state != State::Idle {
            let limit_s = RELEASE_LIMIT.as_secs();
            return Err(Error::new(
                ErrorKind::StoreUnavailable,
                format!(
                    "the store has not answered within {limit_s} s: nothing is issued under the lease any more, but its nodes may be \
                     free only when it ends"
                ),
            ));
        }
        match news.untold {
            Some(error) if error.kind() == ErrorKind::StoreUnavailable => Err(error),
            _ => Ok(()),
        }
    }

    /// The same without waiting for it; [`Lease::release`] waits for it afterwards.
    pub fn let_go(&self) {
        self.0.is_released.store(true, Ordering::SeqCst);
        let keeper = self.0.keeper.load_full();
        if keeper.is_copy() {
            std::mem::forget(keeper);
        } else {
            keeper.stop();
        }
    }

    /// Calls this with every change from now on: a lease that was renewed, lost, or followed by a new one. It is called on the thread that keeps
    /// all leases of the process: it must return soon, and wait for none of them. Copies of the process tell it nothing.
    ///
    /// # Errors
    /// As [`Lease::grant`] in a copy of the process.
    pub fn on_change(&self, listener: impl Fn(&Status) + Send + 'static) -> Result<(), Error> {
        self.keeper()?.listen(Box::new(move |news: &News| listener(&news.clone().into())));
        Ok(())
    }

    /// The keeper of this process; a new one where this is a copy.
    fn keeper(&self) -> Result<Arc<Keeper>, Error> {
        let keeper = self.0.keeper.load_full();
        if !keeper.is_copy() {
            return Ok(keeper);
        }
        // Dropped it would change counts that only the parent's threads see; kept it is memory.
        std::mem::forget(keeper);
        if self.is_released() {
            return Err(Error::new(ErrorKind::LeaseLost, RELEASED));
        }
        if matches!(self.0.plan.store, Source::Open(_)) {
            return Err(saiban::Error::Forked.into());
        }
        self.follow()
    }

    /// Acquires a lease for a copy of the process. One thread does, the others wait for it: not for a lock, which a fork could copy held.
    fn follow(&self) -> Result<Arc<Keeper>, Error> {
        let ours = u64::from(process::watched_generation()) << 1;
        let deadline = Instant::now() + self.0.plan.wait;
        loop {
            let found = self.0.following.load(Ordering::Acquire);
            let keeper = self.0.keeper.load_full();
            if !keeper.is_copy() {
                return Ok(keeper);
            }
            std::mem::forget(keeper);
            let is_free = found & !1 != ours || found == ours | 1;
            if is_free && self.0.following.compare_exchange(found, ours, Ordering::AcqRel, Ordering::Relaxed).is_ok() {
                return match self.0.plan.start() {
                    Ok(keeper) => {
                        let keeper = Arc::new(keeper);
                        std::mem::forget(self.0.keeper.swap(Arc::clone(&keeper)));
                        // Whoever released it meanwhile has found the parent's.
                        if self.is_released() {
                            keeper.stop();
                        }
                        Ok(keeper)
                    }
                    Err(error) => {
                        let before = self.0.failed.swap(Some(Arc::new((process::generation(), error.clone()))));
                        // Perhaps of a parent.
                        std::mem::forget(before);
                        self.0.following.store(ours | 1, Ordering::Release);
                        Err(error)
                    }
                };
            }
            if Instant::now() >= deadline {
                return Err(Error::new(
                    ErrorKind::StoreUnavailable,
                    "another thread of this process still waits for a lease",
                ));
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Whether a number of seconds is within its limits.
fn check_seconds(name: &str, seconds: i64, least: i64, most: i64, what: &str) -> Result<(), Error> {
    if (least..=most).contains(&seconds) {
        return Ok(());
    }
    let limits = if most == i64::MAX { format!("{least} or more") } else { format!("{least} to {most}") };
    Err(Error::new(ErrorKind::InvalidArgument, format!("{name} is {seconds}: give {what}, {limits} seconds")))
}

impl Drop for Inner {
    fn drop(&mut self) {
        // In a copy nothing is told to anybody; the thread that would listen is the parent's.
        let keeper = self.keeper.load_full();
        if keeper.is_copy() {
            std::mem::forget(keeper);
        } else {
            keeper.stop();
        }
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease").field("namespace", &self.0.plan.subject.terms.name()).finish_non_exhaustive()
    }
}
