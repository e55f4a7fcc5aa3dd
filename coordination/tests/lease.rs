//! A lease that is kept: generators follow it through renewals, losses, and unreachable stores.

mod until;

use async_trait::async_trait;
use saiban::{
    ErrorKind, Generator, GeneratorSpec, Layout, ManualClock, Options, RandflakeGenerator, Scheme, Secret,
    SnowflakeGenerator, SystemClock, TickIdGenerator, TickOrder, UlidFlakeFormat,
};
use saiban_coordination::lease::holder::State;
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew};
use saiban_coordination::lease::{Namespace, Terms};
use saiban_coordination::store::{Listing, MemoryStore, Store};
use saiban_coordination::{AnyIssuer, Error, Issuer, Lease, LeaseOptions, Leased, NodesFrom, Status, StoreNodes};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use until::until;

/// A store whose server can be stopped and started.
struct Shaky {
    store: MemoryStore<SystemClock>,
    is_down: AtomicBool,
    /// Whether it refuses permanently, and the number of requests since then.
    is_refusing: AtomicBool,
    refusals: AtomicUsize,
}

impl Shaky {
    fn new() -> Arc<Self> {
        Arc::new(Shaky {
            store: MemoryStore::new(SystemClock),
            is_down: AtomicBool::new(false),
            is_refusing: AtomicBool::new(false),
            refusals: AtomicUsize::new(0),
        })
    }

    fn up(&self) -> Result<&MemoryStore<SystemClock>, Error> {
        if self.is_down.load(Ordering::SeqCst) {
            return Err(Error::new(ErrorKind::StoreUnavailable, "the server is away"));
        }
        if self.is_refusing.load(Ordering::SeqCst) {
            self.refusals.fetch_add(1, Ordering::SeqCst);
            return Err(Error::new(ErrorKind::StoreUnavailable, "a wrong password").permanent());
        }
        Ok(&self.store)
    }
}

#[async_trait]
impl Store for Shaky {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        self.up()?.create(terms).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        self.up()?.acquire(name, fingerprint, request).await
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        self.up()?.renew(name, request).await
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        self.up()?.release(name, request).await
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        self.up()?.list(name).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        self.up()?.quarantine(name).await
    }
}

fn options(ttl_s: i64) -> LeaseOptions {
    LeaseOptions { nodes: 2, ttl_s, create: Some(true), wait_s: 1, ..LeaseOptions::default() }
}

fn snowflakes(lease: &Lease) -> Leased<SnowflakeGenerator> {
    let build = |grant: &saiban::Grant| {
        SnowflakeGenerator::build(Layout::TWITTER, &Options::default().grant(grant), SystemClock)
    };
    Leased::new(lease, build).expect("a generator")
}

/// Leases of 3 s, which do not end although this process is paused for a second.
fn lasting() -> LeaseOptions {
    LeaseOptions { wait_s: 5, ..options(3) }
}

/// A generator that explains its errors.
fn issued(spec: &GeneratorSpec, lease: &Lease) -> Issuer<i64> {
    match AnyIssuer::open(spec, Options::default(), NodesFrom::Lease(lease), SystemClock).expect("a generator") {
        AnyIssuer::Narrow(ids) => ids,
        AnyIssuer::Wide(_) => panic!("its IDs have more than 64 bits"),
    }
}

fn listing(store: &Shaky) -> Listing {
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    runtime.block_on(store.store.list("default")).expect("a listing")
}

#[test]
fn a_lease_is_renewed_in_the_background_and_given_back_when_it_is_released() {
    let store = Shaky::new();
    let lease = Lease::with_store(store.clone(), &lasting()).expect("a lease");
    let ids = snowflakes(&lease);
    let nodes = lease.grant().expect("a grant").nodes();
    let first = ids.generate().expect("an ID");
    until("a renewal", || lease.status().expect("a status").renewals >= 3);
    let status = lease.status().expect("a status");
    assert_eq!((status.nodes, status.grants, status.why), (Some(nodes.clone()), 1, None));
    let last = ids.generate().expect("an ID");
    assert!(first < last && nodes.contains(&(ids.inspect(last).expect("parts").node.expect("a node") as i64)));

    lease.release().expect("given back");
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost));
    assert_eq!(lease.grant().map_err(|error| error.kind()), Err(ErrorKind::LeaseLost));
    assert!(lease.release().is_ok(), "once more");
    let listing = listing(&store);
    let slot = listing.slots.iter().find(|slot| slot.nodes == nodes).expect("its slot");
    let end_ms = ids.inspect(last).expect("parts").timestamp_ms.expect("a time") + 1;
    assert_eq!((slot.end_us, slot.high_water_us), (0, end_ms * 1_000), "up to the last tick that was reserved");
}

