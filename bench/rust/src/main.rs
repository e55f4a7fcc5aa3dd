//! Measures saiban's core, other crates, and the baselines of both, in one process: JSON lines for
//! `bench/run`.
//!
//!     saiban-bench-rust [--rounds N] [--ms N] [PATH …]
//!     saiban-bench-rust --turns N [PATH …]             runs N turns of each case
//!
//! PATH is a prefix of the path of a case: rust.randflake.

mod baselines;
mod encodings;
mod failure;
mod randflake;
mod rounds;
mod scope;
mod snowflake;
mod threads;
mod wide;

use failure::Failure;
use rounds::Case;

fn main() -> Result<(), Failure> {
    let (mut rounds, mut ms, mut turns, mut paths) = (15, 20, None, Vec::new());
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut number = || words.next().ok_or(format!("{word} wants a number"))?.parse::<u64>().map_err(Failure::from);
        match word.as_str() {
            "--rounds" => rounds = number()?,
            "--ms" => ms = number()?,
            "--turns" => turns = Some(number()?),
            scope::SECOND => return scope::second(&words.next().unwrap_or_default()),
            _ => paths.push(word),
        }
    }
    let mut cases = cases()?;
    cases.retain(|case| paths.is_empty() || paths.iter().any(|path| case.path.starts_with(path.as_str())));
    match turns {
        Some(turns) => {
            rounds::turn(cases, turns);
            Ok(())
        }
        None => rounds::run(cases, rounds, ms),
    }
}

fn cases() -> Result<Vec<Case>, Failure> {
    let mut cases = baselines::cases();
    cases.extend(snowflake::cases()?);
    cases.extend(randflake::cases()?);
    cases.extend(threads::cases()?);
    cases.extend(scope::cases()?);
    cases.extend(wide::cases()?);
    cases.extend(encodings::cases()?);
    Ok(cases)
}
