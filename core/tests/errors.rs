//! Error kinds keep their numbers and names forever; messages show the value and the limits.

use saiban::error::{FieldKey, JsonFound, JsonKey, JsonPlace, LayoutFault, TextFault, TextForm, Wide};
use saiban::{Error, ErrorKind, Excerpt, LayoutProblem, OptionProblem, Scheme, StateProblem};

/// The published numbers and names. Lines may be added, but never changed or removed.
const PUBLISHED: [(i32, &str); 48] = [
    (1, "CLOCK_BACKWARD"),
    (2, "CLOCK_UNAVAILABLE"),
    (3, "TIMESTAMP_BEFORE_EPOCH"),
    (4, "TIMESTAMP_OVERFLOW"),
    (5, "WOULD_WAIT"),
    (6, "LEASE_NOT_BEGUN"),
    (7, "LEASE_EXPIRED"),
    (8, "INVALID_WINDOW"),
    (9, "NODE_REQUIRED"),
    (10, "NODE_OUT_OF_RANGE"),
    (11, "SEQUENCE_OUT_OF_RANGE"),
    (12, "RANDOM_OUT_OF_RANGE"),
    (13, "ID_OUT_OF_RANGE"),
    (14, "INVALID_SECRET"),
    (15, "INVALID_LAYOUT"),
    (16, "INVALID_ENTROPY_SIZE"),
    (17, "ENTROPY_UNAVAILABLE"),
    (18, "TEXT_LENGTH"),
    (19, "TEXT_CHARACTER"),
    (20, "TEXT_OVERFLOW"),
    (21, "TEXT_NOT_CANONICAL"),
    (22, "WIDTH_OUT_OF_RANGE"),
    (23, "UNKNOWN_NAME"),
    (24, "BUFFER_TOO_SMALL"),
    (25, "INVALID_ARGUMENT"),
    (26, "WRONG_TYPE"),
    (27, "INTERNAL"),
    (28, "NODE_IN_USE"),
    (29, "FORKED"),
    (30, "CLOCK_JUMPED"),
    (31, "STATE_IN_USE"),
    (32, "STATE_MISMATCH"),
    (33, "STATE_UNAVAILABLE"),
    (34, "ROLLBACK_OUT_OF_RANGE"),
    (35, "NOT_TIME_ORDERED"),
    (36, "STORE_UNAVAILABLE"),
    (37, "STORE_CORRUPT"),
    (38, "STORE_UNSUPPORTED"),
    (39, "NAMESPACE_UNKNOWN"),
    (40, "NAMESPACE_MISMATCH"),
    (41, "NAMESPACE_FULL"),
    (42, "NAMESPACE_QUARANTINED"),
    (43, "CLOCK_SKEW"),
    (44, "LEASE_LOST"),
    (45, "COUNTER_UNKNOWN"),
    (46, "COUNTER_MISMATCH"),
    (47, "COUNTER_BEHIND"),
    (48, "COUNTER_EXHAUSTED"),
];

#[test]
fn numbers_and_names_are_as_published() {
    let found: Vec<(i32, &str)> = ErrorKind::ALL.iter().map(|kind| (kind.number(), kind.name())).collect();
    assert_eq!(found, PUBLISHED);
}

#[test]
fn a_long_path_is_shown_by_its_end_in_whole_characters() {
    let shown = |text: &str| Excerpt::end_of(text).to_string();
    assert_eq!(shown(""), "\"\"");
    assert_eq!(shown("orders.state"), "\"orders.state\"");
    assert_eq!(shown("123456789012345678901234"), "\"123456789012345678901234\"", "24 bytes are told whole");
    assert_eq!(shown("/23456789012345678901234x"), "…\"23456789012345678901234x\"");
    // A character that is only partly within those 24 bytes is left out.
    for path in
        ["/var/lib/日本語の長い名前のフォルダー/orders.state", &"é".repeat(40), &"😀".repeat(9), &"x😀".repeat(9)]
    {
        let message = shown(path);
        let inner = message.strip_prefix("…\"").and_then(|rest| rest.strip_suffix('"')).expect("the end, in quotes");
        assert!(path.ends_with(inner) && (21..=24).contains(&inner.len()), "{message}");
    }
    assert_eq!(shown("a\nb\u{1b}"), "\"a\\nb\\u{1b}\"", "nothing that a terminal obeys");
}