#[test]
fn a_lease_that_is_dropped_is_given_back_too() {
    let store = Shaky::new();
    let lease = Lease::with_store(store.clone(), &options(600)).expect("a lease");
    let ids = snowflakes(&lease);
    drop(lease);
    ids.generate().expect("the generator holds it still");
    drop(ids);
    until("the release", || listing(&store).slots.iter().all(|slot| slot.end_us == 0));
}

#[test]
fn a_store_that_is_unavailable_until_the_lease_ends_costs_time_and_no_uniqueness() {
    let store = Shaky::new();
    let lease = Lease::with_store(store.clone(), &lasting()).expect("a lease");
    let changes = Arc::new(Mutex::new(Vec::new()));
    let recorded = Arc::clone(&changes);
    lease.on_change(move |status: &Status| recorded.lock().expect("a lock").push(status.state)).expect("a listener");
    let ids = snowflakes(&lease);
    let mut made = HashSet::new();
    for _ in 0..2 {
        for _ in 0..1_000 {
            assert!(made.insert(ids.generate().expect("an ID")));
        }
        let grants = lease.status().expect("a status").grants;
        store.is_down.store(true, Ordering::SeqCst);
        let mut refused = None;
        until("the lease's end", || {
            match ids.generate() {
                Ok(id) => assert!(made.insert(id)),
                Err(error) => refused = Some(error.kind()),
            }
            refused.is_some() && lease.grant().is_err()
        });
        assert!(matches!(refused, Some(ErrorKind::LeaseExpired | ErrorKind::LeaseLost)), "{refused:?}");
        assert_eq!(lease.grant().map_err(|error| error.kind()), Err(ErrorKind::StoreUnavailable), "the reason");
        store.is_down.store(false, Ordering::SeqCst);
        until("another lease", || ids.generate().is_ok_and(|id| made.insert(id)));
        assert_eq!(lease.status().expect("a status").grants, grants + 1);
    }
    let changes = changes.lock().expect("a lock");
    for state in [State::Renewing, State::Expired, State::Acquiring, State::Active] {
        assert!(changes.contains(&state), "{state:?} was not told");
    }
}

#[test]
fn threads_and_processes_of_one_store_never_repeat_an_id() {
    let store = Shaky::new();
    let made = Mutex::new(HashSet::new());
    let leases = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                // Each turn imitates a process that restarts.
                for _ in 0..5 {
                    let lease = Lease::with_store(store.clone(), &options(60)).expect("a lease");
                    leases.fetch_add(1, Ordering::Relaxed);
                    let ids = snowflakes(&lease);
                    let mut block = [0; 2_000];
                    let written = ids.fill(&mut block).expect("some IDs");
                    lease.release().expect("given back");
                    let mut made = made.lock().expect("a lock");
                    for id in &block[..written] {
                        assert!(made.insert(*id), "{id} came twice");
                    }
                }
            });
        }
    });
    assert_eq!(leases.into_inner(), 20);
}

