//! Writes IDs that are the same in every run: `fixed_ids SCHEME COUNT`, binary, 64 bits each,
//! little-endian. The clock is advanced by hand and the secret is known to all: for pictures and
//! measurements, never for use.

use saiban::{Generator, Layout, ManualClock, Options, RandflakeGenerator, Secret, SnowflakeGenerator};
use std::error::Error;
use std::io::{BufWriter, Write};

const NOW_MS: i64 = 1_763_700_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scheme, count] = arguments.as_slice() else { return Err("usage: fixed_ids SCHEME COUNT".into()) };
    let clock = ManualClock::new(NOW_MS)?;
    let options = Options::node(42);
    let ids: Box<dyn Generator<Id = i64>> = match scheme.as_str() {
        "randflake" => Box::new(RandflakeGenerator::build(&Secret::new([42; 16]), &options, &clock)?),
        "snowflake" => Box::new(SnowflakeGenerator::build(Layout::TWITTER, &options, &clock)?),
        _ => return Err(format!("no such scheme: {scheme}").into()),
    };
    let mut output = BufWriter::new(std::io::stdout().lock());
    let mut block = [0; 1024];
    let mut left: usize = count.parse()?;
    while left > 0 {
        let want = left.min(block.len());
        match ids.fill(&mut block[..want]) {
            Ok(made) => {
                block[..made].iter().try_for_each(|id| output.write_all(&id.to_le_bytes()))?;
                left -= made;
            }
            // The tick is used up.
            Err(_) => clock.advance(1)?,
        }
    }
    Ok(output.flush()?)
}
