//! `saiban new`: makes IDs.

use crate::args::New;
use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::scheme::{self, layout_of, order_of, refuse_unless, told_of_flake};
use crate::secret;
use saiban::{
    Encoding, Flake, Generator, Grant, IdValue, Layout, ObjectId, Options, PooledEntropy, Randflake, Rollback, Scheme,
    Scope, Snowflake, SystemClock, TickId, Ulid, UlidFlake, UlidFlakeFormat, Uuid, WideFlake,
};
use serde_json::json;
use std::io::IsTerminal;
use std::time::Duration;

/// How many IDs are made before they are written.
const BLOCK: u64 = 1024;

/// What helps where a layout is no Snowflake's.
const FLAKE: &str = "saiban new flake makes IDs of any layout";

/// IDs of up to 64 bits, or wider ones.
enum AnyGenerator {
    Narrow(Box<dyn Generator>),
    Wide(Box<dyn Generator<u128>>),
}

pub(crate) fn run(arguments: &New) -> Result<(), Failure> {
    let encoding = arguments.format.as_deref().map(Encoding::from_name).transpose().map_err(Failure::of("--format"))?;
    #[cfg(feature = "lease")]
    if let Some(lease) = crate::lease::node(arguments)? {
        let made = lease.grant().map_err(Failure::from).and_then(|grant| make(arguments, encoding, Some(grant)));
        // Where the store cannot be told, the lease ends by itself: IDs were made, and are none the worse.
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

fn write<I: IdValue>(generator: &dyn Generator<I>, encoding: Option<Encoding>, arguments: &New) -> Result<(), Failure> {
    let mut ids = vec![I::default(); arguments.count.min(BLOCK) as usize];
    // A file is not written over before there are IDs to write.
    let mut made = if ids.is_empty() { 0 } else { generator.fill(&mut ids)? };
    let mut output = Output::open(arguments.output.as_deref())?;
    // Whoever sees the IDs sees how far they are.
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
    use AnyGenerator::{Narrow, Wide};
    let scheme = scheme::named(&arguments.scheme)?;
    refuse_what_the_scheme_lacks(scheme, arguments)?;
    let chosen = Options { grant, ..options(arguments)? };
    let options = chosen.clone().max_wait(max_wait(arguments)?);
    let uuid = |version| Uuid::build(version, &options, SystemClock, PooledEntropy);
    Ok(match scheme {
        Scheme::Randflake => {
            Narrow(Box::new(Randflake::<_>::build(&secret::require(&arguments.secret)?, &options, SystemClock)?))
        }
        Scheme::UlidFlake => {
            let usual = UlidFlakeFormat::default();
            let format = UlidFlakeFormat {
                scalability: arguments.scalability,
                entropy_size: arguments.entropy_size.unwrap_or(usual.entropy_size),
                ..usual
            };
            Narrow(Box::new(UlidFlake::<_>::build(format, &options, SystemClock, PooledEntropy)?))
        }
        Scheme::Ulid => Wide(Box::new(Ulid::build(&options, SystemClock, PooledEntropy)?)),
        Scheme::UuidV1 => Wide(Box::new(uuid(1)?)),
        // It has no time to wait for, and takes no options.
        Scheme::UuidV4 => Wide(Box::new(Uuid::build(4, &chosen, SystemClock, PooledEntropy)?)),
        Scheme::UuidV7 => Wide(Box::new(uuid(7)?)),
        Scheme::ObjectId => Wide(Box::new(ObjectId::build(&options, SystemClock, PooledEntropy)?)),
        Scheme::TickId => {
            let order = order_of(arguments.order.as_deref())?;
            Wide(Box::new(TickId::build(order, &options, SystemClock, PooledEntropy)?))
        }
        _ => {
            let layout = layout(scheme, arguments)?;
            if options.rollback == Some(Rollback::Bits) && !layout.has_rollback() {
                let what =
                    "--rollback bits needs a layout with a rollback field: --rollback-bits 2 gives it one of two bits";
                return Err(Failure::Arguments(what.into()));
            }
            match scheme {
                Scheme::Flake if layout.is_wide() => Wide(Box::new(WideFlake::new(layout, &options)?)),
                Scheme::Flake => Narrow(Box::new(Flake::new(layout, &options)?)),
                _ => Narrow(Box::new(
                    Snowflake::<_>::build(layout, &options, SystemClock)
                        .map_err(|error| told_of_flake(error, FLAKE))?,
                )),
            }
        }
    })
}

/// The layout of a Snowflake or a Flake.
pub(crate) fn layout(scheme: Scheme, arguments: &New) -> Result<Layout, Failure> {
    let layout = layout_of(scheme, arguments.layout.as_deref())?;
    match arguments.rollback_bits {
        Some(bits) => {
            let bits = u32::try_from(bits).map_err(|_| no_rollback_bits(bits))?;
            Ok(layout.with_rollback_bits(bits)?)
        }
        None => Ok(layout),
    }
}

/// What no layout can have, and no 32 bits hold: the message tells the number itself.
fn no_rollback_bits(bits: i64) -> Failure {
    Failure::Arguments(format!("a rollback field of --rollback-bits {bits} is not possible: give 1 to 4"))
}

/// What the user chose. Run after run for the same node no ID comes twice: a generator goes on where the last one of this machine stopped or, of
/// scope process, begins with the tick after the one in which it was built; with --not-before it begins with the tick after that time.
fn options(arguments: &New) -> Result<Options, Failure> {
    let rollback = arguments.rollback.as_deref().map(Rollback::from_name).transpose()?;
    let scope = arguments.scope.as_deref().map(Scope::from_name).transpose()?;
    let max_jump = arguments.max_jump_s.map(Options::jump_s).transpose().map_err(Failure::of("--max-jump-s"))?;
    let New { node, shards, not_before, ref nodes, ref state, .. } = *arguments;
    let (nodes, state) = (nodes.clone(), state.clone());
    Ok(Options { node, nodes, shards, scope, not_before, state, rollback, max_jump, ..Options::default() })
}

/// How long to wait, by default longer than the ticks of any scheme but a layout of one's own.
fn max_wait(arguments: &New) -> Result<Duration, Failure> {
    const USUAL_MS: i64 = 3_000;
    Options::wait_ms(arguments.max_wait_ms.unwrap_or(USUAL_MS)).map_err(Failure::of("--max-wait-ms"))
}

pub(crate) fn refuse_what_the_scheme_lacks(scheme: Scheme, arguments: &New) -> Result<(), Failure> {
    const LAYOUTS: [Scheme; 2] = [Scheme::Snowflake, Scheme::Flake];
    const NODES: [Scheme; 4] = [Scheme::Snowflake, Scheme::Randflake, Scheme::UlidFlake, Scheme::Flake];
    let lacks = |given, option, owners: &[Scheme]| refuse_unless(owners, scheme, given, option);
    lacks(arguments.layout.is_some(), "--layout", &LAYOUTS)?;
    lacks(arguments.rollback_bits.is_some(), "--rollback-bits", &LAYOUTS)?;
    lacks(arguments.rollback.as_deref() == Some(Rollback::Bits.name()), "--rollback bits", &LAYOUTS)?;
    lacks(arguments.scope.is_some(), "--scope", &NODES)?;
    lacks(arguments.order.is_some(), "--order", &[Scheme::TickId])?;
    lacks(arguments.secret.file.is_some(), "--secret-file", &[Scheme::Randflake])?;
    lacks(arguments.scalability.is_some(), "--scalability", &[Scheme::UlidFlake])?;
    lacks(arguments.entropy_size.is_some(), "--entropy-size", &[Scheme::UlidFlake])
}