#[test]
fn impossible_leases_are_refused_at_once() {
    let store = Shaky::new();
    let kind = |options: &LeaseOptions| Lease::with_store(store.clone(), options).map_err(|error| error.kind()).err();
    assert_eq!(kind(&LeaseOptions { create: None, ..options(60) }), Some(ErrorKind::NamespaceUnknown));
    assert_eq!(kind(&options(0)), Some(ErrorKind::InvalidArgument));
    assert_eq!(kind(&options(-5)), Some(ErrorKind::InvalidArgument));
    assert_eq!(kind(&options(i64::MAX)), Some(ErrorKind::InvalidArgument));
    for nodes in [0, -1, 1_025, i64::MAX] {
        assert_eq!(kind(&LeaseOptions { nodes, ..options(60) }), Some(ErrorKind::InvalidArgument), "{nodes}");
    }
    for namespace in ["", "two words", "ü", &"n".repeat(65)] {
        let options = LeaseOptions { namespace: namespace.into(), ..options(60) };
        assert_eq!(kind(&options), Some(ErrorKind::InvalidArgument), "{namespace}");
    }
    let no_node = LeaseOptions { layout: Some(Layout::MASTODON), ..options(60) };
    assert_eq!(kind(&no_node), Some(ErrorKind::InvalidArgument));
    let _held = Lease::with_store(store.clone(), &options(60)).expect("a lease");
    assert_eq!(
        kind(&LeaseOptions { layout: Some(Layout::DISCORD), ..options(60) }),
        Some(ErrorKind::NamespaceMismatch)
    );
    assert_eq!(kind(&LeaseOptions { nodes: 1_024, ..options(60) }), Some(ErrorKind::NamespaceFull));
    store.is_down.store(true, Ordering::SeqCst);
    assert_eq!(kind(&options(60)), Some(ErrorKind::StoreUnavailable));
}

#[test]
fn a_randflake_lease_is_for_its_secret_and_does_not_show_it() {
    let store = Shaky::new();
    let secret = Secret::new(*b"nobody knows me.");
    let layout = Layout::from_text("timestamp:30@s,epoch=2024-10-27T03:33:20Z node:17 sequence:17").expect("a layout");
    let of = |secret: &Secret| LeaseOptions {
        scheme: Scheme::Randflake,
        layout: Some(layout),
        secret: Some(secret.clone()),
        holder: Some("web\n1".into()),
        ..options(60)
    };
    let lease = Lease::with_store(store.clone(), &of(&secret)).expect("a lease");
    let key = secret.clone();
    let ids = Leased::new(&lease, move |grant| {
        RandflakeGenerator::build(&key, &Options::default().grant(grant), SystemClock)
    });
    let ids = ids.expect("a generator");
    let node = ids.inspect(ids.generate().expect("an ID")).expect("parts").node.expect("a node");
    assert!(lease.grant().expect("a grant").nodes().contains(&(node as i64)));
    let listing = listing(&store);
    assert!(listing.slots.iter().any(|slot| slot.holder == "web1"), "control characters are left out");
    let shown = format!("{lease:?} {:?} {listing:?} {:?}", lease.status(), of(&secret));
    assert!(!shown.contains("nobody") && !shown.contains("6e6f626f") && !shown.contains("110, 111"), "{shown}");
    let other = Lease::with_store(store, &of(&Secret::new([0; 16])));
    assert_eq!(other.map_err(|error| error.kind()).err(), Some(ErrorKind::NamespaceMismatch));
}

#[test]
fn a_grant_that_was_closed_by_hand_is_given_back_with_all_that_was_reserved() {
    let store = Shaky::new();
    let layout = Layout::DISCORD;
    let lease =
        Lease::with_store(store.clone(), &LeaseOptions { layout: Some(layout), ..options(60) }).expect("a lease");
    // The clock is ahead of the store's by an allowed amount.
    let ahead_ms = listing(&store).now_us / 1_000 + 5_000;
    let build = move |grant: &saiban::Grant| {
        SnowflakeGenerator::build(layout, &Options::default().grant(grant), ManualClock::new(ahead_ms)?)
    };
    let ids = Leased::new(&lease, build).expect("a generator");
    let made = ids.inspect(ids.generate().expect("an ID")).expect("its parts");
    let node = i64::try_from(made.node.expect("a node")).expect("a small one");
    let _ = lease.grant().expect("a grant").close();
    lease.release().expect("given back");
    let listing = listing(&store);
    let slot = listing.slots.iter().find(|slot| slot.nodes.contains(&node)).expect("every node has a slot");
    assert_eq!((slot.end_us, slot.high_water_us), (0, (made.timestamp_ms.expect("a time") + 1) * 1_000));
}

