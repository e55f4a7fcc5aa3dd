//! The operations of generators of every scheme, and of ranges over time.

use super::{EntropySource, bytes, int, leniency, maybe, options, text};
use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::layout::{Field, FieldKind};
use saiban::{
    AnyGenerator, ComposeParts, Encoding, Error, Generator, GeneratorSpec, IdValue, Inspector, Layout, LayoutSpec,
    ManualClock, Parts, Scheme, Secret, TickOrder, UuidVersion,
};
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::str::FromStr;
use std::sync::Arc;

/// Returns the answer of a generator. For operations that make no new IDs its node and clock do not
/// matter.
pub fn answer(subject: &str, configs: &Value, case: &Value, entropy: EntropySource) -> Result<Value, Error> {
    let (op, given) = (text(&case["op"]), &case["in"]);
    let mut config = configs[text(&case["config"])].as_object().expect("a config").clone();
    if op == "new" {
        for name in ["secret", "entropy_size", "layout", "version"] {
            if let Some(value) = given.get(name) {
                config.insert(name.into(), value.clone());
            }
        }
    }
    if op == "inspect_secrets" {
        return inspect_secrets(&config, given);
    }
    let mut spec = spec(if subject == "range" { text(&config["scheme"]) } else { subject }, &config)?;
    if op == "new" || op == "generate" {
        spec.scalability = maybe(&given["scalability"]);
        let first_ms = given.get("clock_ms").map_or(0, |times| int(&times[0]));
        let clock = Arc::new(ManualClock::new(first_ms)?);
        let ids = spec.build(&options(given)?, Arc::clone(&clock), entropy)?;
        return match ids {
            _ if op == "new" => Ok(json!("a generator")),
            AnyGenerator::Narrow(ids) => generate::<i64>(&*ids, given, &clock),
            AnyGenerator::Wide(ids) => generate::<u128>(&*ids, given, &clock),
        };
    }
    match spec.reader()? {
        AnyGenerator::Narrow(ids) => run::<i64>(&*ids, op, given),
        AnyGenerator::Wide(ids) => run::<u128>(&*ids, op, given),
    }
}

/// Returns the specification of a file's config. A scalable Ulid-Flake has the scalability id 0.
fn spec(scheme: &str, config: &Map<String, Value>) -> Result<GeneratorSpec, Error> {
    let scheme = match config.get("version") {
        Some(version) => UuidVersion::from_number(version.as_i64().expect("a version"))?.scheme(),
        None => Scheme::from_name(scheme)?,
    };
    let mut spec = GeneratorSpec::new(scheme);
    spec.layout = config.get("layout").map(layout).transpose()?;
    spec.secret = config.get("secret").map(|secret| Secret::from_slice(&bytes(secret))).transpose()?;
    spec.order = config.get("order").map(|order| TickOrder::from_name(text(order))).transpose()?;
    spec.scalability = config.get("scalable").filter(|scalable| **scalable == true).map(|_| 0);
    spec.entropy_size = config.get("entropy_size").map(|size| size.as_i64().expect("an entropy size"));
    spec.epoch_ms = config.get("epoch_ms").map(int);
    Ok(spec)
}

fn layout(described: &Value) -> Result<Layout, Error> {
    if let Some(text) = described.as_str() {
        return Layout::from_text(text);
    }
    let mut spec = LayoutSpec::new().epoch_ms(int(&described["epoch_ms"]));
    spec = spec.tick_us(text(&described["tick_us"]).parse().expect("a tick"));
    for field in described["fields"].as_array().expect("fields") {
        let bits = field[1].as_u64().and_then(|bits| u32::try_from(bits).ok()).expect("a width");
        spec = spec.field(Field::new(FieldKind::from_name(text(&field[0]))?, bits));
    }
    spec.check()
}

