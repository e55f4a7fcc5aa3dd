//! The operations of Flake, ULID, UUID, ObjectId and tick IDs, and of ranges over time for every scheme.

use super::{Any, int, layout_of_text, leniency, maybe, options, text};
use saiban::encoding::{uuid_from_guid_bytes, uuid_to_guid_bytes};
use saiban::generator::UuidParts;
use saiban::{
    Encoding, Entropy, Error, Flake, Generator, IdValue, Layout, ManualClock, ObjectId, Options, Parts, TickId,
    TickOrder, Ulid, Uuid, WideFlake,
};
use serde_json::{Map, Value, json};
use std::fmt::Debug;
use std::str::FromStr;

type Drawn<'a> = &'a dyn Entropy;

/// A generator of any of them.
pub enum Family<'a> {
    Flake(Flake<&'a ManualClock, Drawn<'a>>),
    WideFlake(WideFlake<&'a ManualClock, Drawn<'a>>),
    Ulid(Ulid<&'a ManualClock, Drawn<'a>>),
    Uuid(Uuid<&'a ManualClock, Drawn<'a>>),
    ObjectId(ObjectId<&'a ManualClock, Drawn<'a>>),
    TickId(TickId<&'a ManualClock, Drawn<'a>>),
    /// One of those with vectors of 64 bits only.
    Other(Any<'a>),
}

impl<'a> Family<'a> {
    fn build(
        scheme: &str,
        config: &Map<String, Value>,
        given: &Value,
        clock: &'a ManualClock,
        entropy: Drawn<'a>,
    ) -> Result<Self, Error> {
        let options: Options = options(given)?;
        match scheme {
            "flake" => {
                let layout = layout_of_text(&config["layout"])?;
                if layout.is_wide() {
                    WideFlake::build(layout, &options, clock, entropy).map(Family::WideFlake)
                } else {
                    Flake::build(layout, &options, clock, entropy).map(Family::Flake)
                }
            }
            "ulid" => Ulid::build(&options, clock, entropy).map(Family::Ulid),
            "uuid" => {
                let version = config["version"].as_i64().expect("a version");
                Uuid::build(version, &options, clock, entropy).map(Family::Uuid)
            }
            "objectid" => ObjectId::build(&options, clock, entropy).map(Family::ObjectId),
            "tick-id" => TickId::build(order(config), &options, clock, entropy).map(Family::TickId),
            scheme => Any::build(scheme, config, given, clock, entropy).map(Family::Other),
        }
    }

    fn run(&self, op: &str, given: &Value) -> Result<Value, Error> {
        match self {
            Family::Flake(ids) => {
                let layout = ids.layout();
                let compose = |given: &Value| {
                    let FlakeParts { timestamp_ms, node, counter, rollback, random } = flake_parts(layout, given)?;
                    match maybe(&given["submillisecond_ns"]) {
                        None => ids.compose(timestamp_ms, node, counter, rollback, random),
                        Some(ns) => ids.compose_ns(timestamp_ms, ns, node, counter, rollback, random),
                    }
                };
                run(ids, op, given, &compose, Some(layout))
            }
            Family::WideFlake(ids) => {
                let layout = ids.layout();
                let compose = |given: &Value| {
                    let FlakeParts { timestamp_ms, node, counter, rollback, random } = flake_parts(layout, given)?;
                    match maybe(&given["submillisecond_ns"]) {
                        None => ids.compose(timestamp_ms, node, counter, rollback, random),
                        Some(ns) => ids.compose_ns(timestamp_ms, ns, node, counter, rollback, random),
                    }
                };
                run(ids, op, given, &compose, Some(layout))
            }
            Family::Ulid(ids) => {
                let compose = |given: &Value| ids.compose(int(&given["timestamp_ms"]), wide(&given["random"]));
                run(ids, op, given, &compose, None)
            }
            Family::Uuid(ids) => {
                let compose = |given: &Value| {
                    ids.compose(&UuidParts {
                        timestamp_ms: maybe(&given["timestamp_ms"]),
                        submillisecond_ns: maybe(&given["submillisecond_ns"]),
                        random: given.get("random").map(wide),
                        clock_sequence: maybe(&given["clock_sequence"]),
                        node: maybe(&given["node"]),
                    })
                };
                run(ids, op, given, &compose, None)
            }
            Family::ObjectId(ids) => {
                let compose = |given: &Value| {
                    ids.compose(int(&given["timestamp_ms"]), int(&given["node"]), int(&given["sequence"]))
                };
                run(ids, op, given, &compose, None)
            }
            Family::TickId(ids) => {
                let compose = |given: &Value| {
                    let (timestamp_ms, random) = (int(&given["timestamp_ms"]), int(&given["random"]));
                    match maybe(&given["submillisecond_ns"]) {
                        None => ids.compose(timestamp_ms, random),
                        Some(ns) => ids.compose_ns(timestamp_ms, ns, random),
                    }
                };
                run(ids, op, given, &compose, None)
            }
            Family::Other(any) => run(any.generator(), op, given, &|given| any.compose(given), None),
        }
    }