#[test]
fn a_leased_generator_reports_why_it_makes_no_ids() {
    let store = Shaky::new();
    let lease = Lease::with_store(store.clone(), &lasting()).expect("a lease");
    let spec = GeneratorSpec::new(Scheme::Snowflake);
    let ids = issued(&spec, &lease);
    ids.generate().expect("an ID");
    store.is_down.store(true, Ordering::SeqCst);
    until("the end of the lease", || ids.generate().is_err());
    let error = ids.explain(ids.generate().expect_err("no lease")).expect("under a lease");
    assert!(matches!(error.kind(), ErrorKind::LeaseExpired | ErrorKind::LeaseLost), "{error}");
    assert!(error.to_string().contains("the server is away"), "{error}");
    store.is_down.store(false, Ordering::SeqCst);
    until("a new lease", || ids.generate().is_ok());

    lease.release().expect("given back");
    let error = ids.explain(ids.generate().expect_err("released")).expect("under a lease");
    assert_eq!(ids.stats().expect("stats").time_left_ms, 0);
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
    assert!(error.to_string().contains("released"), "{error}");
    let no_node = AnyIssuer::open(&spec, Options::default(), NodesFrom::Options, SystemClock).expect_err("no node");
    assert_eq!(no_node.kind(), ErrorKind::NodeRequired);
    assert_eq!(no_node.core(), Some(saiban::Error::NodeRequired { max: 1023 }));
}

#[test]
fn an_issuers_text_is_that_of_its_generator() {
    let bare = TickIdGenerator::new(TickOrder::Ascending).expect("a generator");
    let spec = GeneratorSpec::new(Scheme::TickId);
    let ids = AnyIssuer::open(&spec, Options::default(), NodesFrom::Options, SystemClock).expect("a generator");
    let AnyIssuer::Wide(ids) = ids else { panic!("its IDs have up to 64 bits") };
    let id = ids.generate().expect("an ID");
    assert_eq!(ids.to_text(id).expect("text").as_str(), bare.to_text(id).expect("text").as_str());
    let made = ids.generate_text(None).expect("an ID");
    assert_eq!(
        ids.to_text(bare.from_text(made.as_str()).expect("its own text")).expect("text").as_str(),
        made.as_str()
    );
}

#[test]
fn a_generator_with_a_store_acquires_a_lease_for_its_scheme() {
    let open = |spec: &GeneratorSpec, store: &StoreNodes| {
        AnyIssuer::open(spec, Options::default(), NodesFrom::given(None, Some(store))?, SystemClock)
    };
    let mut spec = GeneratorSpec::new(Scheme::Randflake);
    spec.secret = Some(Secret::new(*b"nobody knows me."));
    let store = StoreNodes::given(Some("memory:own".into()), Some("orders".into())).expect("a store");
    let store = store.expect("a store");
    let ids = open(&spec, &store).expect("a generator");
    let AnyIssuer::Narrow(ids) = ids else { panic!("its IDs have more than 64 bits") };
    let node = ids.inspect(ids.generate().expect("an ID")).expect("parts").node.expect("a node");
    let status = ids.lease().expect("a lease").status().expect("a status");
    assert_eq!(status.nodes.map(|nodes| nodes.start as u64), Some(node));
    // The namespace is now for Randflakes.
    let snowflake = open(&GeneratorSpec::new(Scheme::Snowflake), &store).map(drop).map_err(|error| error.kind());
    assert_eq!(snowflake, Err(ErrorKind::NamespaceMismatch));

    // The lease ends when its generator is dropped, and another holder may lease the node.
    let two_nodes = Layout::from_text("timestamp:41 node:1 sequence:20").expect("a layout");
    let (spec, store) = (GeneratorSpec::new(Scheme::Flake).layout(two_nodes), StoreNodes::new("memory:two nodes"));
    let (one, _other) = (open(&spec, &store).expect("a generator"), open(&spec, &store).expect("a generator"));
    assert_eq!(open(&spec, &store).map(drop).map_err(|error| error.kind()), Err(ErrorKind::NamespaceFull));
    drop(one);
    until("a free node", || open(&spec, &store).is_ok());
}