/// Returns the parts of a case. The files name some parts as the scheme's source does.
fn parts(layout: Option<&Layout>, given: &Value) -> Result<ComposeParts, Error> {
    let number = |name: &str| given.get(name).map(|value| text(value).parse().expect("an integer as decimal text"));
    let mut parts = ComposeParts::default();
    parts.timestamp_ms = maybe(&given["timestamp_ms"]);
    parts.submillisecond_ns = maybe(&given["submillisecond_ns"]);
    parts.node = maybe(&given["node"]).or(maybe(&given["scalability"]));
    parts.sequence = number("sequence").or(number("clock_sequence"));
    parts.random = number("random");
    parts.rollback = maybe(&given["rollback"]);
    if let (Some(layout), Some(named)) = (layout, given["node_parts"].as_object()) {
        let named: Vec<_> = named.iter().map(|(name, value)| (name.as_str(), int(value))).collect();
        parts.node = Some(layout.node_of_parts(&named)?);
    }
    Ok(parts)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs the operations that make no new IDs.
fn run<I: IdValue + FromStr<Err: Debug>>(ids: &dyn Generator<Id = I>, op: &str, given: &Value) -> Result<Value, Error> {
    let described =
        |id: I| -> Result<Value, Error> { Ok(json!({ "id": id.to_string(), "text": ids.to_text(id)?.as_str() })) };
    let read = || -> I { text(&given["id"]).parse().expect("an ID as decimal text") };
    let compose = |given: &Value| ids.compose(&parts(ids.layout(), given)?);
    let length = ids.bits() as usize / 8;
    let of_bytes = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
    let of_number = |number: u128| described(number.to_string().parse().expect("an ID"));
    match op {
        "compose" => described(compose(given)?),
        "inspect" => {
            let parts = ids.inspect(read())?;
            assert_eq!((parts.scheme, parts.id), (ids.scheme(), read().any(ids.bits())));
            Ok(written(&parts, ids.layout()))
        }
        "to_text" => {
            let encoding = given["encoding"].as_str().map(Encoding::from_name).transpose()?;
            Ok(json!({ "text": ids.to_text_as(read(), encoding)?.as_str() }))
        }
        "from_text" => {
            let id = ids.from_text_as(text(&given["text"]), leniency(given))?;
            // The files of these schemes have the number only.
            let is_alone = ["snowflake", "randflake", "ulid-flake", "tsid"].contains(&ids.scheme().name());
            if is_alone { Ok(json!({ "id": id.to_string() })) } else { described(id) }
        }
        "to_bytes" => {
            ids.inspect(read())?;
            Ok(json!({ "bytes": hex(&read().any(128).value().to_be_bytes()[16 - length..]) }))
        }
        "from_bytes" => {
            let bytes = bytes(&given["bytes"]);
            assert_eq!(bytes.len(), length);
            of_number(of_bytes(&bytes))
        }
        "to_guid_bytes" => Ok(json!({ "bytes": hex(&uuid_to_guid_bytes(read().any(128).value())) })),
        "from_guid_bytes" => {
            let bytes = bytes(&given["bytes"]).try_into().expect("16 bytes");
            of_number(uuid_from_guid_bytes(bytes))
        }
        "round_trips" => {
            let mut made = Vec::new();
            for parts in given["parts"].as_array().expect("parts") {
                let id = compose(parts)?;
                let read = written(&ids.inspect(id)?, ids.layout());
                for (name, value) in parts.as_object().expect("parts") {
                    assert_eq!(read.get(name), Some(value), "{name} of {id}");
                }
                assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
                made.push(id.to_string());
            }
            Ok(json!({ "ids": made }))
        }
        "limits" => {
            let layout = ids.layout().expect("a layout");
            let capacity = layout.capacity();
            Ok(json!({
                "text": layout.to_string(),
                "last_ms": layout.last_ms().to_string(),
                "lifetime_ms": layout.lifetime_ms().to_string(),
                "ids_per_tick": capacity.ids_per_tick.to_string(),
                "nodes": capacity.nodes.to_string(),
                "ids": capacity.ids.to_string(),
            }))
        }
        "range" => {
            let (first, last) = ids.range(int(&given["start_ms"]), int(&given["end_ms"]))?.into_inner();
            let texts = [ids.to_text(first)?, ids.to_text(last)?];
            Ok(json!({
                "first": first.to_string(),
                "last": last.to_string(),
                "first_text": texts[0].as_str(),
                "last_text": texts[1].as_str(),
            }))
        }
        op => panic!("an operation {op}"),
    }
}

/// Returns all parts that are present, under their names in the files.
fn written(parts: &Parts, layout: Option<&Layout>) -> Value {
    let all = [
        ("timestamp_ms", parts.timestamp_ms.map(|time_ms| time_ms.to_string())),
        ("submillisecond_ns", parts.submillisecond_ns.map(|part| part.to_string())),
        ("node", parts.node.map(|part| part.to_string())),
        ("sequence", parts.sequence.map(|part| part.to_string())),
        ("random", parts.random.map(|part| part.to_string())),
        ("rollback", parts.rollback.map(|part| part.to_string())),
        ("secret_index", parts.secret_index.map(|part| part.to_string())),
    ];
    let mut out: Map<String, Value> =
        all.into_iter().filter_map(|(name, part)| Some((name.into(), part?.into()))).collect();
    let named = layout.filter(|layout| layout.spec().fields().iter().any(|field| !field.name.is_empty()));
    if let (Some(layout), Some(node)) = (named, parts.node) {
        let parts = layout.node_parts(node as i64).expect("a node of this layout");
        let parts = parts.map(|(name, value)| (name.to_owned(), value.to_string().into()));
        out.insert("node_parts".into(), Value::Object(parts.collect()));
    }
    Value::Object(out)
}

/// Returns the likeliest reading of an ID under several secrets, which must be equal in November
/// 2026 and twenty years later.
fn inspect_secrets(config: &Map<String, Value>, given: &Value) -> Result<Value, Error> {
    let first_at = |now_ms: i64| {
        let mut inspector = Inspector::at(now_ms).scheme(Scheme::Randflake);
        inspector = inspector.secret(&Secret::from_slice(&bytes(&config["secret"]))?)?;
        for old in given["old_secrets"].as_array().expect("secrets") {
            inspector = inspector.secret(&Secret::from_slice(&bytes(old))?)?;
        }
        let found = inspector.inspect(int(&given["id"]));
        Ok(written(found.iter().next().expect("any number is an ID under any secret"), None))
    };
    let [first, last] = [1_793_491_200_000, 2_424_643_200_000].map(first_at);
    let first = first?;
    assert_eq!(first, last?, "the present plays no part for twenty years");
    Ok(first)
}

/// Returns the answers of a generator whose clock shows these times.
fn generate<I: IdValue>(ids: &dyn Generator<Id = I>, given: &Value, clock: &ManualClock) -> Result<Value, Error> {
    let mut before = None;
    let mut answers = Vec::new();
    for time in given["clock_ms"].as_array().expect("times") {
        clock.set(int(time))?;
        answers.push(match ids.generate() {
            Err(error) => json!({ "error": error.kind().name() }),
            Ok(id) => {
                assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
                let answer = predictable(ids, before, id);
                before = Some(id);
                answer
            }
        });
    }
    Ok(json!({ "ids": answers }))
}

/// Returns the predictable properties of an ID.
fn predictable<I: IdValue>(ids: &dyn Generator<Id = I>, before: Option<I>, id: I) -> Value {
    match (ids.scheme().name(), ids.layout()) {
        (_, Some(layout)) => of_layout(ids, layout, before, id),
        ("ulid", None) => grows(ids, before, id, 1),
        ("uuid-v1", None) => v1(before.map(number), number(id)),
        ("uuid-v4", None) => json!({}),
        ("uuid-v7", None) => grows(ids, before, id, 1 << 32),
        ("objectid" | "xid", None) => counts(ids, before, id),
        ("tick-id", None) => ticks(ids, id),
        (_, None) => json!(id.to_string()),
    }
}

fn number<I: IdValue>(id: I) -> u128 {
    id.any(u128::BITS).value()
}

/// Returns the parts of an ID, and of the ID before it if that is of the same tick.
fn with_previous<I: IdValue>(ids: &dyn Generator<Id = I>, before: Option<I>, id: I) -> (Parts, Option<Parts>) {
    let parts = ids.inspect(id).expect("an ID of its own");
    let before = before.map(|before| ids.inspect(before).expect("an ID of its own"));
    (parts, before.filter(|before| before.timestamp_ms == parts.timestamp_ms))
}

fn timed(parts: &Parts, before: Option<&Parts>) -> Value {
    json!({
        "timestamp_ms": parts.timestamp_ms.expect("a time").to_string(),
        "new_tick": before.is_none(),
    })
}

/// Shows the increment of a random part if it is out of range.
fn grows<I: IdValue>(ids: &dyn Generator<Id = I>, before: Option<I>, id: I, most: u128) -> Value {
    let (parts, before) = with_previous(ids, before, id);
    let mut answer = timed(&parts, before.as_ref());
    let step = before.map(|before| parts.random.unwrap_or(0).wrapping_sub(before.random.unwrap_or(0)));
    if step.is_some_and(|step| !(1..=most).contains(&step)) {
        answer["step"] = json!(step.map(|step| step.to_string()));
    }
    answer
}

fn of_layout<I: IdValue>(ids: &dyn Generator<Id = I>, layout: &Layout, before: Option<I>, id: I) -> Value {
    if !layout.has_random() && !layout.is_random() && !layout.has_random_start() {
        return json!(id.to_string());
    }
    let mut answer = match layout.is_random() {
        true => grows(ids, before, id, layout.max_step().into()),
        false => {
            let (parts, before) = with_previous(ids, before, id);
            timed(&parts, before.as_ref())
        }
    };
    let (parts, before) = with_previous(ids, before, id);
    if let Some(node) = parts.node {
        answer["node"] = json!(node.to_string());
    }
    if let Some(sequence) = parts.sequence {
        let counted = before.map(|before| before.sequence.unwrap_or(0) + 1);
        match (layout.has_random_start(), counted) {
            (false, _) => answer["sequence"] = json!(sequence.to_string()),
            (true, Some(wanted)) if sequence != wanted => answer["sequence"] = json!(sequence.to_string()),
            (true, None) if sequence > layout.max_counter() / 2 => answer["sequence"] = json!(sequence.to_string()),
            (true, _) => {}
        }
    }
    answer
}

/// Shows the node and clock sequence if they changed, or if they could belong to a network card.
fn v1(before: Option<u128>, id: u128) -> Value {
    let own = id & ((1 << 62) - 1);
    let (low, mid, high) = (id >> 96, id >> 80 & 0xffff, id >> 64 & 0xfff);
    let mut answer = json!({ "ticks": (high << 48 | mid << 32 | low).to_string() });
    if own & 1 << 40 == 0 || before.is_some_and(|before| before & ((1 << 62) - 1) != own) {
        answer["own"] = json!(own.to_string());
    }
    answer
}

/// Shows the node and counter if the node changed, or the counter did not continue.
fn counts<I: IdValue>(ids: &dyn Generator<Id = I>, before: Option<I>, id: I) -> Value {
    let node_of = |id| number(id) << 64 >> 88;
    let node_changed = before.is_some_and(|before| node_of(before) != node_of(id));
    let (parts, before) = with_previous(ids, before, id);
    let mut answer = timed(&parts, before.as_ref());
    let counted = before.map(|before| (before.sequence.unwrap_or(0) + 1) % (1 << 24));
    if node_changed || counted.is_some_and(|counted| parts.sequence != Some(counted)) {
        answer["own"] = json!((number(id) as u64).to_string());
    }
    answer
}

fn ticks<I: IdValue>(ids: &dyn Generator<Id = I>, id: I) -> Value {
    let text = ids.to_text(id).expect("text");
    let digits: i64 = text[..19].parse().expect("19 digits");
    let is_descending = ids.inspect(id).is_ok_and(|parts| parts.layout == Some(TickOrder::Descending.name()));
    json!({ "ticks": if is_descending { i64::MAX - digits } else { digits }.to_string() })
}
