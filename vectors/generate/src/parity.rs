//! Prints random parts and the IDs that saiban makes of them. tests/parity compares these with the
//! results of published packages.

use crate::rng::Rng;
use saiban::{
    ComposeParts, Generator, Layout, ManualClock, Options, RandflakeGenerator, Secret, SnowflakeGenerator,
    TsidGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

/// Prints `count` lines for each format, with fields separated by tabs:
///
/// ```text
/// randflake   secret  timestamp_ms  node  sequence  id  text
/// ulid-flake  timestamp_ms  random  id  text
/// ulid-flake-scalable  timestamp_ms  random  scalability  id  text
/// twitter     timestamp_ms  node  sequence  id
/// discord     timestamp_ms  node  sequence  id
/// tsid        timestamp_ms  node  sequence  id  text
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

/// Returns a time of a layout, often one of its two ends.
fn time_in(layout: &Layout, rng: &mut Rng) -> i64 {
    layout.epoch_ms() + rng.edgy((layout.last_ms() - layout.epoch_ms()) as u64) as i64
}

/// Composes an ID. The ID must read back as its parts, or comparing it would be pointless.
fn composed(ids: &impl Generator<Id = i64>, parts: ComposeParts) -> Result<i64, saiban::Error> {
    let id = ids.compose(&parts)?;
    assert_eq!(ComposeParts::from(ids.inspect(id)?), parts, "{id}");
    assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
    Ok(id)
}

fn lines_of_one(mut lines: String, rng: &mut Rng) -> Result<String, saiban::Error> {
    let clock = ManualClock::new(0)?;
    let mut line = |text: String| writeln!(lines, "{text}").expect("a String takes all text");

    let key = (u128::from(rng.next()) << 64 | u128::from(rng.next())).to_be_bytes();
    let secret: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let ids = RandflakeGenerator::build(&Secret::new(key), &Options::node(0), &clock)?;
    let timestamp_ms = (1_730_000_000 + rng.edgy((1 << 30) - 1) as i64) * 1_000;
    let (node, sequence) = (rng.edgy((1 << 17) - 1), rng.edgy((1 << 17) - 1));
    let id = composed(&ids, ComposeParts::at_ms(timestamp_ms).node(node as i64).sequence(sequence))?;
    line(format!("randflake\t{secret}\t{timestamp_ms}\t{node}\t{sequence}\t{id}\t{}", ids.to_text(id)?));

    let ids =
        UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), &clock, saiban::PooledEntropy)?;
    let (timestamp_ms, random) = (time_in(&Layout::ULID_FLAKE, rng), rng.edgy((1 << 20) - 1));
    let id = composed(&ids, ComposeParts::at_ms(timestamp_ms).random(random))?;
    line(format!("ulid-flake\t{timestamp_ms}\t{random}\t{id}\t{}", ids.to_text(id)?));

    let format = UlidFlakeFormat { scalability: Some(0), ..UlidFlakeFormat::default() };
    let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, saiban::PooledEntropy)?;
    let timestamp_ms = time_in(&Layout::ULID_FLAKE_SCALABLE, rng);
    let (random, scalability) = (rng.edgy((1 << 15) - 1), rng.edgy(31));
    let id = composed(&ids, ComposeParts::at_ms(timestamp_ms).random(random).node(scalability as i64))?;
    line(format!("ulid-flake-scalable\t{timestamp_ms}\t{random}\t{scalability}\t{id}\t{}", ids.to_text(id)?));

    for (name, layout) in [("twitter", Layout::TWITTER), ("discord", Layout::DISCORD)] {
        let ids = SnowflakeGenerator::build(layout, &Options::node(0), &clock)?;
        let (timestamp_ms, node, sequence) = (time_in(&layout, rng), rng.edgy(1023), rng.edgy(4095));
        let id = composed(&ids, ComposeParts::at_ms(timestamp_ms).node(node as i64).sequence(sequence))?;
        line(format!("{name}\t{timestamp_ms}\t{node}\t{sequence}\t{id}"));
    }

    let layout = Layout::TSID_1024;
    let ids = TsidGenerator::build(layout, &Options::node(0), &clock)?;
    let (timestamp_ms, node, sequence) = (time_in(&layout, rng), rng.edgy(1023), rng.edgy(4095));
    let id = composed(&ids, ComposeParts::at_ms(timestamp_ms).node(node as i64).sequence(sequence))?;
    line(format!("tsid\t{timestamp_ms}\t{node}\t{sequence}\t{id}\t{}", ids.to_text(id)?));
    Ok(lines)
}
