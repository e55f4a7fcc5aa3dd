//! The public handle to a lease, with its options and its status.

use super::holder::{Policy, State};
use super::keeper::{Keeper, News, Subject};
use super::plan::Plan;
use super::protocol;
use super::terms::{DEFAULT_MAX_TTL_S, MAX_TTL_S, Terms};
use crate::Error;
use crate::store::{Source, Store, StoreUrl, key_of_store};
use arc_swap::{ArcSwap, ArcSwapOption};
use fnv::FnvHasher;
use saiban::scheme::GeneratorOption;
use saiban::{Clock, ErrorKind, GeneratorSpec, Grant, Layout, Scheme, Scope, Secret, SystemClock, process};
use std::fmt;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// The longest wait for a store, seconds: a year.
const LONGEST_WAIT_S: i64 = 31_536_000;

/// How long [`Lease::release`] waits for the store.
const RELEASE_LIMIT: Duration = Duration::from_secs(5);

const RELEASED: &str = "the lease was released, and nothing is issued under it any more: acquire a new one";

/// Options of a lease. Every option has a default.
///
/// ```
/// use saiban_coordination::LeaseOptions;
/// let options = LeaseOptions { nodes: 4, ttl_s: 60, ..LeaseOptions::default() };
/// assert_eq!(options.namespace, "default");
/// ```
#[derive(Clone, Debug)]
pub struct LeaseOptions {
    /// The namespace: 1 to 64 of the characters A-Z, a-z, 0-9, `_`, `-` and `.`; by default
    /// `default`. Generators whose IDs go into one column use one namespace.
    pub namespace: String,
    /// The number of adjacent nodes, 1 to 65,536; by default 1.
    pub nodes: i64,
    /// The ttl of the lease, seconds, 1 up to the namespace's limit; by default 600. The lease is
    /// renewed after a third of it.
    pub ttl_s: i64,
    /// The scheme of the IDs; by default Snowflake.
    pub scheme: Scheme,
    /// Their layout, which must have a node field; by default the scheme's own, which for a
    /// Snowflake is Twitter's.
    pub layout: Option<Layout>,
    /// The secret that encrypts the IDs: required for a Randflake, invalid for other schemes. Only
    /// its [`Secret::key_id`] is kept and sent to the store.
    pub secret: Option<Secret>,
    /// Whether to create a missing namespace. An empty store may mean that data was lost, so the
    /// default is `false`. It is `true` only for `sqlite:` URLs, so that a first try needs one
    /// line, and for `memory:` URLs.
    pub create: Option<bool>,
    /// The maximum ttl of a namespace that this lease creates, seconds; by default 3,600. A
    /// quarantine after a loss lasts at least as long.
    pub max_ttl_s: i64,
    /// The largest allowed difference between this machine's clock and the store's, seconds, at
    /// least 0; by default 10.
    pub max_clock_skew_s: i64,
    /// The holder's name, for people; by default host name and process id. Only 120 characters are
    /// kept.
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
    /// Returns these options with the scheme, layout and secret of a generator.
    ///
    /// # Errors
    /// `InvalidLayout`, and `InvalidArgument` for a Flake without a layout.
    pub fn of_spec(self, spec: &GeneratorSpec) -> Result<Self, Error> {
        // The scheme's default layout would do, except for a Ulid-Flake with another epoch.
        let layout = spec.under_lease().layout_of_ids()?;
        Ok(LeaseOptions { scheme: spec.scheme, layout, secret: spec.secret.clone(), ..self })
    }