#[test]
fn a_kind_is_found_by_its_number_and_nothing_else_is() {
    for kind in ErrorKind::ALL {
        assert_eq!(ErrorKind::from_number(kind.number()), Some(*kind));
        assert_eq!(kind.to_string(), kind.name());
        assert!(kind.meaning().ends_with('.') && kind.meaning().is_ascii(), "{}", kind.meaning());
    }
    for unknown in [i32::MIN, -1, 0, ErrorKind::ALL.len() as i32 + 1, i32::MAX] {
        assert_eq!(ErrorKind::from_number(unknown), None);
    }
}

/// Each error, with what its message must contain.
fn errors() -> Vec<(Error, ErrorKind, Vec<&'static str>)> {
    use ErrorKind as Kind;
    let name = Excerpt::new("nobody");
    vec![
        (
            Error::ClockBackward { behind_ns: 61_000_000_000, max_wait_ns: 2_000_000 },
            Kind::ClockBackward,
            vec!["61 s", "2 ms"],
        ),
        (Error::ClockUnavailable, Kind::ClockUnavailable, vec!["1970", "2554"]),
        (Error::ClockOutOfRange { timestamp_ms: -17 }, Kind::ClockUnavailable, vec!["-17 ms", "18446744073709"]),
        (Error::IdUnsigned { bits: 32 }, Kind::IdOutOfRange, vec!["32 bits are unsigned", "below 2^32"]),
        (Error::TextWithoutDigits { encoding: "crockford" }, Kind::TextLength, vec!["crockford text has no digits"]),
        (
            Error::InvalidLayout { reason: LayoutProblem::NotASnowflake },
            Kind::InvalidLayout,
            vec!["not a Snowflake's", "Flake makes IDs of any layout"],
        ),
        (
            Error::TimestampBeforeEpoch { timestamp_ms: 1234, epoch_ms: 5678 },
            Kind::TimestampBeforeEpoch,
            vec!["1234", "5678"],
        ),
        (Error::TimestampOverflow { timestamp_ms: 1234, last_ms: 987 }, Kind::TimestampOverflow, vec!["1234", "987"]),
        (Error::WouldWait { wait_ns: 3_000, max_wait_ns: 17 }, Kind::WouldWait, vec!["3 µs", "17 ns"]),
        (
            Error::WouldWaitAtFirst { wait_ns: 60_000_000_000, max_wait_ns: 2_000_000_000 },
            Kind::WouldWait,
            vec!["60 s", "2000 ms", "not_before", "max_wait"],
        ),
        (
            Error::LeaseNotBegun { start_ms: 4321, wait_ns: 15_000_000_000, max_wait_ns: 17 },
            Kind::LeaseNotBegun,
            vec!["IDs may begin at 4321", "15 s", "allowed is 17 ns", "(max_wait)", "only if it was given by mistake"],
        ),
        (Error::LeaseExpired { end_ms: 4321 }, Kind::LeaseExpired, vec!["4321"]),
        (Error::LeaseNotRenewed { end_ms: 4322 }, Kind::LeaseExpired, vec!["4322", "store"]),
        (Error::LeaseClosed, Kind::LeaseLost, vec!["released or lost", "lost", "acquire"]),
        (
            Error::LeaseOfOther { scheme: "randflake", wanted: "snowflake" },
            Kind::NamespaceMismatch,
            vec!["is for IDs of randflake", "these of snowflake", "acquire"],
        ),
        (
            Error::RangeTurnsNegative { start_ms: 11, end_ms: 33, turn_ms: 22 },
            Kind::InvalidWindow,
            vec!["11", "22", "33", "one by one"],
        ),
        (Error::RangeEmpty { start_ms: 22, end_ms: 11 }, Kind::InvalidWindow, vec!["22", "11", "after the start"]),
        (Error::NotTimeOrdered { scheme: "randflake" }, Kind::NotTimeOrdered, vec!["randflake", "beside the ID"]),
        (
            Error::InvalidWindow { start: 11, end: 22, first: 33, last: 44 },
            Kind::InvalidWindow,
            vec!["[11, 22)", "33", "44"],
        ),
        (Error::NodeRequired { max: 1023 }, Kind::NodeRequired, vec!["1023", "node"]),
        (Error::NodeTwice, Kind::InvalidArgument, vec!["node", "nodes"]),
        (Error::NodeOutOfRange { node: -5, max: 1023 }, Kind::NodeOutOfRange, vec!["-5", "1023"]),
        (
            Error::NodeOutOfRange { node: 3, max: 0 },
            Kind::NodeOutOfRange,
            vec!["node 3", "scalability id", "leave it out"],
        ),
        (
            Error::NodeRangeInvalid { first: 5, end: 3, max: 1023, most: 256 },
            Kind::NodeOutOfRange,
            vec!["[5, 3)", "1023", "256"],
        ),
        (Error::ShardsOutOfRange { shards: 5, max: 4 }, Kind::NodeOutOfRange, vec!["5", "1 to 4"]),
        (Error::NodeInUse { first: 4, end: 9 }, Kind::NodeInUse, vec!["[4, 9)"]),
        (Error::NodeOfParent { first: 4, end: 9 }, Kind::NodeInUse, vec!["[4, 9)", "forked"]),
        (Error::Forked, Kind::Forked, vec!["fork", "parent"]),
        (
            Error::ClockJumped { ahead_ns: 86_400_000_000_000, max_jump_ns: 11_000_000_000 },
            Kind::ClockJumped,
            vec!["86400 s", "11 s", "max_jump"],
        ),
        (Error::StateInUse { path: Excerpt::end_of("orders.state") }, Kind::StateInUse, vec!["orders.state"]),
        (
            Error::StateMismatch {
                path: Excerpt::end_of("/var/lib/a-service-of-some-name/orders.state"),
                problem: StateProblem::OtherNodes { first: 4 },
            },
            Kind::StateMismatch,
            vec!["…\"", "orders.state\"", "from 4 on"],
        ),
        (
            Error::StateMismatch { path: Excerpt::end_of("a"), problem: StateProblem::Damaged },
            Kind::StateMismatch,
            vec!["damaged", "not_before"],
        ),
        (
            Error::StateMismatch { path: Excerpt::end_of("a"), problem: StateProblem::Empty },
            Kind::StateMismatch,
            vec!["empty", "delete it", "not_before"],
        ),
        (
            Error::StateMismatch { path: Excerpt::end_of("a"), problem: StateProblem::OtherFormat },
            Kind::StateMismatch,
            vec!["layout"],
        ),
        (
            Error::StateUnavailable { path: Excerpt::end_of("a"), os_error: 13 },
            Kind::StateUnavailable,
            vec!["\"a\"", "13"],
        ),
        (Error::SequenceOutOfRange { sequence: 4096, max: 4095 }, Kind::SequenceOutOfRange, vec!["4096", "4095"]),
        (Error::RollbackOutOfRange { rollback: 4, max: 3 }, Kind::RollbackOutOfRange, vec!["4", "0 to 3"]),
        (Error::CounterStart { start: -1 }, Kind::InvalidArgument, vec!["start at -1", "0 to 9223372036854775807"]),
        (Error::CounterStep { step: 0 }, Kind::InvalidArgument, vec!["step by 0", "1 to 9223372036854775807"]),
        // `OfMaker` can have any kind, and its message is that kind's.
        (
            Error::OfMaker { kind: Kind::LeaseExpired },
            Kind::LeaseExpired,
            vec!["the service could not issue IDs", "has ended"],
        ),
        (Error::CounterExhausted { step: 5 }, Kind::CounterExhausted, vec!["no number left", "9223372036854775807"]),
        (Error::UnknownRollback { name }, Kind::UnknownName, vec!["nobody", "hold", "error", "bits"]),
        (Error::UnknownScope { name }, Kind::UnknownName, vec!["nobody", "process", "machine"]),
        (Error::RandomOutOfRange { random: -1, max: 77 }, Kind::RandomOutOfRange, vec!["-1", "77"]),
        (
            Error::SequenceOutOfRangeWide { sequence: Wide::new(1 << 80), max: Wide::new((1 << 80) - 1) },
            Kind::SequenceOutOfRange,
            vec!["1208925819614629174706176", "0 to 1208925819614629174706175"],
        ),
        (
            Error::RandomOutOfRangeWide { random: Wide::new(u128::MAX), max: Wide::new(9) },
            Kind::RandomOutOfRange,
            vec!["340282366920938463463374607431768211455", "0 to 9"],
        ),
        (
            Error::NodePartOutOfRange { part: name, value: -1, bits: 5 },
            Kind::NodeOutOfRange,
            vec!["nobody", "-1", "0 to 31"],
        ),
        (Error::NodePartMissing { part: name }, Kind::InvalidArgument, vec!["nobody", "missing"]),
        (Error::NodePartTwice { part: name }, Kind::InvalidArgument, vec!["nobody", "twice"]),
        (Error::UnknownNodePart { name }, Kind::UnknownName, vec!["nobody", "part"]),
        (
            Error::InvalidLayout {
                reason: LayoutProblem::Text { position: 13, item: name, fault: LayoutFault::UnknownKind },
            },
            Kind::InvalidLayout,
            vec!["nobody", "position 13", "timestamp"],
        ),
        (saiban::scheme::not_an_id("snowflake"), Kind::IdOutOfRange, vec!["snowflake", "64-bit"]),
        (saiban::scheme::not_an_id("flake"), Kind::IdOutOfRange, vec!["flake", "layout"]),
        (saiban::scheme::not_an_id("ulid"), Kind::IdOutOfRange, vec!["ulid", "128 bits"]),
        (saiban::scheme::not_an_id("objectid"), Kind::IdOutOfRange, vec!["objectid", "96 bits"]),
        (saiban::scheme::not_an_id("tick-id"), Kind::IdOutOfRange, vec!["tick-id", "77 bits"]),
        (saiban::scheme::not_an_id("uuid-v7"), Kind::IdOutOfRange, vec!["uuid-v7", "RFC 9562", "128 bits"]),
        (Error::IdBytes { length: 9 }, Kind::InvalidArgument, vec!["9 bytes", "8", "12", "16"]),
        (Error::UuidOfVersion { version: 4, wanted: 7 }, Kind::IdOutOfRange, vec!["version 4", "version 7", "inspect"]),
        (Error::UuidOfVersion { version: 0, wanted: 1 }, Kind::IdOutOfRange, vec!["nil UUID", "version 1", "inspect"]),
        (Error::UuidOfVersion { version: 15, wanted: 4 }, Kind::IdOutOfRange, vec!["max UUID", "version 4", "inspect"]),
        (Error::InvalidSecret { length: 15 }, Kind::InvalidSecret, vec!["15 bytes", "16"]),
        (Error::InvalidSecretHex { length: 31 }, Kind::InvalidSecret, vec!["31", "32"]),
        (
            Error::InvalidLayout { reason: LayoutProblem::WidthSum { bits: 63 } },
            Kind::InvalidLayout,
            vec!["63", "16 to 128"],
        ),
        (Error::InvalidEntropySize { entropy_size: 4, max: 3 }, Kind::InvalidEntropySize, vec!["4", "1 to 3"]),
        (Error::EntropyUnavailable, Kind::EntropyUnavailable, vec!["no random bytes"]),
        (
            Error::TextLength { encoding: "crockford", length: 12, min: 13, max: 13 },
            Kind::TextLength,
            vec!["crockford", "12", "13"],
        ),
        (Error::TextLength { encoding: "hex", length: 17, min: 1, max: 16 }, Kind::TextLength, vec!["17", "1 to 16"]),
        (
            Error::TextCharacter { encoding: "base58", position: 7, character: 'é' },
            Kind::TextCharacter,
            vec!["base58", "7", "'é'"],
        ),
        (Error::TextOverflow { encoding: "base62" }, Kind::TextOverflow, vec!["base62", "64"]),
        (Error::TextNotCanonical { encoding: "hex", position: 3 }, Kind::TextNotCanonical, vec!["hex", "3"]),
        (
            Error::TextNearly { form: TextForm::Ulid, fault: TextFault::Length { length: 27 } },
            Kind::TextLength,
            vec!["a ULID", "27", "26"],
        ),
        (
            Error::TextNearly {
                form: TextForm::HyphenatedUuid,
                fault: TextFault::Group { group: 3, position: 14, length: 5, wanted: 4 },
            },
            Kind::TextLength,
            vec!["a UUID", "group 3", "position 14", "5 digits", "give 4"],
        ),
        (
            Error::TextNearly { form: TextForm::ObjectId, fault: TextFault::Character { position: 9, character: 'g' } },
            Kind::TextCharacter,
            vec!["an ObjectId", "'g'", "9", "24 hexadecimal"],
        ),
        (
            Error::TextNearly { form: TextForm::Decimal, fault: TextFault::Zeros { position: 1 } },
            Kind::TextNotCanonical,
            vec!["a decimal number", "zeros", "position 1"],
        ),
        (
            Error::TextNearly { form: TextForm::Decimal, fault: TextFault::OutOfRange },
            Kind::TextOverflow,
            vec!["decimal", "-9223372036854775808", "340282366920938463463374607431768211455"],
        ),
        (
            Error::TextNearly { form: TextForm::UlidFlake, fault: TextFault::OutOfRange },
            Kind::TextOverflow,
            vec!["a Ulid-Flake", "7ZZZZZZZZZZZZ"],
        ),
        (
            Error::TextOfNoForm { length: 9, odd: Some((4, '!')) },
            Kind::TextCharacter,
            vec!["'!'", "position 4", "36", "26", "24", "13"],
        ),
        (Error::TextOfNoForm { length: 57, odd: None }, Kind::TextLength, vec!["57", "39 digits", "23 or 24"]),
        (Error::TextOfNoForm { length: 0, odd: None }, Kind::TextLength, vec!["no text"]),
        (
            Error::WidthOutOfRange { encoding: "hex", width: 17, min: 1, max: 16 },
            Kind::WidthOutOfRange,
            vec!["hex", "17", "16"],
        ),
        (Error::WidthTooSmall { encoding: "hex", width: 2, needed: 5 }, Kind::WidthOutOfRange, vec!["hex", "2", "5"]),
        (Error::WidthNegative { encoding: "decimal" }, Kind::WidthOutOfRange, vec!["decimal", "negative"]),
        (Error::UnknownEncoding { name }, Kind::UnknownName, vec!["nobody", "base64url"]),
        (Scheme::from_name("nobody").expect_err("no scheme"), Kind::UnknownName, vec!["nobody", "ulid-flake"]),
        (Error::UnknownLayout { name, known: &"sonyflake_v2" }, Kind::UnknownName, vec!["nobody", "sonyflake_v2"]),
        (Error::UnknownField { name }, Kind::UnknownName, vec!["nobody", "timestamp"]),
        (Error::BufferTooSmall { length: 12, needed: 14 }, Kind::BufferTooSmall, vec!["12", "14"]),
        (Error::InvalidArgument { what: "this and that" }, Kind::InvalidArgument, vec!["this and that"]),
        (
            Error::OptionNotTaken { scheme: "ulid", option: "shards", why: OptionProblem::NotItsOwn },
            Kind::InvalidArgument,
            vec!["ulid", "shards", "leave it out"],
        ),
        (
            Error::OptionMissing { scheme: "randflake", option: "secret" },
            Kind::InvalidArgument,
            vec!["randflake", "give secret"],
        ),
        (
            Error::OptionMissing { scheme: "flake", option: "layout" },
            Kind::InvalidArgument,
            vec!["flake", "give layout", "timestamp:41"],
        ),
        (
            Error::PartNotTaken { scheme: "ulid", part: "node" },
            Kind::InvalidArgument,
            vec!["ulid", "node", "leave it out"],
        ),
        (
            Error::PartMissing { scheme: "ulid", part: "random" },
            Kind::InvalidArgument,
            vec!["ulid", "random", "give it"],
        ),
        (
            Error::WidthOutOfRange { encoding: "base64url", width: 17, min: 22, max: 22 },
            Kind::WidthOutOfRange,
            vec!["base64url", "17", "give 22,"],
        ),
        (Error::BitsOutOfRange { bits: 129, min: 16, max: 128 }, Kind::InvalidArgument, vec!["129", "16 to 128"]),
        (Error::IdTooWide { needed: 97, bits: 96 }, Kind::IdOutOfRange, vec!["97 bits", "below 2^96"]),
        (Error::WideTextOverflow { encoding: "crockford", bits: 96 }, Kind::TextOverflow, vec!["crockford", "96 bits"]),
        (Error::UuidLength { length: 33 }, Kind::TextLength, vec!["33", "36", "32", "38", "45"]),
        (Error::UnknownTickOrder { name }, Kind::UnknownName, vec!["nobody", "ascending", "descending"]),
        (Error::UnknownUuidForm { name }, Kind::UnknownName, vec!["nobody", "hyphenated", "simple", "braced", "urn"]),
    ]
}

