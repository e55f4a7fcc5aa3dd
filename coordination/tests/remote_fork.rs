//! Remote generators in forked processes: a child uses none of its parent's IDs, and fetches its
//! own.

#![cfg(all(unix, feature = "coordinator"))]
#![allow(unsafe_code, reason = "fork has no safe form")]

mod injector;

use injector::{Fate, Injector};
use saiban::{Attempt, Generator, Layout};
use saiban_coordination::{RemoteGenerator, RemoteOptions};
use std::collections::HashSet;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::thread;

/// Runs a function in a forked child, and returns its result.
fn in_child(body: impl FnOnce() -> Vec<i64>) -> Vec<i64> {
    let (mut pipe, mut childs) = UnixStream::pair().expect("a pipe");
    // SAFETY: the child runs only `body`, and leaves by `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(body));
        let result = result.map(|ids| ids.iter().flat_map(|id| id.to_le_bytes()).collect::<Vec<u8>>());
        let is_sent = result.is_ok_and(|bytes| childs.write_all(&bytes).is_ok());
        // SAFETY: ends the child at once, without running exit handlers.
        unsafe { libc::_exit(i32::from(!is_sent)) };
    }
    drop(childs);
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes).expect("what the child says");
    let mut status = 0;
    // SAFETY: waits for the child just made, with a place for its status.
    assert_eq!(unsafe { libc::waitpid(child, &raw mut status, 0) }, child);
    assert!(libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0, "the child failed: {status}");
    bytes.chunks(8).map(|bytes| i64::from_le_bytes(bytes.try_into().expect("8 bytes"))).collect()
}

#[test]
fn children_of_a_busy_parent_get_different_ids() {
    let next = AtomicI64::new(1);
    let service = Injector::start(move |asked| {
        let Some((_, count)) = asked.path.split_once("/ids?count=") else {
            let layout = Layout::TWITTER;
            let text = format!(
                "{{\"scheme\":\"snowflake\",\"layout\":\"{layout}\",\"bits\":64,\"encoding\":\"decimal\",\"fingerprint\":\"snowflake\"}}"
            );
            return Fate::json(200, &text);
        };
        let count = count.parse::<i64>().expect("a number");
        let first = next.fetch_add(count, Ordering::Relaxed);
        let body = (first..first + count).flat_map(i64::to_le_bytes).collect();
        let headers = vec![
            ("content-type", "application/octet-stream".into()),
            ("saiban-id-bytes", "8".into()),
            ("saiban-request", asked.headers.get("saiban-request").cloned().unwrap_or_default()),
            ("saiban-fingerprint", "snowflake".into()),
        ];
        Fate::Answer(200, headers, body)
    });
    let options = RemoteOptions { block: 50, max_age_ms: 3_600_000, wait_s: 60 };
    let ids = RemoteGenerator::<i64>::open(&format!("saiban://{}", service.address()), "orders", &options);
    let ids = ids.expect("a generator");
    let is_over = AtomicBool::new(false);
    let mut all = vec![ids.generate().expect("an ID")];
    thread::scope(|scope| {
        let threads: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut made = Vec::new();
                    while !is_over.load(Ordering::Relaxed) {
                        made.push(ids.generate().expect("an ID"));
                    }
                    made
                })
            })
            .collect();
        for _ in 0..20 {
            all.extend(in_child(|| {
                assert!(matches!(ids.try_generate(), Ok(Attempt::Wait(_))), "nothing of the parent's is prefetched");
                let mut made = ids.generate_many(60).expect("IDs");
                // A grandchild fetches its own IDs too.
                made.extend(in_child(|| ids.generate_many(60).expect("IDs")));
                made.push(ids.generate().expect("an ID"));
                made
            }));
        }
        is_over.store(true, Ordering::Relaxed);
        for thread in threads {
            all.extend(thread.join().expect("it ends"));
        }
    });
    assert!(all.len() > 20 * 121);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), all.len());
}
