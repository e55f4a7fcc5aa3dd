//! The view of the inspector: what a text can be, from the results of the core's inspector.
//!
//! `http` builds it, and `answer` renders it.

use super::fields::{self, Field, Kind};
use super::view::Problem;
use super::words::utc;
use saiban::inspect::Candidate as Found;
use saiban::{Error, ErrorKind, Inspector, Layout, Parts, Scheme};

/// The maximum length of an input, in bytes. No ID is longer.
pub const LONGEST: usize = 1 << 10;

/// What a text can be.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// The input, as the user typed it. Empty if there is no input yet.
    pub input: String,
    /// The candidates, the most plausible first.
    pub candidates: Vec<Candidate>,
    /// Whether one of the candidates is likely: its time is plausible, or the text fits no other
    /// scheme.
    pub is_likely: bool,
    /// A hint if the text is almost an ID, and no candidate is likely.
    pub near_miss: Option<Problem>,
    /// Why the text is not an ID.
    pub error: Option<Problem>,
    /// Whether the text may be a Randflake, which is recognized only with its secret.
    pub may_be_randflake: bool,
}

/// One format that an ID can have.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The scheme.
    pub scheme: Scheme,
    /// The variant of the scheme: a preset, a version or an order.
    pub form: Option<&'static str>,
    /// The layout, if it is the user's own.
    pub layout: Option<String>,
    /// The name of the configured scheme whose layout this is.
    pub configured: Option<String>,
    /// The canonical text of the ID.
    pub text: String,
    /// The ID as a decimal number.
    pub decimal: String,
    /// The ID in hexadecimal digits.
    pub hex: String,
    /// The time in the ID, in Unix milliseconds.
    pub timestamp_ms: Option<i64>,
    /// Whether the time is in the past and not before the format existed, or the ID has no time.
    pub is_plausible: bool,
    /// The reasons for its rank.
    pub why: Vec<String>,
    /// The bits of the ID. For a decrypted Randflake, also the bits before encryption.
    pub drawings: Vec<Drawing>,
    /// The parts of the ID.
    pub parts: Vec<Part>,
}

/// A drawing of the bits of a number.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// The caption, if the number is not the ID itself.
    pub caption: Option<&'static str>,
    /// The number.
    pub value: u128,
    /// The fields of the number, from the highest bit to the lowest.
    pub fields: Vec<Field>,
}

/// A part of an ID.
#[derive(Clone, Debug)]
pub struct Part {
    /// The kind, which determines the colour.
    pub kind: Kind,
    /// The name of the part.
    pub name: String,
    /// The bits that hold the part, from the highest: `75–64, 61–0`. `None` if it has no bits of
    /// its own.
    pub place: Option<String>,
    /// The number of these bits.
    pub bits: Option<u32>,
    /// The value as text.
    pub value: String,
    /// The value in another form, or further details.
    pub detail: Option<String>,
}

impl Inspection {
    /// Inspects a text. `layouts` are the layouts of the inspector, in the same order, with the
    /// names of their configured schemes.
    #[must_use]
    pub fn of(inspector: &Inspector, text: &str, layouts: &[(String, Layout)]) -> Self {
        let id = text.trim();
        if id.is_empty() {
            return Inspection { input: text.to_owned(), ..Inspection::default() };
        }
        if id.len() > LONGEST {
            // The page need not repeat more of the input than the length of an ID.
            let input =
                text.char_indices().take_while(|(at, _)| *at < LONGEST).map(|(_, character)| character).collect();
            let message = format!("this is longer than any ID ({} bytes; at most {LONGEST}): give one ID", id.len());
            let error = Problem { code: ErrorKind::TextLength.name().to_owned(), message };
            return Inspection { input, error: Some(error), ..Inspection::default() };
        }
        let found = match inspector.inspect_text(id) {
            Ok(found) => found,
            Err(error) => {
                return Inspection { input: text.to_owned(), error: Some(problem(&error)), ..Inspection::default() };
            }
        };
        let is_likely = found.ranked().any(Found::is_believable);
        Inspection {
            input: text.to_owned(),
            candidates: found.ranked().map(|candidate| of_candidate(inspector, candidate, layouts)).collect(),
            is_likely,
            near_miss: found.near_miss(id).as_ref().map(problem),
            error: None,
            may_be_randflake: !is_likely && inspector.may_be_randflake(id),
        }
    }
}

