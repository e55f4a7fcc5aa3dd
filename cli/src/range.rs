//! `saiban range`: the first and the last ID of an interval of time.

use crate::args::Range;
use crate::failure::Failure;
use crate::output::Output;
use crate::scheme::{self, layout_of, order_of, refuse_unless, told_of_flake};
use saiban::{
    AnyId, Encoding, Error, Generator, IdValue, Layout, ManualClock, ObjectId, Options, OsEntropy, Scheme, Snowflake,
    Text, TickId, Ulid, UlidFlakeFormat, Uuid,
};
use serde_json::{Value, json};
use std::io::{IsTerminal, Write};

/// An ID and its text.
type End = (AnyId, Text);

/// What was asked for.
struct Asked {
    start_ms: i64,
    end_ms: i64,
    encoding: Option<Encoding>,
}

pub(crate) fn run(arguments: &Range) -> Result<(), Failure> {
    let scheme = scheme::named(&arguments.scheme)?;
    let has_layout = arguments.layout.is_some();
    refuse_unless(&[Scheme::Snowflake, Scheme::Flake], scheme, has_layout, "--layout")?;
    refuse_unless(&[Scheme::TickId], scheme, arguments.order.is_some(), "--order")?;
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
        // The IDs are written: a hint that is lost is none.
        let _ = writeln!(std::io::stderr(), "{}", hint(scheme, encoding, &first, &last));
    }
    Ok(())
}

fn ends(scheme: Scheme, arguments: &Range, asked: &Asked) -> Result<(End, End), Failure> {
    // Which IDs belong to a time does not depend on what time it is, and nothing is made.
    let (clock, options) = (ManualClock::new(0)?, Options::default());
    let uuid = |version| Uuid::build(version, &options, &clock, OsEntropy);
    match scheme {
        Scheme::Randflake => Err(Error::NotTimeOrdered { scheme: scheme.name() }.into()),
        Scheme::Ulid => of_generator(&Ulid::build(&options, &clock, OsEntropy)?, asked),
        Scheme::UuidV1 => of_generator(&uuid(1)?, asked),
        Scheme::UuidV4 => of_generator(&uuid(4)?, asked),
        Scheme::UuidV7 => of_generator(&uuid(7)?, asked),
        Scheme::ObjectId => of_generator(&ObjectId::build(&options, &clock, OsEntropy)?, asked),
        Scheme::TickId => {
            let order = order_of(arguments.order.as_deref())?;
            of_generator(&TickId::build(order, &options, &clock, OsEntropy)?, asked)
        }
        Scheme::UlidFlake => of_layout(&UlidFlakeFormat::default().layout()?, scheme, asked),
        _ => {
            let layout = layout_of(scheme, arguments.layout.as_deref())?;
            if scheme == Scheme::Snowflake {
                // Only of layouts of which `new` makes one; which node it would have does not matter.
                Snowflake::<_>::build(layout, &Options::node(0), &clock)
                    .map_err(|error| told_of_flake(error, "saiban range flake answers for any layout"))?;
            }
            of_layout(&layout, scheme, asked)
        }
    }
}

fn of_generator<I: IdValue>(generator: &dyn Generator<I>, asked: &Asked) -> Result<(End, End), Failure> {
    let (first, last) = generator.range(asked.start_ms, asked.end_ms)?.into_inner();
    let end =
        |id: I| -> Result<End, Error> { Ok((id.any(generator.bits()), generator.to_text_as(id, asked.encoding)?)) };
    Ok((end(first)?, end(last)?))
}

/// A generator would need a node, which no range does.
fn of_layout(layout: &Layout, scheme: Scheme, asked: &Asked) -> Result<(End, End), Failure> {
    let (first, last) = if layout.is_wide() {
        let (first, last) = layout.range_wide_ms(asked.start_ms, asked.end_ms)?.into_inner();
        (AnyId::wide(first, layout.size_bits())?, AnyId::wide(last, layout.size_bits())?)
    } else {
        let (first, last) = layout.range_ms(asked.start_ms, asked.end_ms)?.into_inner();
        (first.any(layout.size_bits()), last.any(layout.size_bits()))
    };
    let encoding = asked.encoding.unwrap_or(scheme.encoding());
    Ok(((first, first.encode(encoding)?), (last, last.encode(encoding)?)))
}

/// How to ask a database with it.
fn hint(scheme: Scheme, encoding: Option<Encoding>, (first, from): &End, (_, to): &End) -> String {
    let is_number =
        encoding.unwrap_or(scheme.encoding()) == Encoding::DECIMAL && (encoding.is_some() || scheme != Scheme::TickId);
    if is_number {
        return format!("in SQL: WHERE id BETWEEN {from} AND {to}");
    }
    // Canonical text sorts as its IDs do; other text where it has one width.
    let sorts = encoding.is_none_or(|encoding| {
        let width = |id: u128| id.any(first.bits()).encode(encoding).map_or(0, |text| text.len());
        let largest = u128::MAX >> (u128::BITS - first.bits());
        encoding != Encoding::BASE64URL && width(0) == width(largest)
    });
    if sorts {
        format!("in SQL: WHERE id BETWEEN '{from}' AND '{to}'")
    } else {
        "as text these do not sort as the IDs do: ask a database for numbers, or for text of a fixed width".into()
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
    fn a_database_is_asked_for_numbers_or_for_text_that_sorts() {
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
