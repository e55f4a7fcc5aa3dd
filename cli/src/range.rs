//! `saiban range`: prints the first and the last ID of an interval of time.

use crate::args::Range;
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::{self, layout_of, of_flake, order_of, refuse_unless_taken};
use saiban::scheme::{GeneratorOption, IdForm};
use saiban::{AnyGenerator, AnyId, Encoding, Error, Generator, GeneratorSpec, IdValue, Scheme, Secret, Text};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

/// The first or the last ID of the range, and its text.
type End = (AnyId, Text);

/// The interval and the encoding that the arguments name.
struct Asked {
    start_ms: i64,
    end_ms: i64,
    encoding: Option<Encoding>,
}

pub(crate) fn run(arguments: &Range) -> Result<(), Failure> {
    let scheme = scheme::named(&arguments.scheme)?;
    refuse_unless_taken(scheme, GeneratorOption::Layout, arguments.layout.is_some(), "--layout")?;
    refuse_unless_taken(scheme, GeneratorOption::Order, arguments.order.is_some(), "--order")?;
    let encoding = arguments.format.as_deref().map(Encoding::from_name).transpose().map_err(Failure::of("--format"))?;
    let asked = Asked { start_ms: arguments.from.floor_ms(), end_ms: arguments.to.ceil_ms(), encoding };
    let (first, last) = ends(scheme, arguments, &asked)?;
    let mut output = Output::stdout()?;
    if arguments.json {
        let end = |(id, text): &End| -> Value { json!({ "id": id.to_string(), "text": text.as_str() }) };
        let line = json!({
            "scheme": scheme.name(), "from_ms": asked.start_ms, "to_ms": asked.end_ms,
            "first": end(&first), "last": end(&last),
        });
        output.line(&line.to_string())?;
    } else {
        output.line(&first.1)?;
        output.line(&last.1)?;
    }
    output.finish()?;
    if !arguments.json && std::io::stderr().is_terminal() {
        // The IDs are already written, so a failure to write the hint is no error.
        let _ = writeln!(std::io::stderr(), "{}", hint(scheme, encoding, &first, &last));
    }
    Ok(())
}

fn ends(scheme: Scheme, arguments: &Range, asked: &Asked) -> Result<(End, End), Failure> {
    let mut spec = GeneratorSpec::new(scheme);
    spec.layout = layout_of(scheme, arguments.layout.as_deref())?;
    spec.order = order_of(arguments.order.as_deref())?;
    // A zero secret is enough: generators of encrypted IDs refuse a range under any secret.
    spec.secret = scheme.takes(GeneratorOption::Secret).then(|| Secret::new([0; 16]));
    let reader = spec.reader().map_err(|error| of_flake(error, "saiban range flake answers for any layout"))?;
    match reader {
        AnyGenerator::Narrow(ids) => of_generator(&*ids, asked),
        AnyGenerator::Wide(ids) => of_generator(&*ids, asked),
    }
}

fn of_generator<I: IdValue>(generator: &dyn Generator<Id = I>, asked: &Asked) -> Result<(End, End), Failure> {
    let (first, last) = generator.range(asked.start_ms, asked.end_ms)?.into_inner();
    let end =
        |id: I| -> Result<End, Error> { Ok((id.any(generator.bits()), generator.to_text_as(id, asked.encoding)?)) };
    Ok((end(first)?, end(last)?))
}

/// Returns a hint that shows how to query a database with the range.
fn hint(scheme: Scheme, encoding: Option<Encoding>, (first, from): &End, (_, to): &End) -> String {
    let is_number = encoding.unwrap_or(scheme.encoding()) == Encoding::DECIMAL
        && (encoding.is_some() || scheme.info().form == IdForm::Integer);
    if is_number {
        return format!("in SQL: WHERE id BETWEEN {from} AND {to}");
    }
    // Canonical text sorts as the IDs do. Text in another encoding sorts only with a fixed width,
    // and never in base64url, whose alphabet is not in ASCII order.
    let sorts = encoding.is_none_or(|encoding| {
        let width = |id: u128| id.any(first.bits()).encode(encoding).map_or(0, |text| text.len());
        let largest = u128::MAX >> (u128::BITS - first.bits());
        encoding != Encoding::BASE64URL && width(0) == width(largest)
    });
    if sorts {
        format!("in SQL: WHERE id BETWEEN '{from}' AND '{to}'")
    } else {
        "as text these do not sort as the IDs do: query numbers, or text of a fixed width".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hinted(scheme: Scheme, encoding: Option<Encoding>, id: AnyId) -> String {
        let text = id.encode(encoding.unwrap_or(scheme.encoding())).expect("an ID of so many bits");
        hint(scheme, encoding, &(id, text), &(id, text))
    }

    #[test]
    fn the_sql_hint_compares_numbers_or_text_that_sorts() {
        let (id, wide) = (AnyId::from(7), 7_u128.any(128));
        assert_eq!(hinted(Scheme::Snowflake, None, id), "in SQL: WHERE id BETWEEN 7 AND 7");
        assert_eq!(hinted(Scheme::Ulid, Some(Encoding::DECIMAL), wide), "in SQL: WHERE id BETWEEN 7 AND 7");
        let text = "in SQL: WHERE id BETWEEN '0000000000007' AND '0000000000007'";
        assert_eq!(hinted(Scheme::Snowflake, Some(Encoding::CROCKFORD), id), text);
        assert!(hinted(Scheme::UuidV7, None, wide).contains("'00000000-0000-0000-0000-000000000007'"));
        for encoding in [Encoding::BASE62, Encoding::BASE64URL, Encoding::HEX] {
            assert!(hinted(Scheme::Snowflake, Some(encoding), id).contains("do not sort"), "{encoding:?}");
        }
    }
}
