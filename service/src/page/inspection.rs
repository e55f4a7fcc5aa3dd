//! What a text can be, put together for the page from what core's inspector says.

use super::fields::{self, Field, Kind};
use super::view::Problem;
use super::words::utc;
use saiban::inspect::Candidate as Found;
use saiban::{Error, ErrorKind, Inspector, Layout, Parts, Scheme};

/// Longer than any ID, in bytes.
pub const LONGEST: usize = 1 << 10;

/// What a text can be.
#[derive(Clone, Debug, Default)]
pub struct Inspection {
    /// What was asked for, as it was typed; nothing where nobody asked yet.
    pub input: String,
    /// What it can be, the most plausible first.
    pub candidates: Vec<Candidate>,
    /// Whether one of them is likely: of a time at which such IDs were made, or in the form of no other scheme.
    pub is_likely: bool,
    /// What it was perhaps meant as, where nothing likely is found for it.
    pub near_miss: Option<Problem>,
    /// Why it is no ID.
    pub error: Option<Problem>,
    /// Whether it may be a Randflake ID, which only its secret shows.
    pub may_be_randflake: bool,
}

/// One thing that it can be.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The family.
    pub scheme: Scheme,
    /// What tells forms of one scheme apart: a preset, a version, an order.
    pub form: Option<&'static str>,
    /// The layout, where it is one of the user's own.
    pub layout: Option<String>,
    /// The name of the scheme here whose layout it fits.
    pub configured: Option<String>,
    /// The text that its scheme writes.
    pub text: String,
    /// The same as a decimal number.
    pub decimal: String,
    /// The same in hexadecimal digits.
    pub hex: String,
    /// When it was made by its own account, Unix milliseconds.
    pub timestamp_ms: Option<i64>,
    /// Whether that is in the past and not before the format existed, or it tells none.
    pub is_plausible: bool,
    /// Why it stands where it does.
    pub why: Vec<String>,
    /// What its bits are; of a Randflake that was decrypted also what they were before.
    pub drawings: Vec<Drawing>,
    /// What it holds.
    pub parts: Vec<Part>,
}

/// The bits of a number.
#[derive(Clone, Debug)]
pub struct Drawing {
    /// What the number is, where it is not the ID itself.
    pub caption: Option<&'static str>,
    /// The number.
    pub value: u128,
    /// What its bits stand for, from the highest to the lowest.
    pub fields: Vec<Field>,
}

/// One thing that an ID holds.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub kind: Kind,
    /// What it is called.
    pub name: String,
    /// Which bits hold it, from the highest: `75–64, 61–0`.
    pub place: Option<String>,
    /// How many they are.
    pub bits: Option<u32>,
    /// What it says.
    pub value: String,
    /// The same in other words, or a part of it.
    pub detail: Option<String>,
}

impl Inspection {
    /// What a text can be. `layouts` are those that the inspector was given, in that order, with the names of their schemes here.
    #[must_use]
    pub fn of(inspector: &Inspector, text: &str, layouts: &[(String, Layout)]) -> Self {
        let id = text.trim();
        if id.is_empty() {
            return Inspection { input: text.to_owned(), ..Inspection::default() };
        }
        if id.len() > LONGEST {
            // What is sent back need be no longer than what can be an ID.
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
        form: form(parts),
        layout: layout.filter(|layout| layout.name().is_none()).map(Layout::to_string),
        configured: given.map(|(name, _)| name.clone()),
        text: candidate.text().as_str().to_owned(),
        decimal: parts.id.to_string(),
        hex: format!("{:0width$x}", parts.id.value(), width = parts.id.bits().div_ceil(4) as usize),
        timestamp_ms: parts.timestamp_ms,
        is_plausible: candidate.is_plausible(),
        why: candidate.reasons().map(|reason| reason.to_string()).collect(),
        parts: told(parts, shown, &named.join(", ")),
        drawings: std::iter::once(drawing).chain(raw).collect(),
    }
}

fn form(parts: &Parts) -> Option<&'static str> {
    let is_scalable = parts.node.is_some();
    let of_ulid_flake = || if is_scalable { "scalable" } else { "stand-alone" };
    parts.layout.or_else(|| (parts.scheme == Scheme::UlidFlake).then(of_ulid_flake))
}

/// What a Randflake ID was before it was encrypted, where its secret has told the parts.
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

/// The parts in the order of their bits, then those that have no bits of their own.
fn told(parts: &Parts, drawing: &Drawing, named: &str) -> Vec<Part> {
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
        // Up to 128 bits in all.
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

/// What a part says, and the same otherwise. `joined` are its bits, of which there are so many.
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
    fn a_layout_that_is_configured_is_told_by_its_name() {
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
    fn what_cannot_be_told_by_bits_is_told_all_the_same() {
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
