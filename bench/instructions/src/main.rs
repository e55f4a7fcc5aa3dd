//! Runs each hot path a number of times, so that `run` in this folder can count instructions.
//!
//!     saiban-instructions                 the paths' names
//!     saiban-instructions PATH TURNS      this one, this many times
//!
//! Clocks are manual and randomness is constant, so every run takes the same number.

use saiban::cursor::LocalCursor;
use saiban::{
    Encoding, Entropy, Error, Generator, Layout, ManualClock, ObjectIdGenerator, Options, RandflakeGenerator, Secret,
    SnowflakeGenerator, UlidFlakeFormat, UlidFlakeGenerator, UlidGenerator, UuidGenerator, UuidVersion,
};
use std::error::Error as StdError;
use std::hint::black_box;

const NOW_MS: i64 = 1_763_700_000_000;

/// So many IDs a tick that no tick is used up.
const ROOMY: &str = "unused:1 timestamp:20@s,epoch=2025-11-20 node:1 sequence:42";

const MANY: usize = 1_024;

/// A constant source of randomness.
struct Same;

impl Entropy for Same {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        bytes.fill(1);
        Ok(())
    }
}

type Turn = Box<dyn FnMut()>;
type Failure = Box<dyn StdError>;

const PATHS: [(&str, fn() -> Result<Turn, Failure>); 15] = [
    ("snowflake.generate.shared", || {
        let ids = SnowflakeGenerator::build(Layout::from_text(ROOMY)?, &Options::node(0), clock()?)?;
        Ok(turn(move || ids.generate()))
    }),
    ("snowflake.generate.owner", || {
        let ids =
            SnowflakeGenerator::<_, LocalCursor>::with_cursor(Layout::from_text(ROOMY)?, &Options::node(0), clock()?)?;
        Ok(turn(move || ids.generate()))
    }),
    ("snowflake.fill", || {
        let ids = SnowflakeGenerator::build(Layout::from_text(ROOMY)?, &Options::node(0), clock()?)?;
        let mut made = vec![0; MANY];
        Ok(turn(move || ids.fill(&mut made)))
    }),
    ("snowflake.inspect", || {
        let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(0), clock()?)?;
        Ok(turn(move || ids.inspect(black_box(1_741_610_183_685_074_945))))
    }),
    ("randflake.generate.shared", || {
        let ids = RandflakeGenerator::build(&secret(), &Options::nodes(0..65_536), clock()?)?;
        Ok(turn(move || ids.generate()))
    }),
    ("randflake.generate.owner", || {
        let ids = RandflakeGenerator::<_, LocalCursor>::with_cursor(&secret(), &Options::nodes(0..65_536), clock()?)?;
        Ok(turn(move || ids.generate()))
    }),
    ("randflake.fill", || {
        let ids = RandflakeGenerator::build(&secret(), &Options::nodes(0..65_536), clock()?)?;
        let mut made = vec![0; MANY];
        Ok(turn(move || ids.fill(&mut made)))
    }),
    ("ulid-flake.generate", || {
        let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), clock()?, Same)?;
        Ok(turn(move || ids.try_generate()))
    }),
    ("ulid.generate", || {
        let ids = UlidGenerator::build(&Options::default(), clock()?, Same)?;
        Ok(turn(move || ids.generate()))
    }),
    ("uuid-v7.generate", || {
        let ids = UuidGenerator::build(UuidVersion::V7, &Options::default(), clock()?, Same)?;
        Ok(turn(move || ids.try_generate()))
    }),
    ("objectid.generate", || {
        let ids = ObjectIdGenerator::build(&Options::default(), clock()?, Same)?;
        Ok(turn(move || ids.try_generate()))
    }),
    ("crockford.encode", || encode(Encoding::CROCKFORD)),
    ("crockford.decode", || decode(Encoding::CROCKFORD)),
    ("base62.encode", || encode(Encoding::BASE62)),
    ("base62.decode", || decode(Encoding::BASE62)),
];

fn clock() -> Result<ManualClock, Error> {
    ManualClock::new(NOW_MS)
}

fn secret() -> Secret {
    Secret::new([7; 16])
}

fn turn<T>(mut once: impl FnMut() -> T + 'static) -> Turn {
    Box::new(move || {
        black_box(once());
    })
}

fn encode(encoding: Encoding) -> Result<Turn, Failure> {
    let mut text = [0; 16];
    Ok(turn(move || encoding.encode_into(black_box(1_741_610_183_685_074_945), None, &mut text)))
}

fn decode(encoding: Encoding) -> Result<Turn, Failure> {
    let text = encoding.encode(1_741_610_183_685_074_945);
    Ok(turn(move || encoding.decode(black_box(&text))))
}

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let Some(wanted) = words.next() else {
        PATHS.iter().for_each(|(path, _)| println!("{path}"));
        return Ok(());
    };
    let turns: u64 = words.next().ok_or("how many turns?")?.parse()?;
    let (_, build) = PATHS.iter().find(|(path, _)| *path == wanted).ok_or("no such path")?;
    let mut turn = build()?;
    // The first turn does work that is done only once.
    turn();
    (0..turns).for_each(|_| turn());
    Ok(())
}
