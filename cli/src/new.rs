//! `saiban new`: makes IDs.

use crate::args::New;
use crate::failure::Failure;
use crate::output::Output;
use crate::secret;
use saiban::{
    Encoding, Generator, Layout, Options, OsEntropy, Randflake, Scheme, Snowflake, SystemClock, UlidFlake,
    UlidFlakeFormat,
};
use serde_json::json;

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
    let options = Options { node: arguments.node, ..Options::default() };
    Ok(match Scheme::from_name(&arguments.scheme)? {
        Scheme::Randflake => {
            Box::new(Randflake::<_>::build(&secret::require(&arguments.secret)?, &options, SystemClock)?)
        }
        Scheme::UlidFlake => {
            let format = UlidFlakeFormat {
                scalability: arguments.scalability,
                entropy_size: arguments.entropy_size,
                ..UlidFlakeFormat::default()
            };
            Box::new(UlidFlake::<_>::build(format, &options, SystemClock, OsEntropy)?)
        }
        _ => Box::new(Snowflake::<_>::build(Layout::preset(&arguments.layout)?, &options, SystemClock)?),
    })
}
