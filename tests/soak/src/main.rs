//! `saiban-soak`: runs every scheme under a jumping clock, for a limited time or number of IDs. The
//! exit code is 1 if an ID repeats or a soak fails.

#![forbid(unsafe_code)]

use bytesize::ByteSize;
use clap::Parser;
use saiban::{AnyId, ErrorKind};
use saiban_soak::{Failure, Outcome, Plan, SUBJECTS, Subject};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Makes IDs of every scheme on threads with a jumping clock, and compares all IDs of a scheme with
/// each other
#[derive(Debug, Parser)]
#[command(version)]
struct Arguments {
    /// Maximum number of IDs of each kind of generators. The kinds run one after the other, and
    /// need 8 bytes of disk for each ID of one kind, 16 if IDs have more than 64 bits: 100000000
    /// IDs need 1.6 GB
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(10_000..))]
    ids: u64,
    /// Duration in minutes, including the checks. The kinds share it; time that one kind leaves
    /// goes to those that follow. Without it, each kind makes all its IDs
    #[arg(long, value_name = "MINUTES")]
    minutes: Option<f64>,
    /// Number of threads that make IDs; one more thread checks
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=31))]
    threads: u16,
    /// Memory of the check
    #[arg(long, value_name = "SIZE", default_value = "256MiB")]
    memory: ByteSize,
    /// Folder of the check's temporary file, and of state files while they are used; the system's
    /// if not given
    #[arg(long, value_name = "DIR")]
    temp_dir: Option<PathBuf>,
    /// Seed of the faults; the scheduling of threads also affects them. Random if not given
    #[arg(long)]
    seed: Option<u64>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let begun = Instant::now();
    let end = arguments.minutes.map(|minutes| begun + Duration::from_secs_f64(60.0 * minutes.clamp(0.0, 1e6)));
    let seed = arguments.seed.unwrap_or_else(|| fastrand::u64(..));
    println!("{} threads, seed {seed}", arguments.threads);
    println!(
        "{:<20} {:>13} {:>8}   {:>11} {:>14} {:>15}   {:>8} {:>8} {:>8}   {:>8} {:>8}   {:>6}",
        "scheme",
        "IDs",
        "repeated",
        "WOULD_WAIT",
        "CLOCK_BACKWARD",
        "LEASE_NOT_BEGUN",
        "back",
        "ahead",
        "frozen",
        "restarts",
        "crashes",
        "s"
    );
    let (mut passed, mut failed, mut all) = (0, 0, 0);
    // The time that the last subject took. For the first one it is a guess.
    let mut compare_s = 100e-9;
    for (subject, others) in SUBJECTS.iter().zip((1..=SUBJECTS.len()).rev()) {
        let started = Instant::now();
        let plan = Plan {
            threads: arguments.threads.into(),
            ids: arguments.ids,
            until: end.map(|end| started + end.saturating_duration_since(started).div_f64(others as f64)),
            compare_s,
            memory: usize::try_from(arguments.memory.as_u64()).unwrap_or(usize::MAX),
            folder: arguments.temp_dir.clone().unwrap_or_else(std::env::temp_dir),
            seed,
        };
        match run(subject, &plan) {
            Ok(outcome) => {
                row(subject.name, &outcome, started.elapsed());
                let report = &outcome.report;
                compare_s = outcome.comparing.as_secs_f64() / report.ids.max(1) as f64;
                all += report.ids;
                let good = report.ids > 0 && report.repeated == 0;
                *(if good { &mut passed } else { &mut failed }) += 1;
                for repeat in &report.most {
                    println!("  {} {} times", repeat.id, repeat.times);
                }
            }
            Err(failure) => {
                failed += 1;
                println!("{:<20} {failure}", subject.name);
            }
        }
    }
    println!("{all} IDs in {:.0} s", begun.elapsed().as_secs_f64());
    println!("{passed} passed, {failed} failed, 0 skipped");
    ExitCode::from(u8::from(failed > 0))
}

/// Soaks one subject, and removes its state files afterwards.
fn run(subject: &Subject, plan: &Plan) -> Result<Outcome<AnyId>, Failure> {
    let files = tempfile::tempdir_in(&plan.folder).map_err(Failure::State)?;
    let (clock, fleet) = subject.prepare(plan.threads, files.path())?;
    fleet.soak(&clock, plan)
}

fn row(name: &str, outcome: &Outcome<AnyId>, time: Duration) {
    let Outcome { report, jumps, tally, .. } = outcome;
    let [would_wait, backward, not_begun] =
        [ErrorKind::WouldWait, ErrorKind::ClockBackward, ErrorKind::LeaseNotBegun].map(|kind| tally.refused(kind));
    println!(
        "{name:<20} {:>13} {:>8}   {would_wait:>11} {backward:>14} {not_begun:>15}   {:>8} {:>8} {:>8}   {:>8} {:>8}   {:>6.1}",
        report.ids,
        report.repeated,
        jumps.back,
        jumps.ahead,
        jumps.frozen,
        tally.restarts,
        tally.crashes,
        time.as_secs_f64()
    );
}