#[test]
fn a_lease_beside_a_store_and_a_namespace_without_one_are_refused() {
    let store = StoreNodes::new("memory:twice");
    let lease = Lease::acquire("memory:twice", &LeaseOptions::default()).expect("a lease");
    let (kind, open) = (
        |error: Error| error.kind(),
        |spec: &GeneratorSpec, options: Options| {
            AnyIssuer::open(spec, options, NodesFrom::Store(&store), SystemClock).map(drop)
        },
    );
    assert_eq!(NodesFrom::given(Some(&lease), Some(&store)).map(drop).map_err(kind), Err(ErrorKind::InvalidArgument));
    assert_eq!(StoreNodes::given(None, Some("a".into())).map(drop).map_err(kind), Err(ErrorKind::InvalidArgument));
    assert!(StoreNodes::given(None, None).expect("none given").is_none());
    let ulid = open(&GeneratorSpec::new(Scheme::Ulid), Options::default());
    assert_eq!(ulid.map_err(kind), Err(ErrorKind::InvalidArgument));
    let both = open(&GeneratorSpec::new(Scheme::Snowflake), Options::node(7));
    assert_eq!(both.map_err(kind), Err(ErrorKind::InvalidArgument));
    let url = AnyIssuer::open(
        &GeneratorSpec::new(Scheme::Snowflake),
        Options::default(),
        NodesFrom::Store(&StoreNodes::new("ids.db")),
        SystemClock,
    );
    assert_eq!(url.map(drop).map_err(kind), Err(ErrorKind::InvalidArgument));
}

#[test]
fn a_store_in_memory_is_shared_by_all_leases_of_its_name() {
    let named = |url: &str| Lease::acquire(url, &LeaseOptions::default()).expect("a lease");
    let nodes = |lease: &Lease| lease.grant().expect("a grant").nodes();
    let (one, other) = (named("memory:one"), named("memory:one"));
    assert_ne!(nodes(&one), nodes(&other));
    let refusal =
        Lease::acquire("memory:one", &LeaseOptions { layout: Some(Layout::DISCORD), ..LeaseOptions::default() });
    assert_eq!(refusal.expect_err("another layout").kind(), ErrorKind::NamespaceMismatch);
    Lease::acquire("memory:two", &LeaseOptions { layout: Some(Layout::DISCORD), ..LeaseOptions::default() })
        .expect("another store");
    let slashed = |url: &str, layout: Layout| {
        Lease::acquire(url, &LeaseOptions { layout: Some(layout), ..LeaseOptions::default() }).expect("a lease")
    };
    let three = slashed("memory://three", Layout::DISCORD);
    assert_ne!(nodes(&three), nodes(&slashed("memory:three", Layout::DISCORD)));
    slashed("memory://four", Layout::TWITTER);
}

#[test]
fn a_scheme_has_its_own_layout_and_only_a_randflake_a_secret() {
    let secret = || Some(Secret::new([7; 16]));
    let lease = |scheme, layout, secret| {
        let options =
            LeaseOptions { scheme, layout, secret, namespace: scheme.name().into(), ..LeaseOptions::default() };
        Lease::acquire("memory:schemes", &options).map(|lease| lease.grant().expect("a grant").nodes().end)
    };
    assert!(lease(Scheme::Randflake, None, secret()).is_ok_and(|end| end <= 1 << 17));
    assert!(lease(Scheme::UlidFlake, None, None).is_ok_and(|end| end <= 32));
    assert!(lease(Scheme::Flake, Some(Layout::DISCORD), None).is_ok());
    for (scheme, secret) in
        [(Scheme::Randflake, None), (Scheme::Snowflake, secret()), (Scheme::Flake, None), (Scheme::Ulid, None)]
    {
        let refusal = lease(scheme, None, secret).expect_err("what does not go together");
        assert_eq!(refusal.kind(), ErrorKind::InvalidArgument, "{scheme}: {refusal}");
    }
    // No generator of the scheme could use this lease.
    for (scheme, secret) in [(Scheme::Randflake, secret()), (Scheme::UlidFlake, None)] {
        let refusal = lease(scheme, Some(Layout::TWITTER), secret).expect_err("another scheme's layout").to_string();
        let own = Terms::layout(scheme, None, Some(&Secret::new([7; 16])).filter(|_| scheme == Scheme::Randflake))
            .expect("a layout");
        assert!(refusal.contains(&own.to_string()) && refusal.contains(&Layout::TWITTER.to_string()), "{refusal}");
    }
    let of_2020 = UlidFlakeFormat { scalability: Some(0), epoch_ms: 1_577_836_800_000, ..UlidFlakeFormat::default() };
    let options = LeaseOptions { scheme: Scheme::UlidFlake, layout: of_2020.layout().ok(), ..LeaseOptions::default() };
    Lease::acquire("memory:of 2020", &options).expect("a Ulid-Flake's of another epoch");
    let two = Lease::acquire("memory:of 2020", &LeaseOptions { nodes: 2, ..options }).expect_err("it can use one");
    assert!(two.to_string().contains("2 nodes") && two.to_string().contains("ask for 1"), "{two}");
}

