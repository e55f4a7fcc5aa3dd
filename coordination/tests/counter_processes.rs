//! Eight processes take 100,000 numbers each of one counter, and of one day, on every real server,
//! and one of them is killed halfway. Every number is issued once, in the counter's steps, and only
//! numbers that the killed process had prefetched are missing.

mod servers;
mod until;

use saiban::{Clock, SystemClock};
use saiban_coordination::{CounterOptions, DailyCounter, DailyOptions, SharedCounter};
use servers::Server;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use until::until;

const WORKERS: usize = 8;
const NUMBERS: usize = 100_000;
const BLOCK: i64 = 1_000;
const START: i64 = 2;
const STEP: i64 = 5;

/// Environment variables that make a copy of a test a worker: the store, the file for its numbers,
/// and for daily counters the time zone.
const STORE: &str = "SAIBAN_TEST_COUNTER";
const RECORD: &str = "SAIBAN_TEST_RECORD";
const ZONE: &str = "SAIBAN_TEST_ZONE";

enum Counter {
    Shared(SharedCounter),
    Daily(DailyCounter),
}

impl Counter {
    fn open(url: &str, zone: Option<&str>) -> Self {
        let (name, block_size, create, wait_s) = ("processes".to_owned(), Some(BLOCK), Some(true), 60);
        if let Some(zone) = zone {
            let zone = zone.to_owned();
            let options =
                DailyOptions { name, zone, first: START, block_size, create, wait_s, ..DailyOptions::default() };
            return Counter::Daily(DailyCounter::open(url, &options).expect("daily numbers"));
        }
        let options =
            CounterOptions { name, start: START, step: STEP, block_size, create, wait_s, ..CounterOptions::default() };
        Counter::Shared(SharedCounter::open(url, &options).expect("a counter"))
    }

    fn generate(&self) -> i64 {
        match self {
            Counter::Shared(counter) => counter.generate().expect("a number"),
            Counter::Daily(counter) => counter.generate().expect("a number").number,
        }
    }

    fn prefetched(&self) -> u64 {
        match self {
            Counter::Shared(counter) => counter.status(),
            Counter::Daily(counter) => counter.status(),
        }
        .expect("a status")
        .prefetched
    }
}

/// Returns a time zone in which no day ends within the next hours.
fn zone_of_noon() -> String {
    let hour = SystemClock.now_ns().expect("a time") / 3_600_000_000_000 % 24;
    if (4..20).contains(&hour) { "UTC".into() } else { "Etc/GMT+12".into() }
}

/// Takes numbers, and writes each at once; at the end, writes how many are still prefetched.
fn work(url: &str, record: &str) {
    let counter = Counter::open(url, std::env::var(ZONE).ok().as_deref());
    let mut file = File::create(record).expect("a file");
    for _ in 0..NUMBERS {
        let number = counter.generate();
        file.write_all(&number.to_le_bytes()).expect("written");
    }
    // The next block was requested when half of the last one was used.
    until("the next block is there", || counter.prefetched() == BLOCK.unsigned_abs());
    let prefetched = counter.prefetched();
    std::fs::write(format!("{record}.rest"), prefetched.to_string()).expect("written");
}

fn numbers(record: &Path) -> Vec<i64> {
    let bytes = std::fs::read(record).unwrap_or_default();
    bytes.chunks_exact(8).map(|number| i64::from_le_bytes(number.try_into().expect("eight bytes"))).collect()
}

fn run(test: &str, zone: Option<String>, url: impl Fn() -> String) {
    if let (Ok(url), Ok(record)) = (std::env::var(STORE), std::env::var(RECORD)) {
        return work(&url, &record);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let url = url();
    let record = |worker: usize| folder.path().join(worker.to_string());
    let start = |worker: usize| -> Child {
        Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", test])
            .env(STORE, &url)
            .env(RECORD, record(worker))
            .envs(zone.iter().map(|zone| (ZONE, zone)))
            .stdout(std::process::Stdio::null())
            .spawn()
            .expect("a worker")
    };
    let mut workers: Vec<Child> = (0..WORKERS).map(start).collect();
    let mut killed = workers.pop().expect("the last one");
    until("half of its numbers", || numbers(&record(WORKERS - 1)).len() >= NUMBERS / 2);
    killed.kill().expect("killed");
    killed.wait().expect("it has ended");
    let mut prefetched = 0;
    for (worker, process) in workers.iter_mut().enumerate() {
        assert!(process.wait().expect("it ends").success(), "worker {worker}");
        let rest = std::fs::read_to_string(record(worker).with_extension("rest")).expect("its rest");
        prefetched += rest.parse::<i64>().expect("a number");
        assert_eq!(numbers(&record(worker)).len(), NUMBERS);
    }
    let step = if zone.is_some() { 1 } else { STEP };
    let mut seen = HashSet::new();
    for worker in 0..WORKERS {
        let of_one = numbers(&record(worker));
        assert!(of_one.is_sorted(), "a process's numbers grow");
        for number in of_one {
            assert_eq!((number - START) % step, 0, "{number}");
            assert!(seen.insert(number), "{number} came twice");
        }
    }
    let handed_out = (Counter::open(&url, zone.as_deref()).generate() - START) / step;
    let taken = i64::try_from(seen.len()).expect("a small number");
    let lost = handed_out - taken - prefetched;
    assert!((0..=2 * BLOCK).contains(&lost), "the killed one had {lost} numbers prefetched, in blocks of {BLOCK}");
    eprintln!("{test}: {taken} numbers, {lost} lost with the killed one");
}

fn on_a_file(test: &str, zone: Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    run(test, zone, || format!("sqlite://{}/counters.db", folder.path().display()));
}

/// Starts the server only in the test itself, not in its workers.
fn on(test: &str, zone: Option<String>, kind: &str) {
    let server = std::env::var(STORE).is_err().then(|| Server::start(kind));
    run(test, zone, || server.as_ref().expect("a server").url().to_owned());
}

#[test]
fn sqlite() {
    on_a_file("sqlite", None);
}

#[test]
fn postgres() {
    on("postgres", None, "postgres");
}

#[test]
fn mysql() {
    on("mysql", None, "mysql");
}

#[test]
fn redis() {
    on("redis", None, "redis");
}

#[test]
fn daily_on_sqlite() {
    on_a_file("daily_on_sqlite", Some(zone_of_noon()));
}

#[test]
fn daily_on_postgres() {
    on("daily_on_postgres", Some(zone_of_noon()), "postgres");
}

#[test]
fn daily_on_mysql() {
    on("daily_on_mysql", Some(zone_of_noon()), "mysql");
}

#[test]
fn daily_on_redis() {
    on("daily_on_redis", Some(zone_of_noon()), "redis");
}