#[test]
fn every_message_has_the_given_value_and_the_limits() {
    for (error, kind, words) in errors() {
        assert_eq!(error.kind(), kind);
        let message = error.to_string();
        for word in words {
            assert!(message.contains(word), "{message:?} lacks {word:?}");
        }
        assert!(!message.contains('\n') && message.len() < 400, "{message:?}");
    }
}

#[test]
fn every_kind_of_the_core_has_an_error() {
    for kind in ErrorKind::ALL {
        // Only bindings return these kinds: those of languages without static types, and those that
        // catch panics.
        let of_bindings = matches!(kind, ErrorKind::WrongType | ErrorKind::Internal);
        // Only coordination returns these kinds, since the core has no stores.
        let of_stores = matches!(
            kind,
            ErrorKind::StoreUnavailable
                | ErrorKind::StoreCorrupt
                | ErrorKind::StoreUnsupported
                | ErrorKind::NamespaceUnknown
                | ErrorKind::NamespaceFull
                | ErrorKind::NamespaceQuarantined
                | ErrorKind::ClockSkew
                | ErrorKind::CounterUnknown
                | ErrorKind::CounterMismatch
                | ErrorKind::CounterBehind
        );
        assert_eq!(errors().iter().any(|(_, of, _)| of == kind), !of_bindings && !of_stores, "{kind}");
    }
}

