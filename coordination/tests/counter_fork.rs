//! Counters in forked processes: a child takes its own numbers, and uses none of its parent's
//! prefetched ones.

#![cfg(all(unix, feature = "sqlite"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

use saiban::{Counter, ErrorKind, Stride};
use saiban_coordination::{CounterOptions, DailyCounter, DailyOptions, SharedCounter};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Runs a function in a forked child, and returns its result.
fn in_child(body: impl FnOnce() -> String) -> String {
    let (mut pipe, mut childs) = UnixStream::pair().expect("a pipe");
    // SAFETY: the child runs only `body`, and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body)).unwrap_or_else(|_| "a panic".into());
        let is_sent = childs.write_all(answer.as_bytes()).is_ok();
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(if is_sent { 0 } else { 1 }) };
    }
    drop(childs);
    let mut answer = String::new();
    pipe.read_to_string(&mut answer).expect("what the child says");
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status}");
    answer
}

/// Returns the output of a forked child. If the parent was in a call to SQLite for longer than a
/// fork waits, the error says to fork again.
fn in_retried_child(body: impl Fn() -> Result<String, saiban_coordination::Error>) -> String {
    loop {
        let output = in_child(|| match body() {
            Ok(output) => output,
            Err(error) if error.kind() == ErrorKind::Forked && error.to_string().contains("fork again") => {
                String::new()
            }
            Err(error) => panic!("{error}"),
        });
        if !output.is_empty() {
            return output;
        }
    }
}

/// Ends the threads of a test, even if it panics.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let url = format!("sqlite://{}/counters.db", folder.path().display());
    (folder, url)
}

#[test]
fn children_of_a_busy_parent_take_different_numbers() {
    let (_folder, url) = file();
    let options = CounterOptions { block_size: Some(50), wait_s: 60, ..CounterOptions::default() };
    let counter = SharedCounter::open(&url, &options).expect("a counter");
    let is_over = AtomicBool::new(false);
    let mut all = Vec::new();
    thread::scope(|scope| {
        let over = Over(&is_over);
        let threads: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut numbers = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        numbers.push(counter.generate().expect("a number"));
                    }
                    numbers
                })
            })
            .collect();
        for _ in 0..20 {
            let printed = in_retried_child(|| {
                let numbers: Result<Vec<String>, _> =
                    (0..60).map(|_| counter.generate().map(|number| number.to_string())).collect();
                Ok(numbers?.join(" "))
            });
            all.extend(printed.split(' ').map(|number| number.parse::<i64>().unwrap_or_else(|_| panic!("{printed}"))));
        }
        drop(over);
        for thread in threads {
            all.extend(thread.join().expect("it ends"));
        }
    });
    let distinct: HashSet<i64> = all.iter().copied().collect();
    assert_eq!(distinct.len(), all.len());
}

#[test]
fn a_day_continues_in_a_child_and_in_a_grandchild() {
    let (_folder, url) = file();
    let options = DailyOptions { block_size: Some(10), wait_s: 60, ..DailyOptions::default() };
    let daily = DailyCounter::open(&url, &options).expect("daily numbers");
    let mut all = vec![daily.generate().expect("a number").text];
    let printed = in_retried_child(|| {
        let own = daily.generate()?.text;
        let of_child = in_retried_child(|| Ok(daily.generate()?.text));
        Ok(format!("{own} {of_child} {}", daily.generate()?))
    });
    all.extend(printed.split(' ').map(str::to_owned));
    all.push(daily.generate().expect("a number").text);
    let distinct: HashSet<&String> = all.iter().collect();
    assert_eq!((all.len(), distinct.len()), (5, 5), "{all:?}");
}

#[test]
fn children_cannot_use_counters_in_memory() {
    let counter = Counter::new(Stride::ONE);
    let shared = SharedCounter::open("memory:fork", &CounterOptions::default()).expect("a counter");
    assert_eq!((counter.generate(), shared.generate()), (Ok(1), Ok(1)));
    let printed = in_child(|| {
        let kinds = [
            counter.generate().map_err(|error| error.kind()).err(),
            shared.generate().map_err(|error| error.kind()).err(),
            shared.try_generate().map_err(|error| error.kind()).err(),
            shared.status().map_err(|error| error.kind()).err(),
        ];
        assert_eq!(kinds, [Some(ErrorKind::Forked); 4]);
        "well".into()
    });
    assert_eq!(printed, "well");
    assert_eq!((counter.generate(), shared.generate()), (Ok(2), Ok(2)));
}