    fn generate(&self, given: &Value, clock: &ManualClock) -> Result<Value, Error> {
        match self {
            Family::Flake(ids) => told(ids, given, clock, |before, id| flake(ids, ids.layout(), before, id)),
            Family::WideFlake(ids) => told(ids, given, clock, |before, id| flake(ids, ids.layout(), before, id)),
            Family::Ulid(ids) => told(ids, given, clock, |before, id| grows(ids, before, id, 1)),
            Family::Uuid(ids) => match ids.version() {
                1 => told(ids, given, clock, v1),
                4 => told(ids, given, clock, |_, _| json!({})),
                _ => told(ids, given, clock, |before, id| grows(ids, before, id, 1 << 32)),
            },
            Family::ObjectId(ids) => told(ids, given, clock, |before, id| counts(ids, before, id)),
            Family::TickId(ids) => told(ids, given, clock, |_, id| ticks(ids, id)),
            Family::Other(_) => panic!("these are generated elsewhere"),
        }
    }
}

fn order(config: &Map<String, Value>) -> TickOrder {
    let name = text(&config["order"]);
    TickOrder::ALL.into_iter().find(|order| order.name() == name).expect("an order")
}

fn wide(value: &Value) -> u128 {
    text(value).parse().expect("an unsigned integer of 128 bits as decimal text")
}

