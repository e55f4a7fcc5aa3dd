//! `saiban new`: makes IDs.

use crate::args::New;
use crate::failure::Failure;
use crate::output::Output;
use crate::secret;
use saiban::{
    Encoding, Error, Excerpt, Generator, Layout, Options, OsEntropy, Randflake, Rollback, Scheme, Snowflake, SystemClock,
    UlidFlake, UlidFlakeFormat,
};
use serde_json::json;
use std::time::Duration;

/// How many IDs are made before they are written.
const BLOCK: u64 = 1024;

pub(crate) fn run(arguments: &New) -> Result<(), Failure> {
    let generator = generator(arguments)?;
    let encoding = arguments.format.as_deref().map(Encoding::from_name).transpose()?;
    let mut output = Output::open(arguments.output.as_deref())?;
    let mut ids = vec![0; arguments.count.min(BLOCK) as usize];
    let mut left = arguments.count;
    while left > 0 {
        let wanted = left.min(BLOCK) as usize;
        let made = generator.fill(&mut ids[..wanted])?;
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
    }
    output.finish()
}

fn generator(arguments: &New) -> Result<Box<dyn Generator>, Failure> {
    let scheme = Scheme::from_name(&arguments.scheme)?;
    // Core knows schemes that this command does not make.
    let unknown = Error::UnknownScheme { name: Excerpt::new(&arguments.scheme) };
    refuse_what_the_scheme_lacks(scheme, arguments)?;
    let options = options(arguments)?;
    Ok(match scheme {
        Scheme::Randflake => {
            Box::new(Randflake::<_>::build(&secret::require(&arguments.secret)?, &options, SystemClock)?)
        }
        Scheme::UlidFlake => {
            let usual = UlidFlakeFormat::default();
            let format = UlidFlakeFormat {
                scalability: arguments.scalability,
                entropy_size: arguments.entropy_size.unwrap_or(usual.entropy_size),
                ..usual
            };
            Box::new(UlidFlake::<_>::build(format, &options, SystemClock, OsEntropy)?)
        }
        Scheme::Snowflake => {
            let mut layout = Layout::preset(arguments.layout.as_deref().unwrap_or("twitter"))?;
            if let Some(bits) = arguments.rollback_bits {
                layout = layout.with_rollback_bits(u32::try_from(bits).unwrap_or(u32::MAX))?;
            }
            Box::new(Snowflake::<_>::build(layout, &options, SystemClock)?)
        }
        _ => return Err(unknown.into()),
    })
}

/// What the user chose. A generator begins with the tick after the one in which it was built, so that run after run for the same node
/// no ID comes twice; with --not-before it begins with the tick after that time.
fn options(arguments: &New) -> Result<Options, Failure> {
    /// Longer than any scheme's tick.
    const MAX_WAIT: Duration = Duration::from_secs(3);
    let rollback = arguments.rollback.as_deref().map(Rollback::from_name).transpose()?;
    let New { node, not_before, ref state, .. } = *arguments;
    Ok(Options { node, not_before, state: state.clone(), rollback, ..Options::default() }.max_wait(MAX_WAIT))
}

/// An option that would change nothing is a mistake: who gave it expects something of it.
fn refuse_what_the_scheme_lacks(scheme: Scheme, arguments: &New) -> Result<(), Failure> {
    let lacks = |given: bool, option: &str, of: Scheme| {
        if given && scheme != of {
            return Err(Failure::Arguments(format!("{scheme} has no {option}: that is {of}'s")));
        }
        Ok(())
    };
    lacks(arguments.layout.is_some(), "--layout", Scheme::Snowflake)?;
    lacks(arguments.rollback_bits.is_some(), "--rollback-bits", Scheme::Snowflake)?;
    lacks(arguments.secret.file.is_some(), "--secret-file", Scheme::Randflake)?;
    lacks(arguments.scalability.is_some(), "--scalability", Scheme::UlidFlake)?;
    lacks(arguments.entropy_size.is_some(), "--entropy-size", Scheme::UlidFlake)
}
