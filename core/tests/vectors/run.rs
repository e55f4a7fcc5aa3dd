//! What the operations of the vectors mean in Rust: a case in, its answer out. The tests compare the answers with the
//! files, and the tool that writes the files asks the same questions.

mod family;
#[cfg(feature = "json")]
mod layouts;

use saiban::cipher::Sparx64;
use saiban::layout::{Field, FieldKind};
use saiban::{
    Encoding, Entropy, Error, ErrorKind, Generator, Inspector, Layout, LayoutSpec, Leniency, ManualClock, Options,
    Parts, Randflake, Rollback, Scheme, Secret, Snowflake, UlidFlake, UlidFlakeFormat,
};
use serde_json::{Map, Value, json};
use std::ops::Range;
use std::time::Duration;

/// The answer to a case: an object with `out`, or with `error` (and `position` for a bad character).
pub fn answer(subject: &str, configs: &Value, case: &Value, entropy: &dyn Entropy) -> Value {
    let given = &case["in"];
    let op = text(&case["op"]);
    let outcome = match subject {
        "encoding" => encoding(op, given),
        "sparx" => sparx(given),
        "encoding-wide" => encoding_wide(op, given),
        #[cfg(feature = "json")]
        "layout" => layouts::answer(op, given),
        "flake" | "ulid" | "uuid" | "objectid" | "tick-id" | "range" => family::answer(subject, configs, case, entropy),
        _ => scheme(subject, configs, case, entropy),
    };
    match outcome {
        Ok(out) => json!({ "out": out }),
        Err(error) if error.kind() == ErrorKind::TextCharacter => {
            json!({ "error": error.kind().name(), "position": error.position() })
        }
        Err(error) => json!({ "error": error.kind().name() }),
    }
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

fn int(value: &Value) -> i64 {
    text(value).parse().expect("an integer of 64 bits as decimal text")
}

/// An integer that may be absent.
fn maybe(value: &Value) -> Option<i64> {
    value.as_str().map(|_| int(value))
}

fn range(value: &Value) -> Option<Range<i64>> {
    value.as_array().map(|ends| int(&ends[0])..int(&ends[1]))
}

fn bytes(value: &Value) -> Vec<u8> {
    let digits = text(value).as_bytes();
    let pairs = digits.chunks_exact(2).map(|pair| std::str::from_utf8(pair).expect("ASCII"));
    pairs.map(|pair| u8::from_str_radix(pair, 16).expect("two hexadecimal digits")).collect()
}

fn leniency(given: &Value) -> Leniency {
    Leniency::lenient_if(given["lenient"].as_bool().unwrap_or(false))
}

fn encoding(op: &str, given: &Value) -> Result<Value, Error> {
    let encoding = Encoding::from_name(text(&given["encoding"]))?;
    let width = given["width"].as_i64();
    match op {
        "encode" => Ok(json!({ "text": encoding.encode_as(int(&given["value"]), width)?.as_str() })),
        "decode" => {
            let value = encoding.decode_as(text(&given["text"]), width, leniency(given))?;
            Ok(json!({ "value": value.to_string() }))
        }
        op => panic!("an operation {op}"),
    }
}

fn small(value: &Value) -> u32 {
    value.as_u64().and_then(|number| u32::try_from(number).ok()).expect("a small number")
}

fn encoding_wide(op: &str, given: &Value) -> Result<Value, Error> {
    let encoding = Encoding::from_name(text(&given["encoding"]))?;
    let (bits, width) = (small(&given["bits"]), given["width"].as_i64());
    match op {
        "encode_wide" => {
            let value = text(&given["value"]).parse().expect("an unsigned integer of 128 bits");
            Ok(json!({ "text": encoding.encode_wide_as(value, bits, width)?.as_str() }))
        }
        "decode_wide" => {
            let value = encoding.decode_wide_as(text(&given["text"]), bits, width, leniency(given))?;
            Ok(json!({ "value": value.to_string() }))
        }
        op => panic!("an operation {op}"),
    }
}

fn sparx(given: &Value) -> Result<Value, Error> {
    let cipher = Sparx64::new(&Secret::from_slice(&bytes(&given["key"]))?);
    let mut block = [0; 4];
    for (word, pair) in block.iter_mut().zip(bytes(&given["plaintext"]).chunks_exact(2)) {
        *word = u16::from_be_bytes([pair[0], pair[1]]);
    }
    let sealed = cipher.encrypt(block);
    assert_eq!(cipher.decrypt(sealed), block, "decryption is the way back");
    Ok(json!({ "ciphertext": sealed.map(|word| format!("{word:04x}")).concat() }))
}

fn layout_of_text(described: &Value) -> Result<Layout, Error> {
    Layout::from_text(text(described))
}

fn layout(described: &Value) -> Result<Layout, Error> {
    if let Some(name) = described.as_str() {
        return Layout::preset(name);
    }
    let mut spec = LayoutSpec::new().epoch_ms(int(&described["epoch_ms"]));
    spec = spec.tick_us(text(&described["tick_us"]).parse().expect("a tick"));
    for field in described["fields"].as_array().expect("fields") {
        let bits = field[1].as_u64().and_then(|bits| u32::try_from(bits).ok()).expect("a width");
        spec = spec.field(Field::new(FieldKind::from_name(text(&field[0]))?, bits));
    }
    spec.check()
}

fn options(given: &Value) -> Result<Options, Error> {
    Ok(Options {
        node: maybe(&given["node"]),
        nodes: range(&given["nodes"]),
        window: range(&given["window"]),
        not_before: maybe(&given["not_before"]),
        rollback: given["rollback"].as_str().map(Rollback::from_name).transpose()?,
        max_wait: maybe(&given["max_wait_ms"]).map(|ms| Duration::from_millis(ms.try_into().expect("a wait"))),
        ..Options::default()
    })
}

/// A generator of the schemes whose IDs all have 64 bits.
enum Any<'a> {
    Snowflake(Snowflake<&'a ManualClock>),
    Randflake(Box<Randflake<&'a ManualClock>>),
    UlidFlake(UlidFlake<&'a ManualClock, saiban::generator::DefaultCursor, &'a dyn Entropy>),
}

impl<'a> Any<'a> {
    fn build(
        subject: &str,
        config: &Map<String, Value>,
        given: &Value,
        clock: &'a ManualClock,
        entropy: &'a dyn Entropy,
    ) -> Result<Self, Error> {
        let options = options(given)?;
        match subject {
            "snowflake" => Snowflake::build(layout(&config["layout"])?, &options, clock).map(Any::Snowflake),
            "randflake" => {
                let secret = Secret::from_slice(&bytes(&config["secret"]))?;
                Randflake::build(&secret, &options, clock).map(|ids| Any::Randflake(Box::new(ids)))
            }
            "ulid-flake" => {
                let format = UlidFlakeFormat {
                    scalability: maybe(&given["scalability"]),
                    entropy_size: config["entropy_size"].as_i64().expect("an entropy size"),
                    epoch_ms: int(&config["epoch_ms"]),
                    ..UlidFlakeFormat::default()
                };
                UlidFlake::build(format, &options, clock, entropy).map(Any::UlidFlake)
            }
            subject => panic!("a subject {subject}"),
        }
    }

    fn generator(&self) -> &dyn Generator {
        match self {
            Any::Snowflake(ids) => ids,
            Any::Randflake(ids) => &**ids,
            Any::UlidFlake(ids) => ids,
        }
    }

    fn compose(&self, given: &Value) -> Result<i64, Error> {
        let timestamp_ms = int(&given["timestamp_ms"]);
        match self {
            Any::Snowflake(ids) => {
                let (node, sequence) = (int(&given["node"]), int(&given["sequence"]));
                match (maybe(&given["submillisecond_ns"]), maybe(&given["rollback"])) {
                    (None, None) => ids.compose(timestamp_ms, node, sequence),
                    (None, Some(rollback)) => ids.compose_rollback(timestamp_ms, node, sequence, rollback),
                    (Some(ns), rollback) => ids.compose_ns(timestamp_ms, ns, node, sequence, rollback.unwrap_or(0)),
                }
            }
            Any::Randflake(ids) => ids.compose(timestamp_ms, int(&given["node"]), int(&given["sequence"])),
            Any::UlidFlake(ids) => ids.compose(timestamp_ms, int(&given["random"]), maybe(&given["scalability"])),
        }
    }
}

fn scheme(subject: &str, configs: &Value, case: &Value, entropy: &dyn Entropy) -> Result<Value, Error> {
    let (op, given) = (text(&case["op"]), &case["in"]);
    let mut config = configs[text(&case["config"])].as_object().expect("a config").clone();
    let clock = ManualClock::new(0)?;
    if op == "new" {
        for name in ["secret", "entropy_size", "layout"] {
            if let Some(value) = given.get(name) {
                config.insert(name.into(), value.clone());
            }
        }
        return Any::build(subject, &config, given, &clock, entropy).map(|_| json!("a generator"));
    }
    if op == "generate" {
        return generate(subject, &config, given, entropy);
    }
    if op == "inspect_secrets" {
        return inspect_secrets(&config, given);
    }
    // A node and a scalability id so that there is a generator; taking IDs apart and together does not depend on them.
    let anyone = match subject {
        "ulid-flake" if config["scalable"] == true => json!({ "scalability": "0" }),
        "ulid-flake" => json!({}),
        _ => json!({ "node": "0" }),
    };
    let any = Any::build(subject, &config, &anyone, &clock, entropy)?;
    let ids = any.generator();
    match op {
        "compose" => {
            let id = any.compose(given)?;
            Ok(json!({ "id": id.to_string(), "text": ids.to_text(id)?.as_str() }))
        }
        "inspect" => {
            let parts = ids.inspect(int(&given["id"]))?;
            assert_eq!((parts.scheme.name(), parts.id), (subject, int(&given["id"]).into()));
            Ok(written(&parts))
        }
        "to_text" => Ok(json!({ "text": ids.to_text(int(&given["id"]))?.as_str() })),
        "from_text" => Ok(json!({ "id": ids.from_text_as(text(&given["text"]), leniency(given))?.to_string() })),
        op => panic!("an operation {op}"),
    }
}

/// The time, which every ID of the schemes here tells.
fn time(parts: &Parts) -> i64 {
    parts.timestamp_ms.expect("a time")
}

/// All parts that are there, under the names that the files have for them.
fn written(parts: &Parts) -> Value {
    let all = [
        ("submillisecond_ns", parts.submillisecond_ns.map(u128::from)),
        ("node", parts.node.map(u128::from)),
        ("sequence", parts.sequence.map(u128::from)),
        ("random", parts.random),
        ("rollback", parts.rollback.map(u128::from)),
        ("secret_index", parts.secret_index.map(u128::from)),
    ];
    let mut out = Map::new();
    out.insert("timestamp_ms".into(), time(parts).to_string().into());
    out.extend(all.into_iter().filter_map(|(name, part)| Some((name.into(), part?.to_string().into()))));
    Value::Object(out)
}

/// The likeliest reading of an ID under several secrets: the same in November 2026 and twenty years later.
fn inspect_secrets(config: &Map<String, Value>, given: &Value) -> Result<Value, Error> {
    let first_at = |now_ms: i64| {
        let mut inspector = Inspector::at(now_ms).scheme(Scheme::Randflake);
        inspector = inspector.secret(&Secret::from_slice(&bytes(&config["secret"]))?)?;
        for old in given["old_secrets"].as_array().expect("secrets") {
            inspector = inspector.secret(&Secret::from_slice(&bytes(old))?)?;
        }
        let found = inspector.inspect(int(&given["id"]));
        Ok(found.iter().next().map(written).expect("any number is an ID under any secret"))
    };
    let [first, last] = [1_793_491_200_000, 2_424_643_200_000].map(first_at);
    let first = first?;
    assert_eq!(first, last?, "the present plays no part for twenty years");
    Ok(first)
}

fn generate(subject: &str, config: &Map<String, Value>, given: &Value, entropy: &dyn Entropy) -> Result<Value, Error> {
    let times = given["clock_ms"].as_array().expect("times");
    let clock = ManualClock::new(int(&times[0]))?;
    let any = Any::build(subject, config, given, &clock, entropy)?;
    let ids = any.generator();
    let mut last = None;
    let mut answers = Vec::new();
    for time in times {
        clock.set(int(time))?;
        answers.push(match ids.generate() {
            Err(error) => json!({ "error": error.kind().name() }),
            Ok(id) if subject != "ulid-flake" => json!(id.to_string()),
            Ok(id) => {
                let answer = foretold(ids, last, id, config["entropy_size"].as_u64().expect("an entropy size"));
                last = Some(id);
                answer
            }
        });
    }
    Ok(json!({ "ids": answers }))
}

/// What can be foretold of a Ulid-Flake ID; a random part that did not grow as it must is shown as `step`.
fn foretold(ids: &dyn Generator, last: Option<i64>, id: i64, entropy_size: u64) -> Value {
    let parts = ids.inspect(id).expect("an ID of its own");
    let before = last.map(|last| ids.inspect(last).expect("an ID of its own"));
    let mut answer = json!({ "timestamp_ms": time(&parts).to_string(), "new_tick": true });
    if let Some(node) = parts.node {
        answer["node"] = json!(node.to_string());
    }
    if let Some(before) = before.filter(|before| before.timestamp_ms == parts.timestamp_ms) {
        answer["new_tick"] = json!(false);
        let step = parts.random.zip(before.random).map(|(now, then)| now as i128 - then as i128);
        if !step.is_some_and(|step| (1..1 << (8 * entropy_size)).contains(&step)) {
            answer["step"] = json!(step.map(|step| step.to_string()));
        }
    }
    answer
}
