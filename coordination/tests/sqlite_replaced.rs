//! A SQLite file that is deleted, replaced or restored while processes hold leases or numbers from
//! it: a new process gets none of them. Each process is a copy of this test.

#![cfg(all(unix, feature = "sqlite"))]

use saiban::{Generator, Layout, Options, SnowflakeGenerator, Stride, SystemClock};
use saiban_coordination::counter::CounterTerms;
use saiban_coordination::counter::protocol::Take;
use saiban_coordination::lease::protocol::Acquire;
use saiban_coordination::store::{Store, StoreUrl, open};
use saiban_coordination::{CounterOptions, Error, ErrorKind, Lease, LeaseOptions, Leased, SharedCounter};
use std::collections::HashSet;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Barrier};

/// The variable with the store's URL, for a copy of this test that is a worker.
const STORE: &str = "SAIBAN_TEST_STORE";

/// The first node of a namespace with this layout is always node 0: a file that has lost its leases
/// grants it again.
const LAYOUT: &str = "timestamp:41@ms,epoch=2024-01-01 node:1 sequence:12";

/// The number of IDs that a worker makes at a time.
const IDS: usize = 100_000;

fn url(path: &Path) -> String {
    format!("sqlite://{}", path.display())
}

fn layout() -> Layout {
    Layout::from_text(LAYOUT).expect("a layout")
}

fn options() -> LeaseOptions {
    LeaseOptions { layout: Some(layout()), ttl_s: 600, ..LeaseOptions::default() }
}

fn counter_options() -> CounterOptions {
    CounterOptions { block_size: Some(100), ..CounterOptions::default() }
}

/// Runs a worker, which carries out commands and prints the answers.
fn work(url: &str) {
    let lines = std::io::stdin().lines().map(|line| line.expect("text"));
    let (mut leased, mut counter) = (None, None);
    for line in lines {
        let answer = match line.as_str() {
            "lease" => Lease::acquire(url, &options()).map(|lease| {
                let build = |grant: &saiban::Grant| {
                    SnowflakeGenerator::build(layout(), &Options::default().grant(grant), SystemClock)
                };
                let ids = Leased::new(&lease, build).expect("a generator");
                let nodes = lease.grant().expect("a grant").nodes();
                leased = Some((lease, ids));
                format!("{nodes:?}")
            }),
            "ids" => {
                let (_, ids) = leased.as_ref().expect("a lease");
                let made = (0..IDS).map(|_| ids.generate().expect("an ID").to_string());
                Ok(made.collect::<Vec<_>>().join(" "))
            }
            "number" => {
                let counter =
                    counter.get_or_insert_with(|| SharedCounter::open(url, &counter_options()).expect("a counter"));
                counter.generate().map(|number| number.to_string())
            }
            other => panic!("{other:?} is not known"),
        };
        let answer = answer.unwrap_or_else(|error| format!("{}: {error}", error.kind()));
        // The harness may have begun this line.
        println!("\nanswer {answer}");
    }
    if let Some((lease, _)) = leased {
        lease.release().expect("given back");
    }
}

/// A worker process.
struct Worker {
    child: Child,
    asks: ChildStdin,
    answers: Lines<BufReader<ChildStdout>>,
}

impl Worker {
    fn start(test: &str, path: &Path) -> Self {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", test, "--nocapture"])
            .env(STORE, url(path))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a worker");
        let asks = child.stdin.take().expect("its input");
        let answers = BufReader::new(child.stdout.take().expect("its output")).lines();
        Worker { child, asks, answers }
    }

    fn send(&mut self, what: &str) {
        writeln!(self.asks, "{what}").expect("it listens");
    }

    fn answer(&mut self) -> String {
        let lines = self.answers.by_ref().map(|line| line.expect("text"));
        lines.into_iter().find_map(|line| line.strip_prefix("answer ").map(str::to_owned)).expect("an answer")
    }

    fn ask(&mut self, what: &str) -> String {
        self.send(what);
        self.answer()
    }

    /// Kills the process.
    fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ended");
    }

    /// Ends the process cleanly.
    fn end(self) {
        let Worker { mut child, asks, .. } = self;
        drop(asks);
        assert!(child.wait().expect("ended").success());
    }
}

