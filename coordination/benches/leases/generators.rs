//! Compares a generator with a lease to generators without one in one run, and measures the CPU
//! time of an idle keeper.

use super::holders::cpu;
use saiban::{Generator, GeneratorSpec, Layout, Options, Scheme, SnowflakeGenerator, SystemClock};
use saiban_coordination::{AnyIssuer, Error, Issuer, Lease, LeaseOptions, NodesFrom};
use std::hint::black_box;
use std::thread;
use std::time::{Duration, Instant};

/// Enough nodes that no tick is used up, so that no generator waits for the next millisecond.
const NODES: i64 = 64;
const IDS: u32 = 2_000_000;
const TURNS: usize = 9;
const IDLE: Duration = Duration::from_secs(30);

pub fn table() -> Result<String, Error> {
    let options = LeaseOptions { nodes: NODES, ..LeaseOptions::default() };
    let lease = Lease::acquire("memory:generators", &options)?;
    let nodes = lease.grant()?.nodes();
    // Ranges that do not overlap the lease's nodes.
    let mut free = (0..1_024 / NODES).map(|part| part * NODES..(part + 1) * NODES);
    let mut free = move || {
        let range = free.find(|range| range.end <= nodes.start || nodes.end <= range.start).expect("room");
        range.start.unsigned_abs()..range.end.unsigned_abs()
    };
    let bare = SnowflakeGenerator::build(Layout::TWITTER, &Options::nodes(free()), SystemClock)?;
    let own = issuer(Options::nodes(free()), NodesFrom::Options)?;
    let leased = issuer(Options::default(), NodesFrom::Lease(&lease))?;
    let mut times: [Vec<f64>; 3] = Default::default();
    for _ in 0..TURNS {
        times[0].push(ns_each(|| bare.generate())?);
        times[1].push(ns_each(|| own.generate())?);
        times[2].push(ns_each(|| leased.generate())?);
    }
    let [bare, own, leased] = times.map(|mut times| {
        times.sort_unstable_by(f64::total_cmp);
        times[TURNS / 2]
    });
    let (begun, before) = (Instant::now(), cpu());
    thread::sleep(IDLE);
    let (used, elapsed) = (cpu() - before, begun.elapsed());
    Ok(format!(
        "| Snowflake, {NODES} nodes, one thread | ns an ID | beside the bare one |\n|---|---|---|\n\
         | bare (`SnowflakeGenerator`) | {bare:.1} | 1 |\n\
         | with nodes of its own, as bindings hold it (`NodesFrom::Options`) | {own:.1} | {:.2} |\n\
         | under a lease (`NodesFrom::Lease`) | {leased:.1} | {:.2} |\n\n\
         A keeper with nothing to do took {} ms of CPU in {:.0} s.\n",
        own / bare,
        leased / bare,
        used.as_millis(),
        elapsed.as_secs_f64(),
    ))
}

fn issuer(options: Options, nodes: NodesFrom<'_>) -> Result<Issuer<i64>, Error> {
    match AnyIssuer::open(&GeneratorSpec::new(Scheme::Snowflake), options, nodes, SystemClock)? {
        AnyIssuer::Narrow(ids) => Ok(ids),
        AnyIssuer::Wide(_) => panic!("a Snowflake has up to 64 bits"),
    }
}

fn ns_each(mut make: impl FnMut() -> Result<i64, saiban::Error>) -> Result<f64, Error> {
    let begun = Instant::now();
    for _ in 0..IDS {
        black_box(make()?);
    }
    Ok(begun.elapsed().as_secs_f64() * 1e9 / f64::from(IDS))
}
