//! `saiban new`: makes IDs. It leases its node if a store is given.

use crate::args::New;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::scheme::{self, of_flake};
use crate::spec::{refuse_what_the_scheme_lacks, spec};
use saiban::scheme::GeneratorOption;
use saiban::{AnyGenerator, Encoding, Generator, Grant, IdValue, Options, PooledEntropy, Rollback, Scope, SystemClock};
use serde_json::json;
use std::io::IsTerminal;
use std::time::Duration;

/// How many IDs are generated at a time, before they are written.
const BLOCK: u64 = 1024;

/// The hint for a layout that is not a Snowflake's.
const FLAKE: &str = "saiban new flake makes IDs of any layout";

pub(crate) fn run(arguments: &New) -> Result<(), Failure> {
    let encoding = arguments.format.as_deref().map(Encoding::from_name).transpose().map_err(Failure::of("--format"))?;
    #[cfg(feature = "lease")]
    if let Some(lease) = crate::lease::node(arguments)? {
        let made = lease.grant().map_err(Failure::from).and_then(|grant| make(arguments, encoding, Some(grant)));
        // If the store cannot be reached, the lease expires by itself. The IDs are valid in any
        // case.
        let _ = lease.release();
        return made;
    }
    make(arguments, encoding, None)
}

fn make(arguments: &New, encoding: Option<Encoding>, grant: Option<Grant>) -> Result<(), Failure> {
    match generator(arguments, grant)? {
        AnyGenerator::Narrow(generator) => write(&*generator, encoding, arguments),
        AnyGenerator::Wide(generator) => write(&*generator, encoding, arguments),
    }
}

fn write<I: IdValue>(
    generator: &dyn Generator<Id = I>,
    encoding: Option<Encoding>,
    arguments: &New,
) -> Result<(), Failure> {
    let mut ids = vec![I::default(); arguments.count.min(BLOCK) as usize];
    // Generate the first IDs before opening the file: an error must not empty an existing file.
    let mut made = if ids.is_empty() { 0 } else { generator.fill(&mut ids)? };
    let mut output = Output::open(arguments.output.as_deref())?;
    // On a terminal, the IDs themselves show the progress.
    let is_seen = arguments.output.is_none() && std::io::stdout().is_terminal();
    let progress = (!is_seen && arguments.count > BLOCK).then(|| Progress::of("made", arguments.count));
    let mut left = arguments.count;
    while left > 0 {
        for &id in &ids[..made] {
            let text = generator.to_text_as(id, encoding)?;
            if arguments.json {
                let line = json!({ "scheme": generator.scheme().name(), "id": id.to_string(), "text": text.as_str() });
                output.line(&line.to_string())?;
            } else {
                output.line(&text)?;
            }
        }
        left -= made as u64;
        if let Some(progress) = &progress {
            progress.at(arguments.count - left);
        }
        if left > 0 {
            let wanted = left.min(BLOCK) as usize;
            made = generator.fill(&mut ids[..wanted])?;
        }
    }
    output.finish()
}

fn generator(arguments: &New, grant: Option<Grant>) -> Result<AnyGenerator, Failure> {
    let scheme = scheme::named(&arguments.scheme)?;
    refuse_what_the_scheme_lacks(scheme, arguments)?;
    let mut options = options(arguments)?;
    options.grant = grant;
    if scheme.takes(GeneratorOption::MaxWait) {
        options.max_wait = Some(max_wait(arguments)?);
    }
    let spec = spec(scheme, arguments)?;
    if options.rollback == Some(Rollback::Bits) && !spec.layout_of_ids()?.is_some_and(|layout| layout.has_rollback()) {
        let what = "--rollback bits needs a layout with a rollback field: --rollback-bits 2 gives it one of two bits";
        return Err(Failure::Arguments(what.into()));
    }
    spec.build(&options, SystemClock, PooledEntropy).map_err(|error| of_flake(error, FLAKE))
}

/// Returns the generator's options from the arguments.
///
/// Consecutive runs for one node repeat no ID. In machine scope a generator continues where the
/// last one of this machine stopped. In process scope it begins with the tick after the one in
/// which it was built. With `--not-before` it begins with the tick after that time.
fn options(arguments: &New) -> Result<Options, Failure> {
    let rollback = arguments.rollback.as_deref().map(Rollback::from_name).transpose()?;
    let scope = arguments.scope.as_deref().map(Scope::from_name).transpose()?;
    let max_jump = arguments.max_jump_s.map(Options::jump_s).transpose().map_err(Failure::of("--max-jump-s"))?;
    let mut options = Options::default();
    (options.rollback, options.scope, options.max_jump) = (rollback, scope, max_jump);
    (options.node, options.shards, options.not_before) = (arguments.node, arguments.shards, arguments.not_before);
    (options.nodes, options.state) = (arguments.nodes.clone(), arguments.state.clone());
    Ok(options)
}

/// Returns how long to wait for an ID. The default is longer than a tick of any scheme; only a
/// layout of the user's own may have longer ticks.
fn max_wait(arguments: &New) -> Result<Duration, Failure> {
    const USUAL_MS: i64 = 3_000;
    Options::wait_ms(arguments.max_wait_ms.unwrap_or(USUAL_MS)).map_err(Failure::of("--max-wait-ms"))
}
