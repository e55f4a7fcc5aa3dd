//! Runs every case once in each round, so that a disturbance of the machine affects all cases.

use crate::failure::Failure;
use serde_json::json;
use std::fmt::Display;
use std::hint::black_box;
use std::time::{Duration, Instant};

pub const SAIBAN: &str = "saiban";

/// A measured case: work that is repeated.
pub struct Case {
    pub path: &'static str,
    pub who: &'static str,
    /// The number of IDs that one turn makes.
    ids: u32,
    /// Runs this many turns.
    run: Box<dyn FnMut(u64)>,
}

/// Returns a case whose turn makes `ids` IDs.
pub fn case<T>(path: &'static str, who: &'static str, ids: u32, mut turn: impl FnMut() -> T + 'static) -> Case {
    let run = move |turns| {
        for _ in 0..turns {
            black_box(turn());
        }
    };
    Case { path, who, ids, run: Box::new(run) }
}

/// Returns the ID, which is all that the loop keeps. An error has 48 bytes, and the benchmark would
/// also measure copying them.
pub fn made<T, E: Display>(answer: Result<T, E>) -> T {
    answer.unwrap_or_else(|error| panic!("{error}"))
}

/// Returns a case that runs its own turns, for example on several threads.
pub fn turns(path: &'static str, who: &'static str, ids: u32, run: impl FnMut(u64) + 'static) -> Case {
    Case { path, who, ids, run: Box::new(run) }
}

impl Case {
    /// Returns the number of turns that take about this long.
    fn calibrate(&mut self, long: Duration) -> u64 {
        // The first ID of a generator may wait for the next tick.
        self.time(1);
        let mut turns = 1;
        loop {
            // The minimum, because a disturbed sample would make all later ones short.
            let took = (0..3).map(|_| self.time(turns)).min().unwrap_or_default();
            if took * 4 >= long || turns >= 1 << 32 {
                return ((turns as f64 * long.as_secs_f64() / took.as_secs_f64()) as u64).max(1);
            }
            turns *= 2;
        }
    }

    fn time(&mut self, turns: u64) -> Duration {
        let began = Instant::now();
        (self.run)(turns);
        began.elapsed()
    }
}

/// Runs this many turns of each case, to count instructions.
pub fn turn(mut cases: Vec<Case>, turns: u64) {
    for case in &mut cases {
        case.time(turns);
    }
}

/// Runs all cases in each round, in reverse order every second round, and prints the results.
pub fn run(mut cases: Vec<Case>, rounds: u64, ms: u64) -> Result<(), Failure> {
    let rustc = std::process::Command::new("rustc").arg("--version").output();
    let rustc = rustc.map(|told| String::from_utf8_lossy(&told.stdout).trim().to_owned()).unwrap_or_default();
    println!("{}", json!({ "machine": { "language": "rust", "runtime": rustc } }));
    let turns: Vec<u64> = cases.iter_mut().map(|case| case.calibrate(Duration::from_millis(ms))).collect();
    let mut measured = vec![Vec::new(); cases.len()];
    for round in 0..rounds {
        let mut order: Vec<_> = (0..cases.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for index in order {
            let case = &mut cases[index];
            let took = case.time(turns[index]);
            measured[index].push(took.as_secs_f64() * 1e9 / (turns[index] * u64::from(case.ids)) as f64);
        }
    }
    for (case, ns) in cases.iter().zip(measured) {
        let ns: Vec<f64> = ns.iter().map(|ns| (ns * 1_000.0).round() / 1_000.0).collect();
        println!("{}", json!({ "path": case.path, "who": case.who, "version": version(case.who), "ns": ns }));
    }
    Ok(())
}

/// Returns the version of a crate in the lock file.
fn version(who: &str) -> String {
    const LOCKED: &str = include_str!("../../Cargo.lock");
    let name = who.split([' ', ',']).next().unwrap_or_default();
    let of = |name: &str| LOCKED.split_once(&format!("name = \"{name}\"\nversion = \"")).map(|(_, rest)| rest);
    of(name).and_then(|rest| rest.split_once('"')).map(|(version, _)| version.to_owned()).unwrap_or_default()
}
