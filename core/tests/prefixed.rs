//! Text with a prefix: TypeID's published examples, and valid and invalid text.

use saiban::{
    AnyGenerator, Encoding, ErrorKind, Generator, GeneratorSpec, Inspector, Leniency, ManualClock, Options,
    PooledEntropy, Prefix, Prefixed, Scheme, SystemClock, UuidGenerator,
};

fn type_ids(prefix: &str) -> Prefixed<UuidGenerator> {
    Prefixed::new(UuidGenerator::v7().expect("a generator"), Prefix::new(prefix).expect("a prefix"))
}

/// Source: github.com/jetify-com/typeid, spec/valid.json, version 0.3: the text, its prefix, the
/// UUID.
const VALID: [(&str, &str, u128); 9] = [
    ("00000000000000000000000000", "", 0),
    ("00000000000000000000000001", "", 1),
    ("0000000000000000000000000a", "", 10),
    ("0000000000000000000000000g", "", 16),
    ("00000000000000000000000010", "", 32),
    ("7zzzzzzzzzzzzzzzzzzzzzzzzz", "", u128::MAX),
    ("prefix_0123456789abcdefghjkmnpqrs", "prefix", 0x0110_c853_1d09_52d8_d73e_1194_e95b_5f19),
    ("prefix_01h455vb4pex5vsknk084sn02q", "prefix", 0x0189_0a5d_ac96_774b_bcce_b302_099a_8057),
    ("pre_fix_00000000000000000000000000", "pre_fix", 0),
];

#[test]
fn valid_type_ids_are_read_and_written() {
    for (text, prefix, uuid) in VALID {
        let ids = type_ids(prefix);
        assert_eq!(ids.from_text(text), Ok(uuid), "{text}");
        assert_eq!(ids.to_text(uuid).as_deref(), Ok(text));
    }
}

/// As in spec/invalid.json, version 0.3: the text, and the prefix to decode it with.
const INVALID: [(&str, &str); 19] = [
    ("PREFIX_00000000000000000000000000", "PREFIX"),
    ("12345_00000000000000000000000000", "12345"),
    ("pre.fix_00000000000000000000000000", "pre.fix"),
    ("préfix_00000000000000000000000000", "préfix"),
    ("  prefix_00000000000000000000000000", "  prefix"),
    (
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl_00000000000000000000000000",
        "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl",
    ),
    ("_00000000000000000000000000", ""),
    ("_", ""),
    ("prefix_1234567890123456789012345", "prefix"),
    ("prefix_123456789012345678901234567", "prefix"),
    ("prefix_1234567890123456789012345 ", "prefix"),
    ("prefix_0123456789ABCDEFGHJKMNPQRS", "prefix"),
    ("prefix_123456789-123456789-123456", "prefix"),
    ("prefix_ooooooiiiiiiuuuuuuulllllll", "prefix"),
    ("prefix_i23456789ol23456789oi23456", "prefix"),
    ("prefix_123456789-0123456789-0123456", "prefix"),
    ("prefix_8zzzzzzzzzzzzzzzzzzzzzzzzz", "prefix"),
    ("_prefix_00000000000000000000000000", "_prefix"),
    ("prefix__00000000000000000000000000", "prefix_"),
];