#[test]
fn a_namespace_that_would_refuse_its_first_lease_is_not_created() {
    let store = Shaky::new();
    let refusal =
        Lease::with_store(store.clone(), &LeaseOptions { max_ttl_s: 10, ..options(600) }).expect_err("too long");
    assert_eq!(refusal.kind(), ErrorKind::InvalidArgument);
    assert!(
        refusal.to_string().contains("600 s (ttl_s)") && refusal.to_string().contains("10 s (max_ttl_s)"),
        "{refusal}"
    );
    Lease::with_store(store.clone(), &options(600)).expect("a namespace that allows it");
    // The creator of a namespace decides what it allows, not a later user.
    Lease::with_store(store, &LeaseOptions { max_ttl_s: 10, ..options(600) }).expect("it is there already");
}

#[test]
fn two_namespaces_of_one_layout_share_no_cursor() {
    let layout = Layout::from_text("timestamp:41@ms,epoch=2021-04-04 node:1 sequence:12").expect("a layout");
    let ids = |namespace: &str| {
        let options = LeaseOptions {
            namespace: namespace.into(),
            nodes: 2,
            scheme: Scheme::Flake,
            layout: Some(layout),
            ..LeaseOptions::default()
        };
        let lease = Lease::acquire("memory:columns", &options).expect("a lease of all nodes");
        issued(&GeneratorSpec::new(Scheme::Flake).layout(layout), &lease)
    };
    let (orders, customers) = (ids("orders"), ids("customers"));
    assert!(orders.generate().is_ok() && customers.generate().is_ok());
}

#[test]
fn a_store_that_refuses_permanently_is_asked_once() {
    let store = Shaky::new();
    store.is_refusing.store(true, Ordering::SeqCst);
    let options = LeaseOptions { wait_s: 3, ..options(60) };
    let error = Lease::with_store(store.clone(), &options).expect_err("a wrong password");
    assert!(error.is_permanent(), "{error}");
    assert_eq!(store.refusals.load(Ordering::SeqCst), 1, "again it would lock the account");
}

#[test]
fn seconds_outside_their_limits_are_refused_with_them() {
    let refused = |options: LeaseOptions, message: &str| {
        let error = Lease::with_store(Shaky::new(), &options).expect_err(message);
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
        assert!(error.to_string().contains(message), "{error}");
    };
    for max_clock_skew_s in [-1, i64::MIN] {
        let message = format!(
            "max_clock_skew_s is {max_clock_skew_s}: give how far this clock may be from the store's, 0 or more"
        );
        refused(LeaseOptions { max_clock_skew_s, ..options(60) }, &message);
    }
    for wait_s in [0, -1, i64::MIN] {
        let message = format!("wait_s is {wait_s}: give how long to wait for the store, 1 or more");
        refused(LeaseOptions { wait_s, ..options(60) }, &message);
    }
    for ttl_s in [i64::MIN, -5, 0, 2_592_001, i64::MAX] {
        let message =
            format!("ttl_s is {ttl_s}: give a ttl of a second or more, up to the namespace's max_ttl_s, 1 to 2592000");
        refused(options(ttl_s), &message);
    }
    refused(
        options(3_601),
        "a lease of 3601 s (ttl_s) is longer than the namespace \"default\" would allow, 3600 s (max_ttl_s): the \
         namespace was not created",
    );
    let widest = LeaseOptions { max_clock_skew_s: i64::MAX, wait_s: i64::MAX, ..options(60) };
    Lease::with_store(Shaky::new(), &widest).expect("a lease");
}