fn problem(error: &Error) -> Problem {
    Problem { code: error.kind().name().to_owned(), message: error.to_string() }
}

fn of_candidate(inspector: &Inspector, candidate: &Found, layouts: &[(String, Layout)]) -> Candidate {
    let parts = candidate.parts();
    let given = candidate.layout_index().and_then(|index| layouts.get(index));
    let layout = given.map(|(_, layout)| layout);
    let fields = fields::of_parts(parts, layout);
    let named: Vec<String> = inspector.node_parts(candidate).map(|(name, value)| format!("{name} {value}")).collect();
    let drawing = Drawing { caption: None, value: parts.id.value(), fields };
    let raw = decrypted(parts);
    let shown = raw.as_ref().unwrap_or(&drawing);
    Candidate {
        scheme: parts.scheme,
        form: parts.form(),
        layout: layout.filter(|layout| layout.name().is_none()).map(Layout::to_string),
        configured: given.map(|(name, _)| name.clone()),
        text: candidate.text().as_str().to_owned(),
        decimal: parts.id.to_string(),
        hex: format!("{:0width$x}", parts.id.value(), width = parts.id.bits().div_ceil(4) as usize),
        timestamp_ms: parts.timestamp_ms,
        is_plausible: candidate.is_plausible(),
        why: candidate.reasons().map(|reason| reason.to_string()).collect(),
        parts: rows(parts, shown, &named.join(", ")),
        drawings: std::iter::once(drawing).chain(raw).collect(),
    }
}

/// Returns the bits of a Randflake before encryption, if its secret is known and so its parts are.
fn decrypted(parts: &Parts) -> Option<Drawing> {
    let Parts {
        scheme: Scheme::Randflake, timestamp_ms: Some(time), node: Some(node), sequence: Some(sequence), ..
    } = *parts
    else {
        return None;
    };
    let raw = Layout::RANDFLAKE.compose_ms(time, i64::try_from(node).ok()?, i64::try_from(sequence).ok()?).ok()?;
    let fields = fields::of_layout(&Layout::RANDFLAKE);
    Some(Drawing { caption: Some("decrypted with the secret"), value: u128::from(raw as u64), fields })
}

/// Returns the parts in the order of their bits, then those without bits of their own.
fn rows(parts: &Parts, drawing: &Drawing, named: &str) -> Vec<Part> {
    let mut rows: Vec<Part> = Vec::new();
    for field in &drawing.fields {
        match rows.iter_mut().find(|row| row.name == field.name) {
            Some(row) => {
                row.place = row.place.take().map(|place| format!("{place}, {}", field.place()));
                row.bits = row.bits.map(|bits| bits + field.bits());
            }
            None => rows.push(Part {
                kind: field.kind,
                name: field.name.clone(),
                place: Some(field.place()),
                bits: Some(field.bits()),
                value: String::new(),
                detail: None,
            }),
        }
    }
    for row in &mut rows {
        let own = drawing.fields.iter().filter(|field| field.name == row.name);
        // At most 128 bits in total.
        let joined = own
            .fold(0, |joined: u128, field| joined.checked_shl(field.bits()).unwrap_or(0) | field.value(drawing.value));
        (row.value, row.detail) = says(parts, row.kind, &row.name, joined, row.bits.unwrap_or(0), named);
    }
    let beside = [
        (Kind::Timestamp, "timestamp", parts.timestamp_ms.is_some()),
        (Kind::Node, "node", parts.node.is_some()),
        (Kind::Sequence, "sequence", parts.sequence.is_some()),
        (Kind::Random, "random", parts.random.is_some()),
        (Kind::Rollback, "rollback", parts.rollback.is_some()),
    ];
    for (kind, name, is_there) in beside {
        if is_there && rows.iter().all(|row| row.kind != kind) {
            let (value, detail) = says(parts, kind, name, 0, 0, named);
            rows.push(Part { kind, name: name.to_owned(), place: None, bits: None, value, detail });
        }
    }
    rows
}

