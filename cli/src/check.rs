//! `saiban check`: counts which IDs of a stream repeat.

use crate::args::Check;
use crate::duplicates::{Duplicates, LEAST_MEMORY, Record, Report};
use crate::failure::Failure;
use crate::ids::{self, Form};
use crate::output::Output;
use crate::progress::Progress;
use bytesize::ByteSize;
use saiban::AnyId;
use serde_json::{Value, json};
use std::io;

/// The exit code if an ID repeats.
pub(crate) const REPEATED: u8 = 3;

pub(crate) fn run(arguments: &Check) -> Result<u8, Failure> {
    let form = Form::of(&arguments.ids, arguments.size)?;
    if form.bits > u64::BITS { run_as::<u128>(arguments, form) } else { run_as::<i64>(arguments, form) }
}

fn run_as<I: Record>(arguments: &Check, form: Form) -> Result<u8, Failure> {
    let memory = memory(arguments.memory)?;
    let folder = arguments.temp_dir.clone().unwrap_or_else(std::env::temp_dir);
    let failed =
        |error| Failure::Io { what: format!("sorting in {} and {}", arguments.memory, folder.display()), error };
    let mut duplicates = Duplicates::<I>::new(memory, &folder).map_err(failed)?;
    let mut read = 0;
    {
        let progress = Progress::counting("read");
        ids::each(&arguments.ids, form, &progress, |id| {
            read += 1;
            duplicates.push(id).map_err(failed)
        })?;
    }
    let progress = Progress::of("compared", read);
    let report = duplicates.finish(arguments.show as usize, |compared| progress.at(compared)).map_err(failed)?;
    drop(progress);
    let code = if report.repeated > 0 { REPEATED } else { 0 };
    match write(&report.map(|id| id.any(form.bits)), form, arguments.json) {
        // If the reader closes the pipe after the first line, the exit code still shows the result.
        Err(failure) if !failure.is_broken_pipe() => Err(failure),
        _ => Ok(code),
    }
}

fn write(report: &Report<AnyId>, form: Form, json: bool) -> Result<(), Failure> {
    let mut output = Output::report()?;
    if json {
        output.line(&to_json(report, form).to_string())?;
    } else {
        lines(report, form).try_for_each(|line| output.line(&line))?;
    }
    output.finish()
}

fn memory(size: ByteSize) -> Result<usize, Failure> {
    let least = ByteSize::b(LEAST_MEMORY as u64);
    match usize::try_from(size.as_u64()) {
        Ok(bytes) if size >= least => Ok(bytes),
        Ok(_) => Err(Failure::Arguments(format!("--memory {size} is too little to sort in: give {least} or more"))),
        Err(error) => Err(Failure::Io {
            what: format!("--memory {size}"),
            error: io::Error::new(io::ErrorKind::OutOfMemory, error),
        }),
    }
}

fn to_json(report: &Report<AnyId>, form: Form) -> Value {
    let most: Vec<Value> = report
        .most
        .iter()
        .map(|repeat| json!({ "id": repeat.id.to_string(), "text": form.write(repeat.id), "times": repeat.times }))
        .collect();
    json!({ "ids": report.ids, "distinct": report.distinct, "repeated": report.repeated, "most_repeated": most })
}

fn lines(report: &Report<AnyId>, form: Form) -> impl Iterator<Item = String> {
    let Report { ids, distinct, repeated, most } = report;
    let hidden = repeated - most.len() as u64;
    let shown = most.iter().map(move |repeat| format!("  {} {} times", form.write(repeat.id), repeat.times));
    std::iter::once(format!("{ids} IDs, {distinct} distinct, {repeated} repeated"))
        .chain(shown)
        .chain((hidden > 0).then(|| format!("  and {hidden} more, none of them more often")))
}
