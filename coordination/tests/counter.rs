//! A counter from its owner's view: blocks are prefetched in time, and stores become unreachable,
//! are restored, or are emptied.

mod until;

use async_trait::async_trait;
use saiban::{AnyClock, ErrorKind, ManualClock, SystemClock};
use saiban_coordination::counter::protocol::{Take, Taken};
use saiban_coordination::counter::{CounterRecord, CounterTerms};
use saiban_coordination::lease::protocol::{Acquire, Grant, Release, Renew};
use saiban_coordination::lease::{Namespace, Terms};
use saiban_coordination::store::{Listing, MemoryStore, Numbers, Store};
use saiban_coordination::{CounterOptions, DailyCounter, DailyOptions, Error, SharedCounter};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use until::until;

/// A store whose server can be stopped and started, lose a response, or be reset to an earlier
/// state.
struct Shaky {
    store: Mutex<Arc<MemoryStore<SystemClock>>>,
    is_down: AtomicBool,
    loses_answers: AtomicUsize,
    panics: AtomicUsize,
    calls: AtomicUsize,
}

impl Shaky {
    fn new() -> Arc<Self> {
        Arc::new(Shaky {
            store: Mutex::new(Arc::new(MemoryStore::new(SystemClock))),
            is_down: AtomicBool::new(false),
            loses_answers: AtomicUsize::new(0),
            panics: AtomicUsize::new(0),
            calls: AtomicUsize::new(0),
        })
    }

    fn up(&self) -> Result<Arc<MemoryStore<SystemClock>>, Error> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        if self.is_down.load(Ordering::SeqCst) {
            return Err(Error::new(ErrorKind::StoreUnavailable, "the server is away"));
        }
        Ok(Arc::clone(&self.store.lock().expect("nobody fails here")))
    }

    fn empty(&self) {
        *self.store.lock().expect("nobody fails here") = Arc::new(MemoryStore::new(SystemClock));
    }

    fn go(&self, is_down: bool) {
        self.is_down.store(is_down, Ordering::SeqCst);
    }
}

#[async_trait]
impl Numbers for Shaky {
    async fn create_counter(&self, terms: &CounterTerms, next: i64) -> Result<CounterRecord, Error> {
        self.up()?.create_counter(terms, next).await
    }

    async fn take(&self, terms: &CounterTerms, request: &Take) -> Result<Taken, Error> {
        let store = self.up()?;
        let is_next = |left: &AtomicUsize| {
            left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok()
        };
        assert!(!is_next(&self.panics), "the store's client has a defect");
        let answer = store.take(terms, request).await;
        let is_lost = is_next(&self.loses_answers);
        if is_lost { Err(Error::new(ErrorKind::StoreUnavailable, "the answer was lost")) } else { answer }
    }

    async fn raise(&self, name: &str, day: Option<i32>, next: i64) -> Result<CounterRecord, Error> {
        self.up()?.raise(name, day, next).await
    }

    async fn counter(&self, name: &str) -> Result<Option<CounterRecord>, Error> {
        self.up()?.counter(name).await
    }

    async fn counters(&self) -> Result<Vec<(String, CounterRecord)>, Error> {
        self.up()?.counters().await
    }
}

#[async_trait]
impl Store for Shaky {
    async fn create(&self, _: &Terms) -> Result<Namespace, Error> {
        unreachable!("no leases here")
    }

    async fn acquire(&self, _: &str, _: &str, _: &Acquire) -> Result<Grant, Error> {
        unreachable!("no leases here")
    }

    async fn renew(&self, _: &str, _: &Renew) -> Result<Grant, Error> {
        unreachable!("no leases here")
    }

    async fn release(&self, _: &str, _: &Release) -> Result<(), Error> {
        unreachable!("no leases here")
    }

    async fn list(&self, _: &str) -> Result<Listing, Error> {
        unreachable!("no leases here")
    }

    async fn quarantine(&self, _: &str) -> Result<i64, Error> {
        unreachable!("no leases here")
    }

    fn numbers(&self) -> Option<&dyn Numbers> {
        Some(self)
    }
}

fn of_ten() -> CounterOptions {
    // One thread sends the requests of all counters. While a test makes it panic, it prints a
    // backtrace, which takes more than a second on a busy machine.
    CounterOptions { block_size: Some(10), create: Some(true), wait_s: 60, ..CounterOptions::default() }
}

fn counter(store: &Arc<Shaky>, options: &CounterOptions) -> SharedCounter {
    SharedCounter::with_store(store.clone(), options).expect("a counter")
}

fn take(counter: &SharedCounter, count: usize) -> Vec<i64> {
    (0..count).map(|_| counter.generate().expect("a number")).collect()
}

