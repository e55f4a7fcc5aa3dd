//! `saiban convert`: writes IDs in another encoding.

use crate::args::Convert;
use crate::failure::Failure;
use crate::output::Output;
use saiban::{Encoding, Leniency};
use serde_json::json;
use std::io::BufRead;

pub(crate) fn run(arguments: &Convert) -> Result<(), Failure> {
    let from = Encoding::from_name(&arguments.from).map_err(Failure::of("--from"))?;
    let to = Encoding::from_name(&arguments.to).map_err(Failure::of("--to"))?;
    let leniency = Leniency::lenient_if(arguments.lenient);
    let mut output = Output::stdout();
    let mut convert = |text: &str| -> Result<(), Failure> {
        let id = from.decode_as(text, arguments.from_width, leniency).map_err(Failure::of(text))?;
        let converted = to.encode_as(id, arguments.width).map_err(Failure::of(text))?;
        if arguments.json {
            let line = json!({ "from": text, "id": id.to_string(), "text": converted.as_str() });
            output.line(&line.to_string())
        } else {
            output.line(&converted)
        }
    };
    // What was converted before a bad text is still written: the line that is wrong is named, nothing is lost.
    let converted = if arguments.texts.is_empty() {
        let mut lines = std::io::stdin().lock().lines().zip(1..);
        lines.try_for_each(|(line, number)| {
            convert(&line.map_err(Failure::io("stdin"))?).map_err(|failure| failure.in_line(number))
        })
    } else {
        arguments.texts.iter().try_for_each(|text| convert(text))
    };
    output.finish()?;
    converted
}
