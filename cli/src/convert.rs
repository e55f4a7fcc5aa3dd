//! `saiban convert`: writes IDs in another encoding.

use crate::args::Convert;
use crate::failure::Failure;
use crate::ids::{WIDER, default_bits, is_too_long};
use crate::output::Output;
use saiban::{AnyId, Encoding, Error, Leniency, Text};
use serde_json::json;
use std::io::{self, BufRead};

pub(crate) fn run(arguments: &Convert) -> Result<(), Failure> {
    let from = Encoding::from_name(&arguments.from).map_err(Failure::of("--from"))?;
    let to = Encoding::from_name(&arguments.to).map_err(Failure::of("--to"))?;
    let default = default_bits(&[from, to]);
    let bits = arguments.bits.unwrap_or(default);
    from.full_width_of(bits).map_err(Failure::of("--bits"))?;
    let mut output = Output::stdout()?;
    let mut convert = |text: &str| -> Result<(), Failure> {
        let id = read(arguments, from, text, bits).map_err(|error| {
            let is_long = is_too_long(from, text, &error);
            let failure = Failure::of(text)(error);
            if is_long && arguments.bits.is_none() && default == u64::BITS { failure.hinting(WIDER) } else { failure }
        })?;
        let converted = write(id, to, arguments.width).map_err(Failure::of(text))?;
        if arguments.json {
            let line = json!({ "from": text, "id": id.to_string(), "text": converted.as_str() });
            output.line(&line.to_string())
        } else {
            output.line(&converted)
        }
    };
    // IDs before an invalid text are still written, and the error names the line of the text.
    let converted = if arguments.texts.is_empty() {
        let mut lines = std::io::stdin().lock().lines().zip(1..);
        lines.try_for_each(|(line, number)| {
            let line = line.map_err(|error| match error.kind() {
                // `lines` reads the whole line before it finds invalid UTF-8, so `number` is right.
                io::ErrorKind::InvalidData => {
                    Failure::Input { place: format!("line {number}"), problem: "not text (UTF-8): give IDs as text" }
                }
                _ => Failure::io("stdin")(error),
            })?;
            convert(&line).map_err(|failure| failure.in_line(number))
        })
    } else {
        arguments.texts.iter().try_for_each(|text| convert(text))
    };
    output.finish()?;
    converted
}

/// Decodes an ID. IDs of 64 bits are signed, IDs of other widths are not.
fn read(arguments: &Convert, from: Encoding, text: &str, bits: u32) -> Result<AnyId, Error> {
    let leniency = Leniency::lenient_if(arguments.lenient);
    if bits == u64::BITS {
        return from.decode_as(text, arguments.from_width, leniency).map(AnyId::from);
    }
    from.decode_wide_as(text, bits, arguments.from_width, leniency).and_then(|id| AnyId::wide(id, bits))
}

fn write(id: AnyId, to: Encoding, width: Option<i64>) -> Result<Text, Error> {
    match id.as_i64() {
        Some(id_64) if id.bits() == u64::BITS => to.encode_as(id_64, width),
        _ => to.encode_wide_as(id.value(), id.bits(), width),
    }
}