/// Returns the value of a part, and its details. `joined` is the value of its `bits` bits.
fn says(parts: &Parts, kind: Kind, name: &str, joined: u128, bits: u32, named: &str) -> (String, Option<String>) {
    let number = |part: Option<u64>| part.map_or_else(|| joined.to_string(), |part| part.to_string());
    match kind {
        Kind::Timestamp => match parts.timestamp_ms {
            Some(ms) => time(ms, parts.submillisecond_ns),
            None => (joined.to_string(), None),
        },
        Kind::Node if name != "node" => (joined.to_string(), None),
        Kind::Node => {
            let hex = parts.node.filter(|node| *node > u64::from(u32::MAX)).map(|node| format!("0x{node:x}"));
            (number(parts.node), Some(named.to_owned()).filter(|named| !named.is_empty()).or(hex))
        }
        Kind::Sequence => (number(parts.sequence), None),
        Kind::Random => {
            let random = parts.random.unwrap_or(joined);
            (random.to_string(), Some(format!("0x{random:x}")))
        }
        Kind::Rollback => (number(parts.rollback), None),
        Kind::Version if name == "variant" => (joined.to_string(), Some("RFC 9562".to_owned())),
        Kind::Unused | Kind::Constant | Kind::Version => (joined.to_string(), None),
        Kind::Opaque => (format!("0x{joined:0width$x}", width = bits.div_ceil(4) as usize), None),
    }
}