/// Returns the folder of a test and the path of its store, or `None` in a copy that was a worker.
fn folder() -> Option<(tempfile::TempDir, PathBuf)> {
    if let Ok(url) = std::env::var(STORE) {
        work(&url);
        return None;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ids.db");
    Some((folder, path))
}

fn store(path: &Path) -> Arc<dyn Store> {
    open(&StoreUrl::new(&url(path)).expect("a URL")).expect("a store")
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(work)
}

/// Makes a store whose namespace has granted nothing.
fn make(path: &Path) {
    let (terms, _) = options().check().expect("terms");
    block_on(store(path).create(&terms)).expect("a namespace");
}

/// Returns the number of IDs that both workers make when they run concurrently.
fn repeated(one: &mut Worker, other: &mut Worker) -> usize {
    one.send("ids");
    other.send("ids");
    let (made, others) = (one.answer(), other.answer());
    let made: HashSet<&str> = made.split(' ').collect();
    others.split(' ').filter(|id| made.contains(id)).count()
}

/// Checks that a new process gets no lease, and an explanation; a lease would repeat IDs.
fn is_refused(test: &str, path: &Path, holder: &mut Worker) -> String {
    let mut new = Worker::start(test, path);
    let answer = new.ask("lease");
    if !answer.starts_with("NAMESPACE_QUARANTINED") {
        let repeated = repeated(holder, &mut new);
        panic!("a new process was granted nodes {answer}, and {repeated} of {IDS} IDs came twice");
    }
    new.end();
    let process = format!("/{} holds node 0 for another ", holder.child.id());
    assert!(answer.contains(&process) && answer.contains(&path.display().to_string()), "{answer}");
    assert!(answer.contains("Stop those processes") && answer.contains("saiban lease quarantine"), "{answer}");
    answer
}

/// Checks that the next reader removes the marks of all processes that have ended, even by a kill.
fn is_tidy(path: &Path) {
    let _ = block_on(store(path).list("default"));
    let files = fs::read_dir(path.parent().expect("a folder")).expect("a folder");
    let names: Vec<_> = files.flatten().map(|file| file.file_name().into_string().expect("text")).collect();
    let is_ours = |name: &String| name.contains("-saiban-");
    assert_eq!(names.iter().find(|name| is_ours(name)), None, "{names:?}");
}

#[test]
fn a_file_that_was_deleted_grants_nothing_while_its_holders_live() {
    let test = "a_file_that_was_deleted_grants_nothing_while_its_holders_live";
    let Some((_folder, path)) = folder() else { return };
    let mut holder = Worker::start(test, &path);
    assert_eq!(holder.ask("lease"), "0..1");
    fs::remove_file(&path).expect("deleted");
    is_refused(test, &path, &mut holder);
    assert!(!path.exists(), "no file is made that looks like the store");
    // A killed holder needs no repair.
    holder.kill();
    let mut new = Worker::start(test, &path);
    assert_eq!(new.ask("lease"), "0..1");
    new.end();
    is_tidy(&path);
}

#[test]
fn a_file_that_was_replaced_grants_nothing_while_holders_of_the_other_live() {
    let test = "a_file_that_was_replaced_grants_nothing_while_holders_of_the_other_live";
    let Some((folder, path)) = folder() else { return };
    let mut holder = Worker::start(test, &path);
    assert_eq!(holder.ask("lease"), "0..1");
    // This store has an equal namespace, and was made elsewhere.
    let other = folder.path().join("other.db");
    make(&other);
    fs::rename(&other, &path).expect("replaced");
    is_refused(test, &path, &mut holder);
    holder.end();
    let mut new = Worker::start(test, &path);
    assert_eq!(new.ask("lease"), "0..1");
    new.end();
    is_tidy(&path);
}

#[test]
fn a_file_that_was_restored_in_place_grants_nothing_while_holders_live_that_it_does_not_list() {
    let test = "a_file_that_was_restored_in_place_grants_nothing_while_holders_live_that_it_does_not_list";
    let Some((folder, path)) = folder() else { return };
    make(&path);
    let saved = folder.path().join("saved.db");
    fs::copy(&path, &saved).expect("a copy");
    let mut holder = Worker::start(test, &path);
    assert_eq!(holder.ask("lease"), "0..1");
    let file = fs::metadata(&path).expect("a file").ino();
    fs::write(&path, fs::read(&saved).expect("the copy")).expect("restored");
    assert_eq!(fs::metadata(&path).expect("a file").ino(), file, "it is the same file, with older contents");
    is_refused(test, &path, &mut holder);
    // The remedy if processes are to continue: a quarantine grants nothing until all lost leases
    // have ended.
    block_on(store(&path).quarantine("default")).expect("a quarantine");
    let mut new = Worker::start(test, &path);
    let answer = new.ask("lease");
    assert!(answer.starts_with("NAMESPACE_QUARANTINED") && answer.contains("No lease is granted for 3"), "{answer}");
    new.end();
    // The other remedy is to stop the holder.
    holder.kill();
    fs::write(&path, fs::read(&saved).expect("the copy")).expect("restored");
    let mut new = Worker::start(test, &path);
    assert_eq!(new.ask("lease"), "0..1");
    new.end();
    is_tidy(&path);
}

#[test]
fn a_file_that_still_lists_its_holders_continues_to_grant() {
    let test = "a_file_that_still_lists_its_holders_continues_to_grant";
    let Some((folder, path)) = folder() else { return };
    let mut holder = Worker::start(test, &path);
    assert_eq!(holder.ask("lease"), "0..1");
    // The copy is as new as the file, so nothing is lost.
    let saved = folder.path().join("saved.db");
    fs::copy(&path, &saved).expect("a copy");
    fs::rename(&saved, &path).expect("replaced");
    let mut new = Worker::start(test, &path);
    assert_eq!(new.ask("lease"), "1..2");
    assert_eq!(repeated(&mut holder, &mut new), 0);
    new.end();
    holder.end();
    is_tidy(&path);
}

#[test]
fn a_counter_whose_file_was_deleted_or_restored_hands_out_nothing_while_others_have_its_numbers() {
    let test = "a_counter_whose_file_was_deleted_or_restored_hands_out_nothing_while_others_have_its_numbers";
    let Some((folder, path)) = folder() else { return };
    let mut holder = Worker::start(test, &path);
    assert_eq!(holder.ask("number"), "1");
    let saved = folder.path().join("saved.db");
    fs::copy(&path, &saved).expect("a copy");
    let mut second = Worker::start(test, &path);
    let number: i64 = second.ask("number").parse().expect("a number");
    assert!(number > 100, "{number}");
    fs::write(&path, fs::read(&saved).expect("the copy")).expect("restored");
    let mut new = Worker::start(test, &path);
    let answer = new.ask("number");
    assert!(answer.starts_with("COUNTER_BEHIND"), "a new process was given {answer}, which others have too");
    assert!(answer.contains(&format!("process {} of this machine", second.child.id())), "{answer}");
    fs::remove_file(&path).expect("deleted");
    let answer = new.ask("number");
    assert!(answer.starts_with("COUNTER_BEHIND"), "a new process was given {answer}, which others have too");
    second.kill();
    holder.kill();
    assert_eq!(new.ask("number"), "1");
    new.end();
    is_tidy(&path);
}

/// Acquires the first lease of a process, which may have to create the namespace.
async fn first_lease(store: &dyn Store, token: i64) -> Result<(), Error> {
    let (terms, _) = LeaseOptions::default().check().expect("terms");
    let request = Acquire {
        nodes: 1,
        ttl_us: 600_000_000,
        holder: String::new(),
        token,
        clock_us: 0,
        max_clock_skew_us: i64::MAX,
        seen: None,
    };
    let acquire = async || store.acquire(terms.name(), terms.fingerprint(), &request).await;
    match acquire().await {
        Err(error) if error.kind() == ErrorKind::NamespaceUnknown => {}
        answer => return answer.map(drop),
    }
    store.create(&terms).await?;
    acquire().await.map(drop)
}

async fn first_number(store: &dyn Store, _: i64) -> Result<(), Error> {
    let numbers = store.numbers().expect("counters");
    let terms = CounterTerms::new("invoices", Stride::new(1, 1).expect("a stride")).expect("terms");
    numbers.create_counter(&terms, 1).await?;
    numbers.take(&terms, &Take { count: 100, day: None, seen: None }).await.map(drop)
}

#[test]
fn processes_that_begin_together_on_a_new_file_all_get_leases_and_numbers() {
    for round in 0..40 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("ids.db");
        let together = Barrier::new(8);
        // Each thread has its own store, and reads the marks of the others as those of other
        // processes.
        let begin = |token| {
            let store = store(&path);
            together.wait();
            let answer = block_on(async {
                if round % 2 == 0 { first_lease(&*store, token).await } else { first_number(&*store, token).await }
            });
            together.wait();
            answer
        };
        let begin = &begin;
        std::thread::scope(|threads| {
            let workers: Vec<_> = (0..8).map(|token| threads.spawn(move || begin(token))).collect();
            for worker in workers {
                worker.join().expect("a thread").expect("a new store has lost nothing");
            }
        });
        is_tidy(&path);
    }
}

#[test]
fn blocks_that_are_taken_at_the_same_time_leave_the_last_number_in_the_mark() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("ids.db");
    let terms = CounterTerms::new("invoices", Stride::new(1, 1).expect("a stride")).expect("terms");
    let taking = store(&path);
    let numbers = taking.numbers().expect("counters");
    block_on(numbers.create_counter(&terms, 1)).expect("a counter");
    let take = Take { count: 100, day: None, seen: None };
    let last = std::thread::scope(|threads| {
        let takers: Vec<_> = (0..8)
            .map(|_| {
                threads.spawn(|| (0..20).map(|_| block_on(numbers.take(&terms, &take)).expect("a block").next).max())
            })
            .collect();
        takers.into_iter().filter_map(|taker| taker.join().expect("a thread")).max().expect("blocks")
    });
    assert_eq!(last, 16_001);
    fs::remove_file(&path).expect("deleted");
    let new = store(&path);
    let numbers = new.numbers().expect("counters");
    let behind = block_on(numbers.create_counter(&terms, last - 1)).expect_err("the last number was taken");
    assert_eq!(behind.kind(), ErrorKind::CounterBehind, "{behind}");
    block_on(numbers.create_counter(&terms, last)).expect("no number was taken from there on");
}
