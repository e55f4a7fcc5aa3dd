//! Text and numbers: every encoding, width and leniency, the text of every generator, and names.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use saiban::layout::FieldKind;
use saiban::{
    Encoding, Error, Generator, Layout, Leniency, ManualClock, Options, PooledEntropy, Prefix, Prefixed,
    RandflakeGenerator, Rollback, Scheme, Scope, Secret, SnowflakeGenerator, TsidGenerator, UlidFlakeFormat,
    UlidFlakeGenerator,
};
use saiban_fuzz::{Number, check_error, check_text_error, check_unknown_name, has_one_case};
use std::sync::LazyLock;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    id: Number,
    other: Number,
    width: Number,
    text: &'a str,
}

fuzz_target!(|input: Input| {
    let Input { id, other, width, text } = input;
    let (id, other, width) = (id.get(), other.get(), width.get());
    let length = text.chars().count() as i64;
    for encoding in Encoding::ALL {
        for width in [None, Some(width), Some(length)] {
            decode(encoding, text, width);
            encode(encoding, id, width);
        }
        sort(encoding, id, other);
    }
    for ids in GENERATORS.iter() {
        from_text(&**ids, text);
        to_text(&**ids, id);
    }
    names(text);
});

/// Strict reading accepts one text per ID. More lenient reading accepts more texts, and never reads
/// another ID.
fn decode(encoding: Encoding, text: &str, width: Option<i64>) {
    let read = |leniency| encoding.decode_as(text, width, leniency);
    let [strict, any_case, lenient] = [Leniency::Strict, Leniency::AnyCase, Leniency::Lenient].map(read);
    if let Ok(id) = strict {
        assert_eq!(encoding.encode_as(id, width).as_deref(), Ok(text), "two texts for one ID");
        assert_eq!(any_case, strict);
        assert_eq!(Ok(id), by_std(encoding, text).unwrap_or(strict), "std reads another number");
    }
    if let Ok(id) = any_case {
        assert_eq!(lenient, any_case);
        let canonical = encoding.encode_as(id, width).expect("what was read can be written");
        assert!(canonical.eq_ignore_ascii_case(text), "{canonical} is not {text} in another case");
        assert!(strict.is_ok() || has_one_case(&encoding));
    }
    if let Ok(id) = lenient {
        assert_eq!(encoding.decode(&encoding.encode(id)), Ok(id), "what was read has no canonical text");
    }
    for error in [strict, any_case, lenient].into_iter().filter_map(Result::err) {
        check_text_error(&error, text, text);
    }
    if width.is_none() {
        assert_eq!(encoding.decode(text), strict);
    }
}

/// Returns the number as the standard library reads it, if the encoding is one of its bases.
fn by_std(encoding: Encoding, text: &str) -> Option<Result<i64, Error>> {
    let base = match encoding.name() {
        "decimal" => return text.parse().map(Ok).ok(),
        "binary" => 2,
        "hex" => 16,
        "base32hex" => 32,
        "base36" => 36,
        _ => return None,
    };
    u64::from_str_radix(text, base).map(|number| Ok(number as i64)).ok()
}

/// Every ID has a text in this form, or an error with the reason; the text is read only as this ID.
fn encode(encoding: Encoding, id: i64, width: Option<i64>) {
    let text = match encoding.encode_as(id, width) {
        Ok(text) => text,
        Err(error) => {
            check_error(&error);
            let width = width.expect("the default width holds every ID");
            let fits = (1..=encoding.full_width() as i64).contains(&width);
            let why_not = match error {
                Error::WidthOutOfRange { .. } => !fits || encoding == Encoding::BASE64URL,
                Error::WidthNegative { .. } => id < 0 && encoding == Encoding::DECIMAL,
                Error::WidthTooSmall { needed, .. } => needed as i64 > width && needed == digits(encoding, id),
                _ => false,
            };
            return assert!(why_not, "{error} for {id} in {width} of {}", encoding.name());
        }
    };
    assert!(text.is_ascii() && text.len() <= encoding.full_width());
    assert!(width.is_none_or(|width| text.len() as i64 == width));
    for leniency in [Leniency::Strict, Leniency::AnyCase, Leniency::Lenient] {
        assert_eq!(encoding.decode_as(&text, width, leniency), Ok(id));
    }
    if has_one_case(&encoding) {
        for text in [text.to_ascii_lowercase(), text.to_ascii_uppercase()] {
            assert_eq!(encoding.decode_as(&text, width, Leniency::AnyCase), Ok(id));
        }
    }
    let mut buffer = [b'.'; 65];
    let (exact, one_less) = (text.len(), text.len() - 1);
    assert_eq!(
        encoding.encode_into(id, width, &mut buffer[..one_less]),
        Err(Error::BufferTooSmall { length: one_less, needed: exact })
    );
    assert_eq!(buffer, [b'.'; 65], "an error leaves the buffer as it was");
    assert_eq!(encoding.encode_into(id, width, &mut buffer[..exact]), Ok(exact));
    assert_eq!(&buffer[..exact], text.as_bytes());
}

/// Returns the number of digits without padding.
fn digits(encoding: Encoding, id: i64) -> usize {
    let zero = encoding.encode_width(0, encoding.full_width() as i64).expect("a width that it has");
    encoding.encode(id).trim_start_matches(zero.as_bytes()[0] as char).len().max(1)
}