fn time(ms: i64, submillisecond_ns: Option<u32>) -> (String, Option<String>) {
    let unix = format!("{ms} ms since 1970");
    let detail = match submillisecond_ns {
        Some(ns) if ns > 0 => format!("{unix} and {ns} ns"),
        _ => unix,
    };
    match utc(ms) {
        Some(utc) => (utc, Some(detail)),
        None => (detail, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use saiban::Secret;

    const NOW_MS: i64 = 1_763_700_000_000;

    fn asked(text: &str) -> Inspection {
        Inspection::of(&Inspector::at(NOW_MS), text, &[])
    }

    fn first(text: &str) -> Candidate {
        asked(text).candidates.into_iter().next().expect("a candidate")
    }

    fn row<'c>(candidate: &'c Candidate, name: &str) -> &'c Part {
        candidate.parts.iter().find(|part| part.name == name).expect("a part")
    }

    #[test]
    fn the_parts_of_a_snowflake_stand_beside_their_bits() {
        let found = first("175928847299117063");
        assert_eq!((found.scheme, found.form), (Scheme::Snowflake, Some("discord")));
        let node = row(&found, "node");
        assert_eq!((node.place.as_deref(), node.bits, node.value.as_str()), (Some("21–12"), Some(10), "32"));
        assert_eq!(node.detail.as_deref(), Some("worker 1, process 0"));
        assert_eq!(row(&found, "timestamp").value, "2016-04-30T11:18:25.796Z");
    }

    #[test]
    fn parts_of_several_fields_name_them_all() {
        let found = first("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
        assert_eq!(row(&found, "random").place.as_deref(), Some("75–64, 61–0"));
        assert_eq!((row(&found, "version").value.as_str(), row(&found, "random").bits), ("7", Some(74)));
        assert_eq!(row(&found, "random").detail.as_deref(), Some("0x330d8c4dc0c0c07398f"));
        let first_version = first("c232ab00-9414-11ec-b3c8-9f6bdeced846");
        assert_eq!(row(&first_version, "timestamp").place.as_deref(), Some("127–96, 95–80, 75–64"));
        assert_eq!(row(&first_version, "timestamp").value, "2022-02-22T19:22:22.000Z");
    }

    #[test]
    fn a_configured_layout_is_shown_by_its_name() {
        let layout = Layout::from_text("timestamp:42,epoch=2024-01-01 node.datacenter:5 node.worker:5 sequence:12")
            .expect("a layout");
        let inspector = Inspector::at(NOW_MS).layout(&layout).expect("room for it");
        let found = Inspection::of(&inspector, "151819733950545666", &[("orders".to_owned(), layout)]);
        let found = &found.candidates[0];
        assert_eq!(found.configured.as_deref(), Some("orders"));
        assert_eq!(
            (row(found, "node.datacenter").value.as_str(), row(found, "node.worker").value.as_str()),
            ("2", "3")
        );
    }

    #[test]
    fn a_randflake_shows_its_bits_before_encryption_with_its_secret_only() {
        let secret = Secret::from_hex("dffd6021bb2bd5b0af676290809ec3a5").expect("a secret");
        let inspector = Inspector::at(NOW_MS).secret(&secret).expect("room for it").scheme(Scheme::Randflake);
        let found = Inspection::of(&inspector, "3vgoe12ccb8gh", &[]);
        let found = &found.candidates[0];
        assert_eq!(found.drawings.len(), 2);
        assert_eq!((row(found, "node").value.as_str(), row(found, "node").place.as_deref()), ("42", Some("33–17")));
        assert_eq!(row(found, "node").bits, Some(17));
    }

    #[test]
    fn parts_that_are_no_bits_are_shown_too() {
        let found = first("8584379068854775807_042");
        assert_eq!(found.scheme, Scheme::TickId);
        assert_eq!((row(&found, "random").value.as_str(), row(&found, "random").place.as_deref()), ("42", None));
    }

    #[test]
    fn text_that_is_no_id_is_refused_with_its_reason() {
        assert_eq!(asked("8ZZZZZZZZZZZZZZZZZZZZZZZZZ").error.map(|error| error.code), Some("TEXT_OVERFLOW".to_owned()));
        assert!(asked("507f191e810c19729de860e").near_miss.is_some_and(|miss| miss.message.contains("23 characters")));
        let long = asked(&"ä".repeat(LONGEST));
        assert!(long.input.len() <= LONGEST && long.error.is_some_and(|error| error.code == "TEXT_LENGTH"));
        assert!(asked(" \t ").error.is_none() && asked("").candidates.is_empty());
    }

    #[test]
    fn white_space_around_an_id_is_kept_in_the_field_only() {
        let found = asked("  175928847299117063\n");
        assert_eq!(
            (found.input.as_str(), found.candidates[0].text.as_str()),
            ("  175928847299117063\n", "175928847299117063")
        );
    }

    #[test]
    fn every_candidate_of_every_width_has_all_its_bits_drawn() {
        let texts = [
            "1",
            "9223372036854775807",
            "-5",
            "01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "00000000-0000-0000-0000-000000000000",
            "507f191e810c19729de860ea",
            "340282366920938463463374607431768211455",
            "3vgoe12ccb8gh",
            "1J1SMJD9CE74J",
            "zzzz",
        ];
        for candidate in texts.into_iter().flat_map(|text| asked(text).candidates) {
            for drawing in &candidate.drawings {
                let bits: u32 = drawing.fields.iter().map(Field::bits).sum();
                assert_eq!(drawing.fields[0].high + 1, bits, "{candidate:?}");
                assert!(drawing.value.checked_shr(bits).unwrap_or(0) == 0, "{candidate:?}");
            }
        }
    }
}
