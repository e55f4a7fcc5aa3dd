//! Threads that share a generator: on a range of nodes, each with a part of it, and on one.

use crate::failure::Failure;
use crate::floors::SECRET;
use crate::rounds::{Case, SAIBAN, turns};
use saiban::cipher::Sparx64;
use saiban::{Generator, Layout, Options, Secret, SnowflakeGenerator, SystemClock};
use std::hint::black_box;
use std::sync::{Arc, Barrier};
use std::thread;

/// This many IDs a node and millisecond that none is used up.
const ROOMY: &str = "unused:1 timestamp:41,epoch=2020-02-02 node:5 sequence:17";

const MAX: usize = 16;

pub fn cases() -> Result<Vec<Case>, Failure> {
    let layout = Layout::from_text(ROOMY)?;
    let range = Arc::new(SnowflakeGenerator::build(layout, &Options::nodes(0..16).shards(MAX as i64), SystemClock)?);
    let one = Arc::new(SnowflakeGenerator::build(layout, &Options::node(31), SystemClock)?);
    let cores = thread::available_parallelism()?.get();
    let mut cases = Vec::new();
    for (paths, ids) in [(RANGE, range), (ONE, one)] {
        for (path, threads) in paths {
            if threads <= cores {
                let ids = Arc::clone(&ids);
                cases.push(turns(path, SAIBAN, 1, move |turns| share(&*ids, threads, turns)));
            }
        }
    }
    // What two cores come to where threads share nothing at all: less than twice as much where they
    // are two halves of one core.
    let cipher = Sparx64::new(&Secret::new(SECRET));
    for (path, threads) in [("rust.sparx.1thread", 1), ("rust.sparx.2threads", 2)] {
        if threads <= cores {
            let (who, cipher) = ("floor: a block of SPARX, of each thread's own", cipher.clone());
            cases.push(turns(path, who, 1, move |turns| at_once(threads, turns, || cipher.encrypt([1, 2, 3, 4]))));
        }
    }
    Ok(cases)
}

type Paths = [(&'static str, usize); 5];

const RANGE: Paths = [
    ("rust.snowflake.range.1thread", 1),
    ("rust.snowflake.range.2threads", 2),
    ("rust.snowflake.range.4threads", 4),
    ("rust.snowflake.range.8threads", 8),
    ("rust.snowflake.range.16threads", 16),
];

const ONE: Paths = [
    ("rust.snowflake.node.1thread", 1),
    ("rust.snowflake.node.2threads", 2),
    ("rust.snowflake.node.4threads", 4),
    ("rust.snowflake.node.8threads", 8),
    ("rust.snowflake.node.16threads", 16),
];

/// This many IDs in all, by threads that begin together.
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