fn id<I: FromStr<Err: Debug>>(value: &Value) -> I {
    text(value).parse().expect("an ID as decimal text")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct FlakeParts {
    timestamp_ms: i64,
    node: i64,
    counter: u128,
    rollback: i64,
    random: u128,
}

/// What is not given is 0; a random part is the one that the layout has.
fn flake_parts(layout: &Layout, given: &Value) -> Result<FlakeParts, Error> {
    let number = |name: &str| given.get(name).map_or(0, wide);
    let node = match given["node_parts"].as_object() {
        Some(parts) => {
            let parts: Vec<_> = parts.iter().map(|(name, value)| (name.as_str(), int(value))).collect();
            layout.node_of_parts(&parts)?
        }
        None => maybe(&given["node"]).unwrap_or(0),
    };
    let (counter, random) = match layout.is_random() {
        true => (number("random"), 0),
        false => (number("sequence"), number("random")),
    };
    let rollback = maybe(&given["rollback"]).unwrap_or(0);
    Ok(FlakeParts { timestamp_ms: int(&given["timestamp_ms"]), node, counter, rollback, random })
}

/// The answer of a generator whose node, if it has one, is of no account.
pub fn answer(subject: &str, configs: &Value, case: &Value, entropy: &dyn Entropy) -> Result<Value, Error> {
    let (op, given) = (text(&case["op"]), &case["in"]);
    let mut config = configs[text(&case["config"])].as_object().expect("a config").clone();
    let scheme = match subject {
        "range" => text(&config["scheme"]).to_owned(),
        subject => subject.to_owned(),
    };
    if op == "new" {
        for name in ["layout", "version"] {
            if let Some(value) = given.get(name) {
                config.insert(name.into(), value.clone());
            }
        }
        let clock = ManualClock::new(0)?;
        return Family::build(&scheme, &config, given, &clock, entropy).map(|_| json!("a generator"));
    }
    if op == "generate" {
        let clock = ManualClock::new(int(&given["clock_ms"][0]))?;
        return Family::build(&scheme, &config, given, &clock, entropy)?.generate(given, &clock);
    }
    let anyone = match scheme.as_str() {
        "flake" if layout_of_text(&config["layout"])?.has_node() => json!({ "node": "0" }),
        "snowflake" | "randflake" => json!({ "node": "0" }),
        "ulid-flake" if config["scalable"] == true => json!({ "scalability": "0" }),
        _ => json!({}),
    };
    let clock = ManualClock::new(0)?;
    Family::build(&scheme, &config, &anyone, &clock, entropy)?.run(op, given)
}

/// What generators of all schemes and widths do alike.
fn run<I: IdValue + FromStr<Err: Debug>>(
    ids: &dyn Generator<I>,
    op: &str,
    given: &Value,
    compose: &dyn Fn(&Value) -> Result<I, Error>,
    layout: Option<&Layout>,
) -> Result<Value, Error> {
    let told =
        |id: I| -> Result<Value, Error> { Ok(json!({ "id": id.to_string(), "text": ids.to_text(id)?.as_str() })) };
    let read = || id::<I>(&given["id"]);
    let length = ids.bits() as usize / 8;
    let of_bytes = |bytes: &[u8]| bytes.iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
    let of_number = |number: u128| told(number.to_string().parse().expect("an ID"));
    match op {
        "compose" => told(compose(given)?),
        "inspect" => {
            let parts = ids.inspect(read())?;
            assert_eq!((parts.scheme, parts.id), (ids.scheme(), read().any(ids.bits())));
            Ok(written(&parts, layout))
        }
        "to_text" => {
            let encoding = given["encoding"].as_str().map(Encoding::from_name).transpose()?;
            Ok(json!({ "text": ids.to_text_as(read(), encoding)?.as_str() }))
        }
        "from_text" => told(ids.from_text_as(text(&given["text"]), leniency(given))?),
        "to_bytes" => {
            ids.inspect(read())?;
            Ok(json!({ "bytes": hex(&read().any(128).value().to_be_bytes()[16 - length..]) }))
        }
        "from_bytes" => {
            let bytes = super::bytes(&given["bytes"]);
            assert_eq!(bytes.len(), length);
            of_number(of_bytes(&bytes))
        }
        "to_guid_bytes" => Ok(json!({ "bytes": hex(&uuid_to_guid_bytes(read().any(128).value())) })),
        "from_guid_bytes" => {
            let bytes = super::bytes(&given["bytes"]).try_into().expect("16 bytes");
            of_number(uuid_from_guid_bytes(bytes))
        }
        "round_trips" => {
            let mut made = Vec::new();
            for parts in given["parts"].as_array().expect("parts") {
                let id = compose(parts)?;
                let read = written(&ids.inspect(id)?, layout);
                for (name, value) in parts.as_object().expect("parts") {
                    assert_eq!(read.get(name), Some(value), "{name} of {id}");
                }
                assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
                made.push(id.to_string());
            }
            Ok(json!({ "ids": made }))
        }
        "limits" => {
            let layout = layout.expect("a layout");
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

/// All parts that are there, under the names that the files have for them.
fn written(parts: &Parts, layout: Option<&Layout>) -> Value {
    let mut out = Map::new();
    let mut put = |name: &str, part: Option<String>| {
        out.extend(part.map(|part| (name.to_owned(), Value::from(part))));
    };
    put("timestamp_ms", parts.timestamp_ms.map(|part| part.to_string()));
    put("submillisecond_ns", parts.submillisecond_ns.map(|part| part.to_string()));
    put("node", parts.node.map(|part| part.to_string()));
    put("sequence", parts.sequence.map(|part| part.to_string()));
    put("random", parts.random.map(|part| part.to_string()));
    put("rollback", parts.rollback.map(|part| part.to_string()));
    let named = layout.filter(|layout| layout.spec().fields().iter().any(|field| !field.name.is_empty()));
    if let (Some(layout), Some(node)) = (named, parts.node) {
        let parts = layout.node_parts(node as i64).expect("a node of this layout");
        let parts = parts.map(|(name, value)| (name.to_owned(), value.to_string().into()));
        out.insert("node_parts".into(), Value::Object(parts.collect()));
    }
    Value::Object(out)
}

/// What a generator makes under a clock that shows these times.
fn told<I: IdValue>(
    ids: &dyn Generator<I>,
    given: &Value,
    clock: &ManualClock,
    tell: impl Fn(Option<I>, I) -> Value,
) -> Result<Value, Error> {
    let mut before = None;
    let mut answers = Vec::new();
    for time in given["clock_ms"].as_array().expect("times") {
        clock.set(int(time))?;
        answers.push(match ids.generate() {
            Err(error) => json!({ "error": error.kind().name() }),
            Ok(id) => {
                assert_eq!(ids.from_text(&ids.to_text(id)?)?, id);
                let answer = tell(before, id);
                before = Some(id);
                answer
            }
        });
    }
    Ok(json!({ "ids": answers }))
}

/// The parts of an ID, and those of the one before it where both are of one tick.
fn beside<I: IdValue>(ids: &dyn Generator<I>, before: Option<I>, id: I) -> (Parts, Option<Parts>) {
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

/// A random part that did not grow as it must is shown.
fn grows<I: IdValue>(ids: &dyn Generator<I>, before: Option<I>, id: I, most: u128) -> Value {
    let (parts, before) = beside(ids, before, id);
    let mut answer = timed(&parts, before.as_ref());
    let step = before.map(|before| parts.random.unwrap_or(0).wrapping_sub(before.random.unwrap_or(0)));
    if step.is_some_and(|step| !(1..=most).contains(&step)) {
        answer["step"] = json!(step.map(|step| step.to_string()));
    }
    answer
}

fn flake<I: IdValue>(ids: &dyn Generator<I>, layout: &Layout, before: Option<I>, id: I) -> Value {
    if !layout.has_random() && !layout.is_random() && !layout.has_random_start() {
        return json!(id.to_string());
    }
    let mut answer = match layout.is_random() {
        true => grows(ids, before, id, layout.max_step().into()),
        false => {
            let (parts, before) = beside(ids, before, id);
            timed(&parts, before.as_ref())
        }
    };
    let (parts, before) = beside(ids, before, id);
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

/// A node or a clock sequence that changed, or that could be a network card's, is shown.
fn v1(before: Option<u128>, id: u128) -> Value {
    let own = id & ((1 << 62) - 1);
    let (low, mid, high) = (id >> 96, id >> 80 & 0xffff, id >> 64 & 0xfff);
    let mut answer = json!({ "ticks": (high << 48 | mid << 32 | low).to_string() });
    if own & 1 << 40 == 0 || before.is_some_and(|before| before & ((1 << 62) - 1) != own) {
        answer["own"] = json!(own.to_string());
    }
    answer
}

/// A node that changed, or a counter that did not go on, is shown.
fn counts(ids: &dyn Generator<u128>, before: Option<u128>, id: u128) -> Value {
    let node_changed = before.is_some_and(|before| before << 64 >> 88 != id << 64 >> 88);
    let (parts, before) = beside(ids, before, id);
    let mut answer = timed(&parts, before.as_ref());
    let counted = before.map(|before| (before.sequence.unwrap_or(0) + 1) % (1 << 24));
    if node_changed || counted.is_some_and(|counted| parts.sequence != Some(counted)) {
        answer["own"] = json!((id as u64).to_string());
    }
    answer
}

fn ticks(ids: &TickId<&ManualClock, Drawn>, id: u128) -> Value {
    let text = ids.to_text(id).expect("text");
    let digits: i64 = text[..19].parse().expect("19 digits");
    let ticks = if ids.order() == TickOrder::Descending { i64::MAX - digits } else { digits };
    json!({ "ticks": ticks.to_string() })
}
