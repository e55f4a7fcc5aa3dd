//! Threads that share a generator: with a range of nodes divided among threads, and with one node.

use crate::baselines::SECRET;
use crate::failure::Failure;
use crate::rounds::{Case, SAIBAN, turns};
use crate::snowflake;
use ferroid::generator::AtomicSnowflakeGenerator;
use ferroid::time::{MonotonicClock, TWITTER_EPOCH};
use saiban::cipher::Sparx64;
use saiban::{Generator, Layout, Options, Secret, SnowflakeGenerator, SystemClock};
use std::hint::black_box;
use std::sync::{Arc, Barrier};
use std::thread;

/// So many IDs a node and millisecond that none runs out.
const ROOMY: &str = "unused:1 timestamp:41,epoch=2020-02-02 node:5 sequence:17";

const MAX: usize = 16;

pub fn cases() -> Result<Vec<Case>, Failure> {
    let layout = Layout::from_text(ROOMY)?;
    let range = Arc::new(SnowflakeGenerator::build(layout, &Options::nodes(0..16).shards(MAX as i64), SystemClock)?);
    let one = Arc::new(SnowflakeGenerator::build(layout, &Options::node(31), SystemClock)?);
    let clock = MonotonicClock::<1>::with_epoch(TWITTER_EPOCH);
    let theirs = Arc::new(AtomicSnowflakeGenerator::<snowflake::Roomy, _>::new(1, clock));
    let cipher = Sparx64::new(&Secret::new(SECRET));
    let cores = thread::available_parallelism()?.get();
    let mut cases = Vec::new();
    for (threads, paths) in PATHS.into_iter().filter(|(threads, _)| *threads <= cores) {
        let [on_range, on_one, alone] = paths;
        let (range, one, theirs) = (Arc::clone(&range), Arc::clone(&one), Arc::clone(&theirs));
        cases.push(turns(on_range, SAIBAN, 1, move |turns| share(&*range, threads, turns)));
        cases.push(turns(on_one, SAIBAN, 1, move |turns| share(&*one, threads, turns)));
        let who = "ferroid, Atomic, its clock on a thread";
        cases.push(turns(on_one, who, 1, move |turns| at_once(threads, turns, || theirs.next_id(|_| ()))));
        // The speed-up of threads that share nothing. It is lower than the number of threads if two
        // of them run on one core.
        let (who, cipher) = ("baseline: a block of SPARX, of each thread's own", cipher.clone());
        cases.push(turns(alone, who, 1, move |turns| at_once(threads, turns, || cipher.encrypt([1, 2, 3, 4]))));
    }
    Ok(cases)
}

/// For each number of threads: a range of nodes, one node, and work that shares nothing.
const PATHS: [(usize, [&str; 3]); 5] = [
    (1, ["rust.snowflake.range.1thread", "rust.snowflake.node.1thread", "rust.sparx.1thread"]),
    (2, ["rust.snowflake.range.2threads", "rust.snowflake.node.2threads", "rust.sparx.2threads"]),
    (4, ["rust.snowflake.range.4threads", "rust.snowflake.node.4threads", "rust.sparx.4threads"]),
    (8, ["rust.snowflake.range.8threads", "rust.snowflake.node.8threads", "rust.sparx.8threads"]),
    (MAX, ["rust.snowflake.range.16threads", "rust.snowflake.node.16threads", "rust.sparx.16threads"]),
];

/// Makes this many IDs in total, on threads that start together.
pub fn share(ids: &(impl Generator<Id = i64> + Sync), threads: usize, turns: u64) {
    at_once(threads, turns, || ids.generate().expect("an ID"));
}

fn at_once<T>(threads: usize, turns: u64, turn: impl Fn() -> T + Sync) {
    let together = Barrier::new(threads);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                together.wait();
                for _ in 0..turns.div_ceil(threads as u64) {
                    black_box(turn());
                }
            });
        }
    });
}