#[test]
fn every_problem_of_a_layout_has_a_distinct_message() {
    let problems = [
        LayoutProblem::TooManyFields,
        LayoutProblem::FieldWidth { part: Excerpt::new("node"), bits: 0, max: 63 },
        LayoutProblem::WidthSum { bits: 129 },
        LayoutProblem::NoTimestamp,
        LayoutProblem::FieldTwice { part: Excerpt::new("sequence") },
        LayoutProblem::NodeTwice { part: Excerpt::new("node") },
        LayoutProblem::NodeApart { part: Excerpt::new("node.rack") },
        LayoutProblem::SequenceAndRandom,
        LayoutProblem::NameInvalid { name: Excerpt::new("Rack") },
        LayoutProblem::TooManyNames,
        LayoutProblem::NotOfThisField { part: Excerpt::new("node"), key: FieldKey::Name },
        LayoutProblem::NotOfThisField { part: Excerpt::new("node"), key: FieldKey::Value },
        LayoutProblem::NotOfThisField { part: Excerpt::new("node"), key: FieldKey::Step },
        LayoutProblem::NotOfThisField { part: Excerpt::new("node"), key: FieldKey::Start },
        LayoutProblem::ConstantTooLarge { bits: 2, value: Wide::new(4) },
        LayoutProblem::StepOutOfRange { bits: 4, step: Wide::new(16) },
        LayoutProblem::Negative { part: Excerpt::new("random"), key: FieldKey::Step, number: -1 },
        LayoutProblem::StartInvalid { start: Excerpt::new("anywhere") },
        LayoutProblem::TooWideFor64 { bits: 65 },
        LayoutProblem::RollbackTooWide { bits: 5, max: 4 },
        LayoutProblem::TooNarrowForRollback { part: Excerpt::new("node"), bits: 5 },
        LayoutProblem::NothingForRollback,
        LayoutProblem::NoRollback,
        LayoutProblem::JsonEnd { line: 1, column: 2 },
        LayoutProblem::JsonSyntax { line: 1, column: 2, item: Excerpt::new("}") },
        LayoutProblem::Json { place: JsonPlace::default(), key: JsonKey::Layout, found: JsonFound::List },
        LayoutProblem::JsonKey {
            place: JsonPlace::default(),
            key: Excerpt::new("epoch"),
            fault: LayoutFault::UnknownKey,
        },
        LayoutProblem::PositionTooWide { bits: 64 },
        LayoutProblem::ZeroTick,
        LayoutProblem::TimeTooLong,
        LayoutProblem::NotASnowflake,
    ];
    let mut messages: Vec<String> = problems.iter().map(|reason| reason.to_string()).collect();
    messages.sort();
    assert!(messages.windows(2).all(|pair| pair[0] != pair[1]) && messages.iter().all(|words| words.len() > 10));
}

