//! One of several processes with one node, which makes the requested IDs with default options. The
//! module also counts how many of all IDs repeat.

use crate::cell::Made;
use crate::ferroid;
use crate::scheme::{AnyGenerator, Scheme};
use saiban::{AnyClock, FlakeGenerator, Layout, Options, PooledEntropy};
use std::io::{Write, stdin, stdout};
use std::time::{Duration, Instant};

/// saiban's node and scalability id; Flake has node 0.
const NODE: u64 = 7;
const FLAKE: &str = "unused:1 timestamp:41@ms,epoch=2025-01-01 node:10 sequence:12";

/// Each line of the standard input contains the number of IDs, and for how many milliseconds to try
/// again after a refusal. A reply consists of little-endian numbers of eight bytes: the count of
/// IDs, the count of refusals, and the IDs.
pub fn serve(library: &str) {
    if library == "ferroid" {
        let mut make = ferroid::maker();
        return reply(|count, _, ids| {
            ids.extend((0..count).map_while(|_| make()));
            0
        });
    }
    let generator = default(library);
    reply(|count, patience, ids| {
        let (end, mut refused) = (Instant::now() + patience, 0);
        ids.resize(count, 0);
        let mut written = 0;
        while written < count {
            match generator.fill(&mut ids[written..]) {
                Ok(more) => written += more,
                Err(_) => refused += 1,
            }
            if Instant::now() >= end && refused > 0 {
                break;
            }
        }
        ids.truncate(written);
        refused
    });
}

fn default(scheme: &str) -> AnyGenerator {
    if scheme == "flake" {
        let layout = Layout::from_text(FLAKE).expect("a layout");
        return Box::new(
            FlakeGenerator::build(layout, &Options::node(0), AnyClock::System, PooledEntropy).expect("node 0"),
        );
    }
    let scheme = Scheme::ALL.into_iter().find(|known| known.name() == scheme).expect("a scheme of saiban's");
    scheme.build(AnyClock::System, NODE, false).expect("node 7")
}

fn reply(mut make: impl FnMut(usize, Duration, &mut Vec<i64>) -> i64) {
    for line in stdin().lines() {
        let line = line.expect("text");
        let (count, patience_ms) = line.split_once(' ').expect("two numbers");
        let mut ids = Vec::new();
        let patience = Duration::from_millis(patience_ms.parse().expect("milliseconds"));
        let refused = make(count.parse().expect("a number of IDs"), patience, &mut ids);
        let numbers = [ids.len() as i64, refused].into_iter().chain(ids);
        let bytes: Vec<u8> = numbers.flat_map(i64::to_le_bytes).collect();
        let mut out = stdout().lock();
        out.write_all(&bytes).and_then(|()| out.flush()).expect("the reader lives");
    }
}

pub fn count(before: &str, after: &str) {
    let read = |path: &str| -> Vec<i64> {
        let bytes = std::fs::read(path).expect("a file of IDs");
        bytes.chunks_exact(8).map(|id| i64::from_le_bytes(id.try_into().expect("8 bytes"))).collect()
    };
    let made = Made { before: read(before), after: read(after), refused: 0 };
    println!("{}", made.count().duplicates);
}
