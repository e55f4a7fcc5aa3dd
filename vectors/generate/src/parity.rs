//! Random parts and the IDs that saiban makes of them, for tests/parity to compare with what others publish.

use crate::rng::Rng;
use saiban::{
    Generator, Layout, ManualClock, Options, Parts, Randflake, Secret, Snowflake, UlidFlake, UlidFlakeFormat,
};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Prints `count` lines a format, fields apart by tabs:
///
/// ```text
/// randflake   secret  timestamp_ms  node  sequence  id  text
/// ulid-flake  timestamp_ms  random  id  text
/// ulid-flake-scalable  timestamp_ms  random  scalability  id  text
/// twitter     timestamp_ms  node  sequence  id
/// discord     timestamp_ms  node  sequence  id
/// ```
pub fn print(seed: u64, count: u32) -> ExitCode {
    let mut rng = Rng::new(seed);
    let lines = (0..count).try_fold(String::new(), |lines, _| lines_of_one(lines, &mut rng));
    match lines {
        Ok(lines) => match std::io::stdout().lock().write_all(lines.as_bytes()) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        },
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// A time in a layout; its two ends now and then.
fn time_in(layout: &Layout, rng: &mut Rng) -> i64 {
    layout.epoch_ms() + rng.edgy((layout.last_ms() - layout.epoch_ms()) as u64) as i64
}

/// The ID is read back as the parts it was made of, or the line is not worth comparing.
fn check(
    ids: &impl Generator,
    id: i64,
    timestamp_ms: i64,
    parts: impl Fn(&Parts) -> bool,
) -> Result<(), saiban::Error> {
    let read = ids.inspect(id)?;
    assert!(read.timestamp_ms == Some(timestamp_ms) && parts(&read), "{id} is read as {read:?}");
    assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
    Ok(())
}

fn lines_of_one(mut lines: String, rng: &mut Rng) -> Result<String, saiban::Error> {
    let clock = ManualClock::new(0)?;
    let mut line = |text: String| writeln!(lines, "{text}").expect("a String takes all text");

    let key = (u128::from(rng.next()) << 64 | u128::from(rng.next())).to_be_bytes();
    let secret: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let ids: Randflake<_> = Randflake::build(&Secret::new(key), &Options::node(0), &clock)?;
    let timestamp_ms = (1_730_000_000 + rng.edgy((1 << 30) - 1) as i64) * 1_000;
    let (node, sequence) = (rng.edgy((1 << 17) - 1), rng.edgy((1 << 17) - 1));
    let id = ids.compose(timestamp_ms, node as i64, sequence as i64)?;
    check(&ids, id, timestamp_ms, |parts| parts.node == Some(node) && parts.sequence == Some(sequence))?;
    line(format!("randflake\t{secret}\t{timestamp_ms}\t{node}\t{sequence}\t{id}\t{}", ids.to_text(id)?));

    let ids: UlidFlake<_> =
        UlidFlake::build(UlidFlakeFormat::default(), &Options::default(), &clock, saiban::PooledEntropy)?;
    let (timestamp_ms, random) = (time_in(ids.layout(), rng), rng.edgy((1 << 20) - 1));
    let id = ids.compose(timestamp_ms, random as i64, None)?;
    check(&ids, id, timestamp_ms, |parts| parts.random == Some(random.into()) && parts.node.is_none())?;
    line(format!("ulid-flake\t{timestamp_ms}\t{random}\t{id}\t{}", ids.to_text(id)?));

    let format = UlidFlakeFormat { scalability: Some(0), ..UlidFlakeFormat::default() };
    let ids: UlidFlake<_> = UlidFlake::build(format, &Options::default(), &clock, saiban::PooledEntropy)?;
    let (timestamp_ms, random, scalability) = (time_in(ids.layout(), rng), rng.edgy((1 << 15) - 1), rng.edgy(31));
    let id = ids.compose(timestamp_ms, random as i64, Some(scalability as i64))?;
    check(&ids, id, timestamp_ms, |parts| parts.random == Some(random.into()) && parts.node == Some(scalability))?;
    line(format!("ulid-flake-scalable\t{timestamp_ms}\t{random}\t{scalability}\t{id}\t{}", ids.to_text(id)?));

    for (name, layout) in [("twitter", Layout::TWITTER), ("discord", Layout::DISCORD)] {
        let ids: Snowflake<_> = Snowflake::build(layout, &Options::node(0), &clock)?;
        let (timestamp_ms, node, sequence) = (time_in(&layout, rng), rng.edgy(1023), rng.edgy(4095));
        let id = ids.compose(timestamp_ms, node as i64, sequence as i64)?;
        check(&ids, id, timestamp_ms, |parts| parts.node == Some(node) && parts.sequence == Some(sequence))?;
        line(format!("{name}\t{timestamp_ms}\t{node}\t{sequence}\t{id}"));
    }
    Ok(lines)
}
