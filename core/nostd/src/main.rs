//! saiban on a machine without std and without an allocator: with a clock and a source of
//! randomness of its own.
//!
//! What it makes must be what the published examples say. It prints what it did, or the number of
//! the first line that did not hold.

#![no_std]
#![no_main]

mod machine;
#[cfg_attr(target_os = "none", path = "bare.rs")]
#[cfg_attr(not(target_os = "none"), path = "hosted.rs")]
mod system;

use core::fmt::Write;
use machine::{Dice, Timer};
use saiban::cursor::LocalCursor;
use saiban::{
    Attempt, ComposeParts, Encoding, Error, ErrorKind, Generator, Inspector, Layout, Leniency, Options,
    RandflakeGenerator, Scheme, Secret, SnowflakeGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};
use system::Console;

/// 2024-12-09T01:04:57Z.
const NOW_MS: u64 = 1_733_706_297_000;

/// Says no with the line's number, as a test would panic.
macro_rules! hold {
    ($condition:expr) => {
        if !$condition {
            return Err(Broken { line: line!(), error: None });
        }
    };
}

struct Broken {
    line: u32,
    error: Option<Error>,
}

impl From<Error> for Broken {
    fn from(error: Error) -> Self {
        Broken { line: 0, error: Some(error) }
    }
}

/// Makes IDs, and returns 0 if all are as published.
fn checked() -> i32 {
    let mut console = Console;
    match run(&mut console) {
        Ok(()) => {
            let _ = writeln!(console, "saiban without std and without an allocator: all as published");
            0
        }
        Err(Broken { line, error: Some(error) }) => {
            let _ = writeln!(console, "line {line}: {error}");
            1
        }
        Err(Broken { line, error: None }) => {
            let _ = writeln!(console, "line {line} does not hold");
            1
        }
    }
}

fn run(console: &mut Console) -> Result<(), Broken> {
    snowflake(console)?;
    randflake(console)?;
    ulid_flake(console)?;
    text()
}

fn snowflake(console: &mut Console) -> Result<(), Broken> {
    let timer = Timer::new(NOW_MS);
    // Shared between threads, with an atomic word, where the machine has 64-bit atomics.
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(7), &timer)?;
    let mut last = -1;
    for _ in 0..4096 {
        let id = ids.generate()?;
        hold!(id > last && ids.inspect(id)?.node == Some(7));
        last = id;
    }
    // The tick is used up, and this clock never waits.
    hold!(matches!(ids.generate(), Err(error) if error.kind() == ErrorKind::WouldWait));
    hold!(matches!(ids.try_generate()?, Attempt::Wait(_)));
    timer.set_ms(NOW_MS - 60_000);
    hold!(matches!(ids.generate(), Err(error) if error.kind() == ErrorKind::ClockBackward));
    timer.set_ms(NOW_MS + 1);
    hold!(ids.generate()? > last);
    writeln!(console, "snowflake   {} = {}", last, ids.to_text_as(last, Some(Encoding::BASE62))?)
        .map_err(no_console)?;

    let discord = SnowflakeGenerator::build(Layout::DISCORD, &Options::node(0), &timer)?;
    let parts = ComposeParts::at_ms(1_462_015_105_796).node(32).sequence(7);
    hold!(discord.compose(&parts)? == 175_928_847_299_117_063);

    // With a single owner, for machines without 64-bit atomics.
    let own: SnowflakeGenerator<_, LocalCursor> =
        SnowflakeGenerator::with_cursor(Layout::SONYFLAKE, &Options::nodes(0..4), &timer)?;
    let mut block = [0; 1000];
    hold!(own.fill(&mut block)? == 1000);
    block.sort_unstable();
    hold!(block.windows(2).all(|pair| pair[0] < pair[1]));
    Ok(())
}

fn randflake(console: &mut Console) -> Result<(), Broken> {
    let timer = Timer::new(NOW_MS);
    let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5")?;
    let ids = RandflakeGenerator::build(&secret, &Options::node(42), &timer)?;
    hold!(ids.compose(&ComposeParts::at_ms(NOW_MS as i64).node(42).sequence(1))? == 4_594_531_474_933_654_033);
    hold!(ids.to_text(4_594_531_474_933_654_033)? == "3vgoe12ccb8gh");
    hold!(ids.from_text("3vgoe12ccb8gh")? == 4_594_531_474_933_654_033);
    let (first, second) = (ids.generate()?, ids.generate()?);
    // The second of a tick is the published one.
    hold!(first != second && second == 4_594_531_474_933_654_033);
    let found = Inspector::at(NOW_MS as i64).secret(&secret)?.scheme(Scheme::Randflake).inspect(second);
    hold!(found.iter().next().is_some_and(|parts| parts.node == Some(42) && parts.sequence == Some(1)));
    writeln!(console, "randflake   {} = {}", second, ids.to_text(second)?).map_err(no_console)?;
    Ok(())
}

fn ulid_flake(console: &mut Console) -> Result<(), Broken> {
    let timer = Timer::new(NOW_MS);
    let dice = Dice::new(0x5a1b_a717);
    let ids: UlidFlakeGenerator<_, LocalCursor, _> =
        UlidFlakeGenerator::with_cursor(UlidFlakeFormat::default(), &Options::default(), &timer, &dice)?;
    hold!(ids.compose(&ComposeParts::at_ms(1_717_653_966_666).random(627_498))? == 14_246_757_444_195_114);
    hold!(ids.to_text(14_246_757_444_195_114)? == "00CMXB6TAK4SA");
    let (first, second) = (ids.generate()?, ids.generate()?);
    hold!(first < second && ids.inspect(second)?.timestamp_ms == Some(NOW_MS as i64));
    let scalable = UlidFlakeFormat { scalability: Some(31), entropy_size: 2, ..UlidFlakeFormat::default() };
    let other: UlidFlakeGenerator<_, LocalCursor, _> =
        UlidFlakeGenerator::with_cursor(scalable, &Options::default(), &timer, &dice)?;
    hold!(other.inspect(other.generate()?)?.node == Some(31));
    writeln!(console, "ulid-flake  {} = {}", first, ids.to_text(first)?).map_err(no_console)?;
    Ok(())
}

fn text() -> Result<(), Broken> {
    for encoding in Encoding::ALL {
        for id in [0, 1, -1, i64::MIN, i64::MAX, NOW_MS as i64] {
            let mut buffer = [0; 64];
            let written = encoding.encode_into(id, None, &mut buffer)?;
            let text = core::str::from_utf8(&buffer[..written]).unwrap_or_default();
            hold!(encoding.decode(text)? == id);
        }
    }
    hold!(Encoding::CROCKFORD.decode_as("0-0cmxb6-tak4sa", None, Leniency::Lenient)? == 14_246_757_444_195_114);
    hold!(matches!(Encoding::BASE58.decode("1O"), Err(error) if error.position() == Some(1)));
    Ok(())
}

fn no_console(_: core::fmt::Error) -> Broken {
    Broken { line: line!(), error: None }
}
