//! Writes the conformance vectors, with saiban as the oracle. `vectors/verify.py` then checks them
//! independently.
//!
//! ```text
//! saiban-vectors                     write vectors/*.json
//! saiban-vectors --check             compare these files with the results; exit code 1 if unequal
//! saiban-vectors --parity SEED N     N random parts and saiban's IDs of them, separated by tabs
//! saiban-vectors --parity-family SEED N      likewise for UUIDs, TypeIDs, ULIDs and ObjectIds
//! saiban-vectors --parity-read N FILES       compare the IDs of others: N lines per generator
//! ```

mod document;
mod encoding;
mod encoding_wide;
mod family;
mod flake;
mod layout;
mod objectid;
mod parity;
mod parity_family;
mod randflake;
mod random_layouts;
mod range;
mod rng;
mod rollback;
#[path = "../../../core/tests/vectors/run.rs"]
mod run;
mod scheme;
mod secrets;
mod snowflake;
mod sparx;
mod tick_id;
mod tsid;
mod ulid;
mod ulid_flake;
mod uuid;
mod xid;

use std::path::Path;
use std::process::ExitCode;

const USAGE: &str =
    "usage: saiban-vectors [--check | --parity SEED N | --parity-family SEED N | --parity-read N FILES]";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => files(false),
        ["--check"] => files(true),
        ["--parity", seed, count] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => parity::print(seed, count),
            _ => usage(),
        },
        ["--parity-family", seed, count] => match (seed.parse(), count.parse()) {
            (Ok(seed), Ok(count)) => parity_family::print(seed, count),
            _ => usage(),
        },
        ["--parity-read", count, ref paths @ ..] if !paths.is_empty() => match count.parse() {
            Ok(count) => parity_family::read(count, paths),
            _ => usage(),
        },
        _ => usage(),
    }
}

fn usage() -> ExitCode {
    eprintln!("{USAGE}");
    ExitCode::from(2)
}

fn files(check: bool) -> ExitCode {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let [first_layouts, last_layouts] = random_layouts::documents();
    let documents = [
        snowflake::document(),
        randflake::document(),
        ulid_flake::document(),
        flake::document(),
        first_layouts,
        last_layouts,
        ulid::document(),
        uuid::document(),
        objectid::document(),
        tick_id::document(),
        tsid::document(),
        xid::document(),
        layout::document(),
        range::document(),
        encoding::document(),
        encoding_wide::document(),
        sparx::document(),
    ];
    let mut good = true;
    for document in documents {
        let name = format!("{}.json", document.name);
        let path = folder.join(&name);
        let text = document.text();
        let outcome = if check {
            std::fs::read_to_string(&path)
                .map(|old| if old == text { "is up to date" } else { "DIFFERS: run cargo run -p saiban-vectors" })
        } else {
            std::fs::write(&path, &text).map(|()| "written")
        };
        let outcome = outcome.unwrap_or_else(|error| {
            eprintln!("{name}: {error}");
            "FAILED"
        });
        good &= matches!(outcome, "is up to date" | "written");
        println!("{name} {outcome}: {} cases, {} bytes", document.cases(), text.len());
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
