//! Randflakes: from a generator with one owner, from a shared generator, and in bulk.

use crate::baselines::SECRET;
use crate::failure::Failure;
use crate::rounds::{Case, SAIBAN, case, made};
use saiban::cursor::LocalCursor;
use saiban::{Generator, Options, RandflakeGenerator, Secret, SystemClock};

pub fn cases() -> Result<Vec<Case>, Failure> {
    let secret = Secret::new(SECRET);
    // So many nodes that no second is used up: each node has 131,072 IDs a second.
    let own = RandflakeGenerator::<_, LocalCursor>::with_cursor(&secret, &Options::nodes(0..32_768), SystemClock)?;
    let shared = RandflakeGenerator::build(&secret, &Options::nodes(32_768..65_536), SystemClock)?;
    let filled = RandflakeGenerator::build(&secret, &Options::nodes(65_536..131_072), SystemClock)?;
    let mut ids = vec![0; 1_024];
    Ok(vec![
        case("rust.randflake.generate.owner", SAIBAN, 1, move || made(own.generate())),
        case("rust.randflake.generate.shared", SAIBAN, 1, move || made(shared.generate())),
        case("rust.randflake.fill", SAIBAN, 1_024, move || made(filled.fill(&mut ids))),
    ])
}
