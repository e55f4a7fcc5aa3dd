//! Snowflakes: with a manual clock, which isolates the cost of the cursor, and with the real clock.

use crate::failure::Failure;
use crate::rounds::{Case, SAIBAN, case, made};
use ferroid::define_snowflake_id;
use ferroid::generator::{AtomicSnowflakeGenerator, BasicSnowflakeGenerator};
use ferroid::time::{MonotonicClock, TWITTER_EPOCH, TimeSource};
use saiban::cursor::internal::{Beginning, CursorKey, Sharing, next_within};
use saiban::cursor::{Cursor, CursorWord, LocalCursor};
use saiban::entropy::PooledEntropy;
use saiban::process::{generation, watched_generation};
use saiban::{
    Clock, Generator, Layout, ManualClock, Options, SnowflakeGenerator, SystemClock, UlidFlakeFormat,
    UlidFlakeGenerator,
};

use std::cell::Cell;
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;

define_snowflake_id!(
    /// With so large a sequence that no tick is used up.
    Roomy, u64, reserved: 1, timestamp: 20, machine_id: 1, sequence: 42
);

/// A layout of saiban with fields of equal width.
const ROOMY: &str = "unused:1 timestamp:20@s,epoch=2025-11-20 node:1 sequence:42";

const BASELINE: &str = "baseline: a fork, the clock and the cursor looked at";

/// A manual clock for ferroid, as in its own tests: it stores its time, like saiban's.
#[derive(Clone)]
struct Still {
    millis: u64,
}

impl TimeSource<u64> for Still {
    fn current_millis(&self) -> u64 {
        self.millis
    }
}

/// Returns the work that every ID of saiban needs, for one constant layout: checking for a fork,
/// checking that the clock still shows the tick, and advancing the cursor.
fn baseline<W: CursorWord<Position = u64>>(clock: ManualClock) -> Result<impl FnMut() -> Option<u64>, Failure> {
    const BITS: u32 = 42;
    let layout = Layout::from_text(ROOMY)?;
    let fields =
        CursorKey { format: "baseline", layout, first_node: 0, end_node: 1, rollback: 0, bits: BITS, is_wide: false };
    let cursor = W::open(&fields, Sharing::Own, &Beginning::default())?;
    let made_in = watched_generation();
    let tick = (clock.now_ms() - layout.epoch_ms()) as u64 / 1_000;
    cursor.replace(cursor.load(), (tick << BITS) + 1, 0).map_err(|_| "nobody else has it")?;
    let until = clock.cycles().ok_or("a manual clock counts")? + 1_000_000;
    Ok(move || {
        let left = until.wrapping_sub(clock.cycles()?);
        if generation() != made_in || left == 0 || left > 1_000_000 {
            return None;
        }
        let (position, next) = next_within(cursor.load(), tick, BITS, 1 << BITS, 1)?;
        cursor.replace(position, next, 0).ok()?;
        Some(position)
    })
}

/// A clock that advances by 16 µs with each reading, so that a millisecond has about 60 IDs and no
/// format is used up.
#[derive(Default)]
struct Hasty(Cell<u64>);

impl Clock for Hasty {
    fn now_ns(&self) -> Result<u64, saiban::Error> {
        Ok(NOW_MS as u64 * 1_000_000 + self.0.get())
    }

    fn cycles(&self) -> Option<u64> {
        self.0.set(self.0.get() + 16_384);
        Some(self.0.get())
    }

    fn wait(&self, duration: Duration) -> bool {
        self.0.set(self.0.get() + duration.as_nanos() as u64);
        true
    }
}

pub fn cases() -> Result<Vec<Case>, Failure> {
    let still = || ManualClock::new(NOW_MS);
    let (mut shared_baseline, mut own_baseline) = (baseline::<Cursor>(still()?)?, baseline::<LocalCursor>(still()?)?);
    let shared = SnowflakeGenerator::build(Layout::from_text(ROOMY)?, &Options::node(0), still()?)?;
    let own =
        SnowflakeGenerator::<_, LocalCursor>::with_cursor(Layout::from_text(ROOMY)?, &Options::node(1), still()?)?;
    let atomic = AtomicSnowflakeGenerator::<Roomy, _>::new(0, Still { millis: 1_000 });
    let basic = BasicSnowflakeGenerator::<Roomy, _>::new(1, Still { millis: 1_000 });
    // So many nodes that no millisecond is used up.
    let real = SnowflakeGenerator::build(Layout::TWITTER, &Options::nodes(0..1024), SystemClock)?;
    let filled = SnowflakeGenerator::build(Layout::DISCORD, &Options::nodes(0..512), SystemClock)?;
    let theirs = AtomicSnowflakeGenerator::<Roomy, _>::new(0, MonotonicClock::<1>::with_epoch(TWITTER_EPOCH));
    let hasty =
        || UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), Hasty::default(), PooledEntropy);
    let (flakes, many) = (hasty()?, hasty()?);
    let (mut ids, mut more) = (vec![0; 1_024], vec![0; 1_024]);
    Ok(vec![
        case("rust.snowflake.generate.shared.mock", SAIBAN, 1, move || made(shared.generate())),
        case("rust.snowflake.generate.shared.mock", "ferroid, Atomic", 1, move || atomic.next_id(|_| ())),
        case("rust.snowflake.generate.shared.mock", BASELINE, 1, move || shared_baseline().expect("an ID")),
        case("rust.snowflake.generate.owner.mock", SAIBAN, 1, move || made(own.generate())),
        case("rust.snowflake.generate.owner.mock", "ferroid, Basic", 1, move || basic.next_id(|_| ())),
        case("rust.snowflake.generate.owner.mock", BASELINE, 1, move || own_baseline().expect("an ID")),
        case("rust.snowflake.generate", SAIBAN, 1, move || made(real.generate())),
        case("rust.snowflake.generate", "ferroid, Atomic, its clock on a thread", 1, move || theirs.next_id(|_| ())),
        case("rust.snowflake.fill", SAIBAN, 1_024, move || made(filled.fill(&mut ids))),
        case("rust.ulidflake.generate.mock", SAIBAN, 1, move || made(flakes.generate())),
        case("rust.ulidflake.fill.mock", SAIBAN, 1_024, move || made(many.fill(&mut more))),
    ])
}
