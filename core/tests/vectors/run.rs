//! Runs one case of the vectors in Rust, and returns its answer. The tests compare the answers with
//! the files, and the generator of the files uses this code too.

#[cfg(feature = "json")]
mod layouts;
mod schemes;

use saiban::cipher::Sparx64;
use saiban::{Encoding, Entropy, Error, ErrorKind, Leniency, Options, Rollback, Secret};
use serde_json::{Value, json};
use std::ops::Range;
use std::time::Duration;

/// The entropy source of generators.
pub type EntropySource = &'static (dyn Entropy + Send + Sync);

/// Returns the answer to a case: an object with `out`, or with `error` (and `position` for a bad
/// character).
pub fn answer(subject: &str, configs: &Value, case: &Value, entropy: EntropySource) -> Value {
    let given = &case["in"];
    let op = text(&case["op"]);
    let outcome = match subject {
        "encoding" => encoding(op, given),
        "sparx" => sparx(given),
        "encoding-wide" => encoding_wide(op, given),
        #[cfg(feature = "json")]
        "layout" => layouts::answer(op, given),
        _ => schemes::answer(subject, configs, case, entropy),
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

/// Returns an integer that may be absent.
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

fn options(given: &Value) -> Result<Options, Error> {
    let mut options = Options::default();
    options.node = maybe(&given["node"]);
    options.nodes = range(&given["nodes"]);
    options.window = range(&given["window"]);
    options.not_before = maybe(&given["not_before"]);
    options.rollback = given["rollback"].as_str().map(Rollback::from_name).transpose()?;
    let max_wait_ms = maybe(&given["max_wait_ms"]);
    options.max_wait = max_wait_ms.map(|ms| Duration::from_millis(ms.try_into().expect("a wait")));
    Ok(options)
}
