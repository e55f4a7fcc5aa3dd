//! Measures `saiban serve` and its rivals under load in one run, with server and client on one
//! machine: the tables of docs/service-cost.md. It fails only for a wrong response or a repeated
//! ID.
//!
//!     make bench-service                      runs everything, and writes the tables
//!     saiban-bench-service --saiban PROGRAM --ferroid PROGRAM [--rounds N] [--seconds N] [--write PAGE] [ROW …]
//!
//! ROW is a prefix of a row's name: saiban, "Redis, INCR".

mod awake;
mod client;
mod distinct;
mod failure;
mod measure;
mod page;
mod plan;
mod report;
mod rows;
mod samples;
mod servers;

use failure::Failure;
use plan::Plan;
use servers::Programs;
use std::time::Duration;

/// The duration of each sample in the trial round.
const TRIAL: Duration = Duration::from_millis(100);

fn main() -> Result<(), Failure> {
    let (mut page, mut rounds, mut seconds, mut rows) = (None, 13, 0.5, Vec::new());
    let mut programs = Programs { saiban: "saiban".to_owned(), ferroid: "ferroid-tonic-server".to_owned() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(format!("{word} wants a value"));
        match word.as_str() {
            "--saiban" => programs.saiban = value()?,
            "--ferroid" => programs.ferroid = value()?,
            "--rounds" => rounds = value()?.parse()?,
            "--seconds" => seconds = value()?.parse()?,
            "--write" => page = Some(value()?),
            _ => rows.push(word),
        }
    }
    let load = page::load();
    let folder = tempfile::tempdir()?;
    let cases = plan::cases(&rows);
    let servers =
        servers::start(&programs, folder.path(), |service| cases.iter().any(|(row, _)| row.service == service))?;
    let script = page::told(&programs.saiban, &["lua"]);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let plan = runtime.block_on(async {
        let mut plan = Plan::new(cases, servers, &script).await?;
        plan.round(0, TRIAL, true).await?;
        for round in 0..rounds {
            plan.round(round, Duration::from_secs_f64(seconds), false).await?;
            eprintln!("round {} of {rounds}", round + 1);
        }
        Ok::<_, Failure>(plan)
    })?;
    let tables = format!(
        "{}. Rounds: {rounds}, each sample {seconds} s. {} IDs, none twice. Load before: {load}.\n\n{}",
        page::machine(&programs),
        plan.ids,
        report::tables(&plan.samples)
    );
    println!("{tables}");
    if let Some(page) = page {
        page::write(&page, &tables)?;
    }
    Ok(())
}