fn prefetched(counter: &SharedCounter) -> u64 {
    counter.status().expect("a status").prefetched
}

#[test]
fn the_next_block_is_fetched_before_this_one_ends() {
    let store = Shaky::new();
    // The call to the store that is away takes most of this time.
    let counter = counter(&store, &CounterOptions { wait_s: 5, ..of_ten() });
    assert_eq!(take(&counter, 4), [1, 2, 3, 4]);
    assert_eq!((prefetched(&counter), counter.status().expect("a status").calls), (6, 1), "half of it is not used yet");
    assert_eq!(take(&counter, 1), [5]);
    until("the next block is there", || prefetched(&counter) == 15);
    // Prefetched numbers last for a while without the store.
    store.go(true);
    assert_eq!(take(&counter, 15), (6..=20).collect::<Vec<_>>());
    let error = counter.generate().expect_err("none prefetched");
    assert_eq!(error.kind(), ErrorKind::StoreUnavailable);
    assert_eq!(error.to_string(), "the server is away");
    assert_eq!(counter.try_generate(), Ok(None));
    store.go(false);
    until("the store is asked again", || counter.try_generate().expect("no error") == Some(21));
}

#[test]
fn a_lost_answer_leaves_a_gap_and_no_duplicate() {
    let store = Shaky::new();
    let counter = counter(&store, &of_ten());
    let mut all = take(&counter, 3);
    store.loses_answers.store(3, Ordering::SeqCst);
    all.extend(take(&counter, 40));
    let distinct: BTreeSet<i64> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len());
    assert_eq!(all[10..12], [41, 42], "three blocks of ten were lost on the way");
}

#[test]
fn a_fetch_that_panics_is_reported_and_the_next_caller_fetches_again() {
    let store = Shaky::new();
    let counter = counter(&store, &of_ten());
    store.panics.store(1, Ordering::SeqCst);
    let error = counter.generate().expect_err("the fetch panicked");
    assert_eq!(error.kind(), ErrorKind::Internal, "{error}");
    assert!(error.to_string().contains("panicked"), "{error}");
    assert_eq!(take(&counter, 4), [1, 2, 3, 4]);
    // A panic while a block is prefetched appears in the status.
    store.panics.store(1, Ordering::SeqCst);
    assert_eq!(take(&counter, 1), [5]);
    until("the panic is known", || counter.status().expect("a status").why.is_some());
    assert_eq!(counter.status().expect("a status").why.expect("an error").kind(), ErrorKind::Internal);
    assert_eq!(take(&counter, 15), (6..=20).collect::<Vec<_>>());
}

#[test]
fn a_counter_that_was_deleted_hands_out_nothing_more() {
    let store = Shaky::new();
    let counter = counter(&store, &of_ten());
    assert_eq!(take(&counter, 1), [1]);
    store.empty();
    // Prefetched numbers remain valid.
    assert_eq!(take(&counter, 9), (2..=10).collect::<Vec<_>>());
    let deleted = counter.generate().expect_err("it is not there").to_string();
    assert!(deleted.contains("10 was handed out before") && deleted.contains("no longer exists"), "{deleted}");
    // Another program creates the counter again.
    let other = self::counter(&store, &of_ten());
    assert_eq!(take(&other, 1), [1]);
    let error = counter.generate().expect_err("it is another");
    assert_eq!(error.kind(), ErrorKind::CounterBehind);
    assert!(
        error.to_string().contains("deleted and made again") && error.to_string().contains("counter init --at"),
        "{error}"
    );
}

#[test]
fn a_missing_counter_is_created_only_on_request() {
    let store = Shaky::new();
    let careful = counter(&store, &CounterOptions { create: Some(false), ..of_ten() });
    let error = careful.generate().expect_err("it is not there");
    assert_eq!(error.kind(), ErrorKind::CounterUnknown);
    assert!(error.to_string().contains("create=True"), "{error}");
    assert_eq!(take(&counter(&store, &of_ten()), 1), [1]);
    // This counter sends a request each time.
    assert_eq!(take(&careful, 1), [11]);
}

#[test]
fn the_error_of_a_counter_names_a_missing_folder() {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}/not/there.db", folder.path().display());
    for (create, kind) in [(false, ErrorKind::CounterUnknown), (true, ErrorKind::StoreUnavailable)] {
        let options = CounterOptions { create: Some(create), ..of_ten() };
        let error = SharedCounter::open(&url, &options).expect("a URL").generate().expect_err("no folder");
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains("folder") && error.to_string().contains("first"), "{error}");
    }
}