/// Fixed-width text sorts like the unsigned numbers.
fn sort(encoding: Encoding, id: i64, other: i64) {
    if encoding == Encoding::BASE64URL {
        return;
    }
    let width = encoding.full_width() as i64;
    if let (Ok(one), Ok(two)) = (encoding.encode_width(id, width), encoding.encode_width(other, width)) {
        assert_eq!(one.as_str().cmp(two.as_str()), (id as u64).cmp(&(other as u64)), "{one} {two}");
    }
}

type AnyGenerator = Box<dyn Generator<Id = i64> + Send + Sync>;

static GENERATORS: LazyLock<[AnyGenerator; 6]> = LazyLock::new(|| {
    let clock: &'static ManualClock = Box::leak(Box::new(ManualClock::new(1_750_000_000_000).expect("a time")));
    let node = Options::node(7);
    let secret = Secret::new(*b"for fuzzing only");
    let format = UlidFlakeFormat::default();
    [
        Box::new(SnowflakeGenerator::build(Layout::TWITTER, &node, clock).expect("a generator")),
        Box::new(SnowflakeGenerator::build(Layout::DISCORD, &node, clock).expect("a generator")),
        Box::new(RandflakeGenerator::build(&secret, &node, clock).expect("a generator")),
        Box::new(UlidFlakeGenerator::build(format, &Options::default(), clock, PooledEntropy).expect("a generator")),
        Box::new(TsidGenerator::build(Layout::TSID_1024, &node, clock).expect("a generator")),
        Box::new(Prefixed::new(
            SnowflakeGenerator::build(Layout::TWITTER, &node, clock).expect("a generator"),
            Prefix::new("sales_order").expect("a prefix"),
        )),
    ]
});

/// A generator reads only IDs that it can inspect, and writes them unchanged.
fn from_text(ids: &dyn Generator<Id = i64>, text: &str) {
    let [strict, lenient] = [Leniency::Strict, Leniency::Lenient].map(|leniency| ids.from_text_as(text, leniency));
    if let Ok(id) = strict {
        let canonical = ids.to_text(id).expect("what was read can be written");
        // Ulid-Flake and TSID accept any case, except in text with a prefix.
        let any_case = matches!(ids.scheme(), Scheme::UlidFlake | Scheme::Tsid) && ids.prefix().is_none();
        assert!(canonical == text || any_case && canonical.eq_ignore_ascii_case(text), "{canonical} is not {text}");
        assert_eq!(lenient, strict);
    }
    if let Ok(id) = lenient {
        assert_eq!(ids.inspect(id).map(|parts| (parts.id, parts.scheme)), Ok((id.into(), ids.scheme())));
    }
    let prefix = ids.prefix().map(|prefix| format!("{prefix}_"));
    let number = prefix.and_then(|prefix| text.strip_prefix(&prefix)).unwrap_or(text);
    for error in [strict, lenient].into_iter().filter_map(Result::err) {
        check_text_error(&error, text, number);
    }
    assert_eq!(ids.from_text(text), strict);
}

/// A generator writes the IDs of its scheme and layout, and no other number.
fn to_text(ids: &dyn Generator<Id = i64>, id: i64) {
    match (ids.to_text(id), ids.inspect(id)) {
        (Ok(text), Ok(_)) => assert_eq!(ids.from_text(&text), Ok(id)),
        (Err(error), Err(same)) => {
            assert_eq!(error, same);
            check_error(&error);
            assert!(ids.encoding().decode(&ids.encoding().encode(id)).is_ok());
            assert!(ids.from_text(&ids.encoding().encode(id)).is_err(), "{id} is read, but not written");
        }
        (text, parts) => panic!("{text:?} but {parts:?}"),
    }
}

/// Names are read as they are written. The error for an unknown name repeats an excerpt, and output
/// about a secret repeats nothing of it.
fn names(text: &str) {
    let unknown = |error: Error| check_unknown_name(&error, text);
    Encoding::from_name(text).map_or_else(unknown, |encoding| assert_eq!(encoding.name(), text));
    Scheme::from_name(text).map_or_else(unknown, |scheme| assert_eq!(scheme.name(), text));
    FieldKind::from_name(text).map_or_else(unknown, |kind| assert_eq!(kind.name(), text));
    Rollback::from_name(text).map_or_else(unknown, |policy| assert_eq!(policy.name(), text));
    Scope::from_name(text).map_or_else(unknown, |scope| assert_eq!(scope.name(), text));
    Layout::preset(text).map_or_else(unknown, |layout| {
        // Names of layouts that are not Snowflake presets.
        let others = ["bwmarrin", "ulid-flake", "ulid-flake-scalable", "tsid-256", "tsid-1024", "tsid-4096"];
        assert!(layout.name() == Some(text) || others.contains(&text));
    });
    match Prefix::new(text) {
        Ok(prefix) => assert_eq!(prefix.as_str(), text),
        Err(error) => check_error(&error),
    }
    match Secret::from_hex(text) {
        Ok(secret) => {
            let hex: String = secret.expose().iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(hex.eq_ignore_ascii_case(text));
            assert_eq!(format!("{secret:?}"), "Secret(16 bytes)");
        }
        Err(error) => {
            check_error(&error);
            assert_eq!(error, Error::InvalidSecretHex { length: text.chars().count() });
        }
    }
}