    /// Checks the options without the store. Returns the namespace's terms and the layout of its
    /// IDs.
    ///
    /// # Errors
    /// `InvalidArgument` for names and numbers out of range, and for options that exclude each
    /// other.
    pub fn check(&self) -> Result<(Terms, Layout), Error> {
        let LeaseOptions { scheme, nodes, .. } = *self;
        let layout = Terms::layout(scheme, self.layout, self.secret.as_ref())?;
        let key_id = self.secret.as_ref().map(Secret::key_id);
        let terms = Terms::new(&self.namespace, scheme, &layout, key_id, self.max_ttl_s)?;
        check_seconds("ttl_s", self.ttl_s, 1, MAX_TTL_S, "a ttl of a second or more, up to the namespace's max_ttl_s")?;
        let skew = "how far this clock may be from the store's";
        check_seconds("max_clock_skew_s", self.max_clock_skew_s, 0, i64::MAX, skew)?;
        check_seconds("wait_s", self.wait_s, 1, i64::MAX, "how long to wait for the store")?;
        let ttl_us = self.ttl_s * 1_000_000;
        protocol::check_request(nodes, ttl_us)?;
        Terms::check_ticks(&layout, ttl_us)?;
        if scheme.takes(GeneratorOption::Scalability) && nodes > 1 {
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

/// The status of a lease.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// The state of its holder.
    pub state: State,
    /// The nodes, half-open; `None` without a lease, and once the lease has ended by this machine's
    /// clock.
    pub nodes: Option<Range<i64>>,
    /// When the lease ends unless it is renewed, Unix milliseconds; 0 if `nodes` is `None`.
    pub end_ms: i64,
    /// The number of grants so far: more than one after a lease expired or was lost.
    pub grants: u64,
    /// The number of renewals so far.
    pub renewals: u64,
    /// The error of the last request to the store, if it failed.
    pub why: Option<Error>,
}

/// Returns the grant that generators may use; `None` once its last tick is over by the system's
/// clock.
///
/// The task that keeps the lease may close the grant later than that.
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
    /// Returns a number for this namespace of this store, and the scope in which the number is
    /// known.
    ///
    /// The number is a hash: two namespaces are unlikely to have equal numbers.
    fn space(&self, namespace: &str) -> (u64, Scope) {
        let mut hasher = FnvHasher::default();
        let scope = match self {
            Source::Url(url) => {
                hasher.write(key_of_store(url).as_bytes());
                Scope::Machine
            }
            Source::Open(store) => {
                hasher.write(&Arc::as_ptr(store).addr().to_ne_bytes());
                Scope::Process
            }
        };
        // A separator: no URL contains this byte.
        hasher.write(&[0]);
        hasher.write(namespace.as_bytes());
        (hasher.finish().max(1), scope)
    }
}

/// A lease: a range of nodes that no other holder has, for a limited time.
///
/// It is renewed in the background after a third of its time, as long as the store can be reached.
/// Its nodes are released by [`Lease::release`], or when the last clone of the lease is dropped.
/// Generators built for it ([`Leased`](super::Leased)) issue only IDs of its nodes and its time.
///
/// If the store does not renew the lease before its end, or reports that it is another holder's,
/// generators stop. A new lease is acquired as soon as the store grants one; its nodes may differ.
///
/// A forked child acquires a lease of its own on first use, if the parent acquired its lease by a
/// URL other than `memory:`. The parent's lease is left alone.
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
    /// The generation of the process in which a thread acquires a new lease, shifted left by one
    /// bit. Bit 0 is 1 once that failed.
    following: AtomicU64,
    /// The generation of the process in which that failed, and the error.
    failed: ArcSwapOption<(u32, Error)>,
    /// Whether the owner released the lease, in this process or in a parent before the fork.
    is_released: AtomicBool,
}

impl Lease {
    /// Acquires a lease from the store at this URL, and waits for it.
    ///
    /// # Errors
    /// - `InvalidArgument` for an invalid URL, name or number.
    /// - `StoreUnavailable` if the store could not be reached within `wait_s`, or at once if the
    ///   error is permanent.
    /// - At once: `NamespaceUnknown`, `NamespaceMismatch`, `NamespaceFull`, `NamespaceQuarantined`,
    ///   `ClockSkew`, `StoreCorrupt` and `StoreUnsupported`.
    pub fn acquire(url: &str, options: &LeaseOptions) -> Result<Self, Error> {
        let url = StoreUrl::new(url)?;
        let create = options.create.unwrap_or(matches!(url.kind(), "sqlite" | "memory"));
        Self::of(Source::of(url)?, create, options)
    }

    /// Acquires a lease from a store that is already open.
    ///
    /// A forked child cannot use that store: its generators return `Forked`.
    ///
    /// # Errors
    /// Those of [`Lease::acquire`].
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

    /// Returns the grant that generators may use now.
    ///
    /// # Errors
    /// Without a lease: the error of the last request to the store, for example `StoreUnavailable`,
    /// or else `LeaseLost`. After a release: `LeaseLost`. In a forked child: those of
    /// [`Lease::acquire`], and `Forked` if the lease was not acquired by URL.
    pub fn grant(&self) -> Result<Grant, Error> {
        let news = self.keeper()?.news();
        in_force(&news).cloned().ok_or_else(|| self.lack(&news))
    }

    /// Returns why a generator of this lease, which returned `error`, issues nothing.
    ///
    /// Never waits, not even in a forked child.
    pub(super) fn explain(&self, error: saiban::Error) -> Error {
        if self.is_released() {
            return Error::new(ErrorKind::LeaseLost, RELEASED);
        }
        let keeper = self.0.keeper.load_full();
        if !keeper.is_copy() {
            let what = match (keeper.news().why, error) {
                (Some(why), _) => format!(
                    "there is no lease at the moment: {why}. saiban retries, and issues IDs again once there is one"
                ),
                (None, saiban::Error::Forked) => {
                    "this process, made by fork, had no lease of its own then: try again".into()
                }
                // The error's own message asks the user to acquire a new lease, which is under way
                // already.
                (None, saiban::Error::LeaseClosed) => {
                    "the lease has ended, and a new one was requested: try again".into()
                }
                (None, error) => format!("{error}. An extension or a new lease was requested: try again"),
            };
            return Error::new(ErrorKind::LeaseLost, what);
        }
        std::mem::forget(keeper);
        match self.0.failed.load().as_deref() {
            Some((made_in, why)) if *made_in == process::generation() => why.clone(),
            _ => error.into(),
        }
    }