#[test]
fn threads_and_fills_share_the_prefetched_numbers() {
    let store = Shaky::new();
    let options = CounterOptions {
        block_size: None,
        start: 3,
        step: 4,
        wait_s: 30,
        create: Some(true),
        ..CounterOptions::default()
    };
    let counters = [counter(&store, &options), counter(&store, &options)];
    let all: Vec<Vec<i64>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..6_usize)
            .map(|thread| {
                let counter = &counters[thread % 2];
                scope.spawn(move || {
                    if thread < 3 {
                        return take(counter, 20_000);
                    }
                    let mut numbers = vec![0; 20_000];
                    for some in numbers.chunks_mut(333) {
                        assert_eq!(counter.fill(some), Ok(some.len()));
                    }
                    numbers
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    let distinct: BTreeSet<i64> = all.iter().flatten().copied().collect();
    assert_eq!(distinct.len(), 120_000);
    assert!(distinct.iter().all(|number| number % 4 == 3));
    assert!(all.iter().all(|numbers| numbers.is_sorted()), "a thread's numbers grow");
    let status = counters[0].status().expect("a status");
    assert!(status.block_size > 100 && status.calls < 100, "blocks have grown: {status:?}");
}

#[test]
fn a_block_size_of_one_requests_each_number() {
    let store = Shaky::new();
    let counter = counter(&store, &CounterOptions { block_size: Some(1), ..of_ten() });
    for number in 1..=5 {
        assert_eq!(counter.generate(), Ok(number));
        assert_eq!((prefetched(&counter), counter.status().expect("a status").calls), (0, number.unsigned_abs()));
    }
}

#[test]
fn impossible_options_are_refused_with_the_reason() {
    let refused = |options: &CounterOptions| {
        let error = SharedCounter::open("memory:refused", options).expect_err("it cannot be");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        error.to_string()
    };
    let of = CounterOptions::default;
    assert!(refused(&CounterOptions { gapless: true, ..of() }).contains("rolled back"));
    assert!(refused(&CounterOptions { start: -1, ..of() }).contains("start at -1"));
    assert!(refused(&CounterOptions { step: 0, ..of() }).contains("step by 0"));
    assert!(refused(&CounterOptions { block_size: Some(0), ..of() }).contains("block_size is 0"));
    let small = CounterOptions { block_size: Some(10), max_block_size: 5, ..of() };
    assert!(refused(&small).contains("block_size is 10, and max_block_size 5"));
    assert!(refused(&CounterOptions { wait_s: 0, ..of() }).contains("wait_s is 0: give 1 to"));
    assert!(refused(&CounterOptions { name: "no name".into(), ..of() }).contains("\"no name\" cannot name a counter"));
    for url in ["etcd://127.0.0.1:1", "zookeeper://127.0.0.1:1"] {
        let error = SharedCounter::open(url, &of()).expect_err("no counters there");
        assert_eq!(error.kind(), ErrorKind::StoreUnsupported, "{url}");
    }
    let other = CounterOptions { name: "mismatch".into(), step: 5, ..of() };
    let five = SharedCounter::open("memory:refused", &other).expect("a counter");
    assert_eq!(five.generate(), Ok(1));
    let four = SharedCounter::open("memory:refused", &CounterOptions { step: 4, ..other }).expect("a counter");
    assert_eq!(four.generate().expect_err("it counts otherwise").kind(), ErrorKind::CounterMismatch);
}

#[test]
fn numbers_of_a_day_are_remembered_after_the_day() {
    let store = Shaky::new();
    let (daily, clock) = daily(&store, "2026-11-21T23:59:59.999Z", &DailyOptions::default());
    assert_eq!(texts(&daily, 2), ["20261121-000001", "20261121-000002"]);
    clock.advance(1).expect("a time");
    assert_eq!(texts(&daily, 1), ["20261122-000001"]);
    store.empty();
    for (step_ms, expected) in [(-1, "2 was handed out before"), (86_400_001, "numbers were handed out before")] {
        clock.advance(step_ms).expect("a time");
        let error = daily.generate().expect_err("it no longer exists");
        assert_eq!(error.kind(), ErrorKind::CounterBehind, "{error}");
        assert!(error.to_string().contains(expected) && error.to_string().contains("counter init --at"), "{error}");
    }
}

/// Returns daily numbers on a manual clock at this time.
fn daily(store: &Arc<Shaky>, time: &str, options: &DailyOptions) -> (DailyCounter, Arc<ManualClock>) {
    let now: jiff::Timestamp = time.parse().expect("a time");
    let clock = Arc::new(ManualClock::new(now.as_millisecond()).expect("a time"));
    let options = DailyOptions { create: Some(true), block_size: Some(1), ..options.clone() };
    let daily =
        DailyCounter::with_store(store.clone(), AnyClock::Manual(Arc::clone(&clock)), &options).expect("daily numbers");
    (daily, clock)
}

fn texts(daily: &DailyCounter, count: usize) -> Vec<String> {
    (0..count).map(|_| daily.generate().expect("a number").text).collect()
}

#[test]
fn daily_numbers_restart_at_midnight_in_the_users_time_zone() {
    let store = Shaky::new();
    let berlin = DailyOptions { zone: "Europe/Berlin".into(), ..DailyOptions::default() };
    let (one, clock) = daily(&store, "2026-11-21T22:59:59.999Z", &berlin);
    let (other, others_clock) = daily(&store, "2026-11-21T22:59:59.999Z", &berlin);
    assert_eq!(texts(&one, 2), ["20261121-000001", "20261121-000002"]);
    assert_eq!(texts(&other, 1), ["20261121-000003"]);
    clock.advance(1).expect("a time");
    assert_eq!(texts(&one, 1), ["20261122-000001"]);
    // A process whose clock is behind continues with the day that its clock shows, and no number is
    // repeated.
    assert_eq!(texts(&other, 1), ["20261121-000004"]);
    others_clock.advance(1).expect("a time");
    assert_eq!(texts(&other, 1), ["20261122-000002"]);
    // The clock steps back over midnight, and forward again.
    clock.advance(-2).expect("a time");
    assert_eq!(texts(&one, 1), ["20261121-000005"]);
    clock.advance(2).expect("a time");
    assert_eq!(texts(&one, 1), ["20261122-000003"]);
}

#[test]
fn days_have_23_or_25_hours_where_clocks_are_put_forward_or_back() {
    let store = Shaky::new();
    let hour_ms = 3_600_000;
    // Clocks go forward at 2:00 in Berlin, and at midnight in Beirut, where that day begins at
    // 1:00; back at 2:00 in Berlin, and from midnight to 23:00 in Beirut.
    for (zone, before, hours, dates) in [
        ("Europe/Berlin", "2026-03-28T22:59:59.999Z", 23, ["20260328", "20260329", "20260330"]),
        ("Asia/Beirut", "2026-03-28T21:59:59.999Z", 23, ["20260328", "20260329", "20260330"]),
        ("Europe/Berlin", "2026-10-24T21:59:59.999Z", 25, ["20261024", "20261025", "20261026"]),
        ("Asia/Beirut", "2026-10-23T20:59:59.999Z", 25, ["20261023", "20261024", "20261025"]),
    ] {
        let options = DailyOptions {
            name: format!("{hours}-{}", &zone[..4]),
            zone: zone.into(),
            format: "{date:%Y%m%d}/{n}".into(),
            ..DailyOptions::default()
        };
        let (daily, clock) = daily(&store, before, &options);
        assert_eq!(texts(&daily, 1), [format!("{}/1", dates[0])], "{zone}");
        clock.advance(1).expect("a time");
        assert_eq!(texts(&daily, 1), [format!("{}/1", dates[1])], "{zone}");
        clock.advance(hours * hour_ms - 1).expect("a time");
        assert_eq!(texts(&daily, 1), [format!("{}/2", dates[1])], "{zone}: {hours} hours");
        clock.advance(1).expect("a time");
        assert_eq!(texts(&daily, 1), [format!("{}/1", dates[2])], "{zone}: {hours} hours");
    }
}

#[test]
fn daily_numbers_of_another_zone_or_first_number_are_refused() {
    let store = Shaky::new();
    let utc = DailyOptions { first: 0, ..DailyOptions::default() };
    assert_eq!(texts(&daily(&store, "2026-11-21T12:00:00Z", &utc).0, 1), ["20261121-000000"]);
    for other in [DailyOptions { first: 1, ..utc.clone() }, DailyOptions { zone: "Asia/Tokyo".into(), ..utc.clone() }] {
        let error = daily(&store, "2026-11-21T12:00:00Z", &other).0.generate().expect_err("another counter");
        assert_eq!(error.kind(), ErrorKind::CounterMismatch, "{error}");
    }
    for (zone, format) in
        [("Mars/Olympus", "{date:%F}{n}"), ("UTC", "{n}"), ("UTC", "{date:%F}"), ("UTC", "{date:%Y%m}-{n}")]
    {
        let options = DailyOptions { zone: zone.into(), format: format.into(), ..DailyOptions::default() };
        let error = DailyCounter::open("memory:refused", &options).expect_err("it cannot be");
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{error}");
    }
}