#[test]
fn only_errors_in_a_text_have_a_position() {
    for (error, _, _) in errors() {
        let wanted = match error {
            Error::TextCharacter { position, .. }
            | Error::TextNotCanonical { position, .. }
            | Error::TextNearly {
                fault: TextFault::Character { position, .. } | TextFault::Zeros { position }, ..
            }
            | Error::TextOfNoForm { odd: Some((position, _)), .. } => Some(position),
            Error::InvalidLayout { reason: LayoutProblem::Text { position, .. } } => Some(position as usize),
            _ => None,
        };
        assert_eq!(error.position(), wanted);
    }
}

#[test]
fn an_unknown_name_is_shown_shortened() {
    let long = "é".repeat(10_000);
    let message = Error::UnknownEncoding { name: Excerpt::new(&long) }.to_string();
    assert!(message.contains("ééé") && message.contains('…') && message.len() < 400, "{message}");
    let message = Scheme::from_name("a\nb\u{1b}[31m").expect_err("no scheme").to_string();
    assert!(!message.contains(['\n', '\u{1b}']), "control characters are escaped: {message:?}");
}

#[test]
fn a_number_that_no_integer_holds_is_shown_as_it_was_written() {
    let digits = format!("1{}", "0".repeat(60));
    let shown =
        |error: Error, name: &str, digits: &str| error.with_numbers(&[("other", "5"), (name, digits)]).to_string();
    let random = Error::RandomOutOfRangeWide { random: Wide::new(u128::MAX), max: Wide::new(7) };
    assert_eq!(shown(random, "random", "-5"), "random part -5 is out of range: this layout has 0 to 7");
    let sequence = Error::SequenceOutOfRange { sequence: i64::MAX, max: 7 };
    assert_eq!(
        shown(sequence, "sequence", &digits),
        "sequence 100000000000000000000000… (61 characters) is out of range: this layout has 0 to 7"
    );
    let named: [(Error, &str); 19] = [
        (Error::ClockOutOfRange { timestamp_ms: i64::MAX }, "timestamp_ms"),
        (Error::ClockOutOfRange { timestamp_ms: i64::MAX }, "delta_ms"),
        (Error::TimestampBeforeEpoch { timestamp_ms: i64::MIN, epoch_ms: 0 }, "timestamp_ms"),
        (Error::TimestampBeforeEpoch { timestamp_ms: i64::MIN, epoch_ms: 0 }, "end"),
        (Error::TimestampOverflow { timestamp_ms: i64::MAX, last_ms: 0 }, "timestamp_ms"),
        (Error::TimestampOverflow { timestamp_ms: i64::MAX, last_ms: 0 }, "start"),
        (Error::RangeEmpty { start_ms: i64::MAX, end_ms: 0 }, "start"),
        (Error::RangeEmpty { start_ms: 0, end_ms: i64::MIN }, "end"),
        (Error::InvalidWindow { start: i64::MIN, end: 0, first: 0, last: 0 }, "the window's start"),
        (Error::InvalidWindow { start: 0, end: i64::MAX, first: 0, last: 0 }, "the window's end"),
        (Error::InvalidWindow { start: i64::MAX, end: 0, first: 0, last: 0 }, "not_before"),
        (Error::NodeOutOfRange { node: i64::MAX, max: 31 }, "scalability"),
        (Error::NodePartOutOfRange { part: Excerpt::new("rack"), value: i64::MAX, bits: 5 }, "a part of the node"),
        (Error::NodeRangeInvalid { first: i64::MIN, end: 0, max: 9, most: 9 }, "the first of nodes"),
        (Error::NodeRangeInvalid { first: 0, end: i64::MAX, max: 9, most: 9 }, "the end of nodes"),
        (Error::ShardsOutOfRange { shards: i64::MAX, max: 9 }, "shards"),
        (Error::InvalidEntropySize { entropy_size: i64::MAX, max: 3 }, "entropy_size"),
        (Error::WidthOutOfRange { encoding: "hex", width: i64::MAX, min: 1, max: 16 }, "width"),
        (Error::BitsOutOfRange { bits: u32::MAX, min: 16, max: 128 }, "bits"),
    ];
    for (error, name) in named {
        let message = shown(error, name, "99999999999999999999");
        assert!(message.contains("99999999999999999999"), "{message}");
        for held in [i64::MAX.to_string(), i64::MIN.to_string(), u32::MAX.to_string()] {
            assert!(!message.contains(&held), "{message}");
        }
    }
}

#[test]
fn a_step_of_a_clock_is_not_shown_as_a_time() {
    let error = Error::ClockOutOfRange { timestamp_ms: i64::MAX };
    let message = error.with_numbers(&[("delta_ms", "1180591620717411303424")]).to_string();
    assert_eq!(
        message,
        "a clock cannot be moved by 1180591620717411303424 ms: it shows Unix times of 0 to 18446744073709 ms"
    );
}

#[test]
fn a_layout_that_no_snowflake_can_have_is_not_called_impossible() {
    let message = Error::InvalidLayout { reason: LayoutProblem::NotASnowflake }.to_string();
    assert!(!message.contains("not possible"), "{message}");
}

#[test]
fn errors_are_small_and_can_be_sent() {
    fn is_error<E: std::error::Error + Send + Sync + Copy + 'static>() {}
    is_error::<Error>();
    assert!(size_of::<Error>() <= 48, "{}", size_of::<Error>());
}