#[test]
fn invalid_type_ids_are_refused() {
    for (text, prefix) in INVALID {
        match Prefix::new(prefix) {
            Ok(prefix) => {
                let ids = Prefixed::new(UuidGenerator::v7().expect("a generator"), prefix);
                assert!(ids.from_text(text).is_err(), "{text}");
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{prefix}"),
        }
    }
}

#[test]
fn the_error_of_a_refused_text_has_reason_and_position() {
    let ids = type_ids("order");
    for (text, kind, position) in [
        ("user_01h455vb4pex5vsknk084sn02q", ErrorKind::TextCharacter, None),
        ("01h455vb4pex5vsknk084sn02q", ErrorKind::TextCharacter, None),
        ("order01h455vb4pex5vsknk084sn02q", ErrorKind::TextCharacter, None),
        ("order_01h455vb4pex5vsknk084sn02Q", ErrorKind::TextCharacter, Some(31)),
        ("order_é1H", ErrorKind::TextCharacter, Some(8)),
        ("order_01h455vb4pex5vsknk084sn0!q", ErrorKind::TextCharacter, Some(30)),
        ("order_8zzzzzzzzzzzzzzzzzzzzzzzzz", ErrorKind::TextOverflow, None),
    ] {
        let error = ids.from_text(text).expect_err(text);
        assert_eq!((error.kind(), error.position()), (kind, position), "{text}: {error}");
    }
    assert!(ids.from_text("user_").expect_err("another's").to_string().contains("order"));
    let lenient = ids.from_text_as("order_O1H455VB4PEX5VSKNKO84SNO2Q", Leniency::Lenient);
    assert_eq!(lenient, ids.from_text("order_01h455vb4pex5vsknk084sn02q"));
    let short = ids.from_text_as("order_1", Leniency::Lenient).map_err(|error| error.kind());
    assert_eq!(short, Err(ErrorKind::TextLength), "a text that was cut off is no other ID's");
}

#[test]
fn every_scheme_has_text_with_and_without_a_prefix() {
    let prefix = Prefix::new("order").expect("a prefix");
    for scheme in Scheme::ALL {
        let mut spec = GeneratorSpec::new(scheme).prefix(prefix);
        spec.secret = (scheme == Scheme::Randflake).then(|| saiban::Secret::new([7; 16]));
        spec.layout = (scheme == Scheme::Flake).then_some(saiban::Layout::DISCORD);
        let options = spec.reading_options().expect("options");
        let build = |spec: &GeneratorSpec| match spec.build(&options, SystemClock, PooledEntropy).expect("a generator")
        {
            AnyGenerator::Narrow(ids) => again(&*ids),
            AnyGenerator::Wide(ids) => again(&*ids),
        };
        let text = build(&spec);
        spec.prefix = None;
        assert!(!build(&spec).starts_with("order"));
        let number = text.strip_prefix("order_").expect("its prefix");
        assert!(number.bytes().all(|digit| digit.is_ascii_digit() || digit.is_ascii_lowercase()), "{text}");
    }
}

/// Returns the text of a new ID, after checking that it decodes to that ID, and that a buffer gets
/// the same text.
fn again<I: saiban::IdValue>(ids: &(dyn Generator<Id = I> + Send + Sync)) -> String {
    let id = ids.generate().expect("an ID");
    let text = ids.to_text(id).expect("text").to_string();
    assert_eq!(ids.from_text(&text), Ok(id));
    assert!(ids.generate_text(None).and_then(|text| ids.from_text(&text)).is_ok());
    for encoding in Encoding::every().map(Some).chain([None]) {
        let text = ids.write(id, encoding).expect("text");
        let mut buffer = [b'#'; saiban::Text::MAX_LEN];
        let refused = ids.write_into(id, encoding, &mut buffer[..text.len() - 1]).map_err(|error| error.kind());
        assert_eq!((refused, buffer[0]), (Err(ErrorKind::BufferTooSmall), b'#'), "{text}");
        assert_eq!(ids.write_into(id, encoding, &mut buffer), Ok(text.len()));
        assert_eq!(buffer[..text.len()], *text.as_bytes());
    }
    text
}

#[test]
fn the_order_of_texts_is_that_of_the_ids() {
    let clock = ManualClock::new(1_763_700_000_000).expect("a time");
    let build = |_: &Options| saiban::UlidGenerator::build(&Options::default(), &clock, PooledEntropy);
    let ids = Prefixed::new(build(&Options::default()).expect("a generator"), Prefix::new("a").expect("a prefix"));
    let made = ids.generate_many(1_000).expect("IDs");
    let texts: Vec<String> = made.iter().map(|id| ids.to_text(*id).expect("text").to_string()).collect();
    assert!(texts.is_sorted());
}

#[test]
fn inspection_finds_the_id_of_a_prefixed_text() {
    let inspector = Inspector::at(1_763_700_000_000);
    let found = inspector.inspect_text("order_01h455vb4pex5vsknk084sn02q").expect("candidates");
    let first = found.iter().next().expect("a candidate");
    assert_eq!((first.scheme, first.timestamp_ms), (Scheme::UuidV7, Some(1_688_096_058_518)));
    assert!(inspector.inspect_text("Order_01h455vb4pex5vsknk084sn02q").is_err());
}