    /// Returns why there is no lease.
    fn lack(&self, news: &News) -> Error {
        let what = match &news.grant {
            _ if self.is_released() => RELEASED.into(),
            Some(grant) if !grant.is_closed() => format!(
                "the lease ended at {} ms (Unix) by this machine's clock. An extension or a new lease was requested: \
                 try again; if the error persists, check the clock",
                grant.end_ms()
            ),
            _ => "the lease has ended, and a new one was requested: try again".into(),
        };
        let why = news.why.clone().filter(|_| !self.is_released());
        why.unwrap_or_else(|| Error::new(ErrorKind::LeaseLost, what))
    }

    pub(super) fn is_released(&self) -> bool {
        self.0.is_released.load(Ordering::SeqCst)
    }

    /// Returns whether this process is a forked child of the process that acquired the lease.
    ///
    /// If so, the next call may wait for a store.
    #[must_use]
    pub fn is_copy(&self) -> bool {
        self.0.keeper.load().is_copy()
    }

    /// Returns the status of the lease.
    ///
    /// # Errors
    /// In a forked child those of [`Lease::grant`], except that a released lease is not an error.
    pub fn status(&self) -> Result<Status, Error> {
        if self.is_released() && self.is_copy() {
            return Ok(Status { state: State::Idle, nodes: None, end_ms: 0, grants: 0, renewals: 0, why: None });
        }
        Ok(self.keeper()?.news().into())
    }

    /// Requests a renewal now, instead of after a third of the ttl. [`Lease::status`] shows the
    /// result.
    ///
    /// # Errors
    /// In a forked child those of [`Lease::grant`].
    pub fn renew(&self) -> Result<(), Error> {
        self.keeper()?.renew();
        Ok(())
    }

    /// Closes every generator of the lease and releases its nodes, which other holders may get at
    /// once.
    ///
    /// Waits for the store for at most 5 seconds. If the store cannot be notified, the lease ends
    /// by itself. A release is final, and releasing again does nothing. That holds for forked
    /// children too, which never release a lease of their parent.
    ///
    /// # Errors
    /// `StoreUnavailable` if the store could not be notified. Nothing is issued under the lease
    /// then either.
    pub fn release(&self) -> Result<(), Error> {
        self.abandon();
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
                    "the store has not answered within {limit_s} s: nothing is issued under the lease any more, but \
                     its nodes may be free only when it ends"
                ),
            ));
        }
        match news.untold {
            Some(error) if error.kind() == ErrorKind::StoreUnavailable => Err(error),
            _ => Ok(()),
        }
    }

    /// Releases the lease without waiting for the store. A later [`Lease::release`] waits for it.
    pub fn abandon(&self) {
        self.0.is_released.store(true, Ordering::SeqCst);
        let keeper = self.0.keeper.load_full();
        if keeper.is_copy() {
            std::mem::forget(keeper);
        } else {
            keeper.stop();
        }
    }

    /// Calls `listener` on every later change of the lease: it was renewed, lost, or replaced by a
    /// new one.
    ///
    /// The listener runs on the thread that keeps all leases of the process. It must return soon,
    /// and must not wait for a lease. Forked children do not call it.
    ///
    /// # Errors
    /// In a forked child those of [`Lease::grant`].
    pub fn on_change(&self, listener: impl Fn(&Status) + Send + 'static) -> Result<(), Error> {
        self.keeper()?.listen(Box::new(move |news: &News| listener(&news.clone().into())));
        Ok(())
    }

    /// Returns the keeper of this process, which a forked child creates first.
    fn keeper(&self) -> Result<Arc<Keeper>, Error> {
        let keeper = self.0.keeper.load_full();
        if !keeper.is_copy() {
            return Ok(keeper);
        }
        // Leaked: dropping the parent's keeper would change counts that only the parent's threads
        // use.
        std::mem::forget(keeper);
        if self.is_released() {
            return Err(Error::new(ErrorKind::LeaseLost, RELEASED));
        }
        if matches!(self.0.plan.store, Source::Open(_)) {
            return Err(saiban::Error::Forked.into());
        }
        self.follow()
    }

    /// Acquires a lease for a forked child.
    ///
    /// One thread does so while the others poll. They wait for no lock, because a fork could copy a
    /// lock that is held.
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
                        // A release in the meantime found only the parent's keeper.
                        if self.is_released() {
                            keeper.stop();
                        }
                        Ok(keeper)
                    }
                    Err(error) => {
                        let before = self.0.failed.swap(Some(Arc::new((process::generation(), error.clone()))));
                        // The error may be the parent's: never drop it here.
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

/// Checks that a number of seconds is within its limits.
fn check_seconds(name: &str, seconds: i64, least: i64, most: i64, what: &str) -> Result<(), Error> {
    if (least..=most).contains(&seconds) {
        return Ok(());
    }
    let limits = if most == i64::MAX { format!("{least} or more") } else { format!("{least} to {most}") };
    Err(Error::new(ErrorKind::InvalidArgument, format!("{name} is {seconds}: give {what}, {limits} seconds")))
}

impl Drop for Inner {
    fn drop(&mut self) {
        // A forked child stops nothing: the task that would receive the order is the parent's.
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
