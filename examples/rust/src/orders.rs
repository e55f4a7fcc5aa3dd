//! The story: a program with one generator for many threads, with its own layout, and a test of the
//! end of a tick, on a clock that stands still.

use saiban::{Error, ErrorKind, Generator, Layout, LayoutSpec, ManualClock, Options, SnowflakeGenerator};
use std::error::Error as AnyError;

/// Checked by the compiler: 64 shops, and 65,536 orders a millisecond in each.
const ORDERS: Layout =
    match LayoutSpec::new().unused(1).timestamp(41).node(6).sequence(16).epoch_ms(1_577_836_800_000).check() {
        Ok(layout) => layout,
        Err(_) => panic!("the widths must add up to 64"),
    };

pub fn show() -> Result<(), Box<dyn AnyError>> {
    let ids = SnowflakeGenerator::build(ORDERS, &Options::node(6), saiban::SystemClock)?;

    // Threads share the generator without a lock or channel.
    let mut orders = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| ids.generate_many(25_000))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().map_err(|_| "a thread panicked")?.map_err(|error| error.into()))
            .collect::<Result<Vec<_>, Box<dyn AnyError>>>()
    })?
    .concat();
    orders.sort_unstable();
    orders.dedup();
    if orders.len() != 100_000 {
        return Err("two orders have the same ID".into());
    }
    let (first, last) = (orders[0], orders[99_999]);
    println!(
        "{} orders by four threads in {} ms, all different; the first is {}, {} in a URL",
        orders.len(),
        time_ms(&ids, last)? - time_ms(&ids, first)? + 1,
        first,
        ids.to_text_as(first, Some(saiban::Encoding::BASE58))?
    );

    let stats = ids.stats()?;
    println!(
        "of itself the generator tells: issued {}, waits {}, guarantee {}",
        stats.issued, stats.waits, stats.guarantee
    );

    end_of_a_tick()?;
    println!(
        "a tick that is used up, and a clock that is set back, are errors and never a second order of the same ID"
    );
    clock_set_back()?;
    println!("with rollback bits the shop goes on through a clock that is set back, and tells the IDs apart");
    Ok(())
}

/// Returns the time of an ID. Snowflakes have one; not every scheme does.
fn time_ms(ids: &SnowflakeGenerator, id: i64) -> Result<i64, Box<dyn AnyError>> {
    Ok(ids.inspect(id)?.timestamp_ms.ok_or("an order without a time")?)
}

/// Shows how a program can test that it handles errors of the clock.
fn end_of_a_tick() -> Result<(), Box<dyn AnyError>> {
    let clock = ManualClock::new(1_763_700_000_000)?;
    let ids = SnowflakeGenerator::build(ORDERS, &Options::node(6), &clock)?;
    let tick = ids.generate_many(65_536)?;
    expect(ids.generate(), ErrorKind::WouldWait)?;
    clock.advance(-60_000)?;
    expect(ids.generate(), ErrorKind::ClockBackward)?;
    clock.advance(60_001)?;
    let next = ids.generate()?;
    if tick.contains(&next) { Err("a second order of the same ID".into()) } else { Ok(()) }
}

/// Two bits of the node count clock steps back. This leaves 16 shops, and no generator waits.
fn clock_set_back() -> Result<(), Box<dyn AnyError>> {
    let clock = ManualClock::new(1_763_700_000_000)?;
    let ids = SnowflakeGenerator::build(ORDERS.with_rollback_bits(2)?, &Options::node(6), &clock)?;
    let before = ids.inspect(ids.generate()?)?;
    clock.advance(-60_000)?;
    let after = ids.inspect(ids.generate()?)?;
    let goes_on =
        after.timestamp_ms == before.timestamp_ms.map(|before_ms| before_ms - 60_000) && ids.stats()?.rollbacks == 1;
    if goes_on && (before.rollback, after.rollback) == (Some(0), Some(1)) {
        Ok(())
    } else {
        Err(format!("{before:?}, then {after:?}").into())
    }
}

fn expect(answer: Result<i64, Error>, kind: ErrorKind) -> Result<(), Box<dyn AnyError>> {
    match answer {
        Err(error) if error.kind() == kind => Ok(()),
        other => Err(format!("{other:?}, where {kind} was due").into()),
    }
}
