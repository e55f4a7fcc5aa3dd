//! Text that is almost an ID: the result names the format and the fault.

use saiban::inspect::near_miss;
use saiban::{ErrorKind, Inspector};

const NOW_MS: i64 = 1_763_700_000_000;

#[test]
fn the_error_of_text_that_is_nearly_an_id_names_the_fault() {
    let inspector = Inspector::at(NOW_MS);
    let examples = [
        (
            "8ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            ErrorKind::TextOverflow,
            None,
            "a ULID, but is out of range: give one up to 7ZZZ",
        ),
        // This is a Randflake ID's text, with letters that Ulid-Flake lacks.
        ("3vgoe12ccb8g!", ErrorKind::TextCharacter, Some(12), "'!' (position 12"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAVX", ErrorKind::TextLength, None, "a ULID, but has 27 characters: give 26"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAU", ErrorKind::TextCharacter, Some(25), "a ULID, but has 'U' at position 25"),
        (
            "017f22e2-79b0-7cc-98c4-dc0c0c07398f",
            ErrorKind::TextLength,
            None,
            "position 14 (counted from 0) on, has 3 digits: give 4",
        ),
        (
            "017f22e2-79b0-7cc398c4-dc0c0c07398f",
            ErrorKind::TextLength,
            None,
            "a UUID, but its group 3, from position 14",
        ),
        ("017f22e2-79b0-7cc3-98c4", ErrorKind::TextLength, None, "a UUID, but has 23 characters"),
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f-", ErrorKind::TextLength, None, "a UUID, but has 37 characters"),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f", ErrorKind::TextLength, None, "in braces, but has 37 characters"),
        ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", ErrorKind::TextCharacter, Some(0), "in braces, but has '0'"),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398x}", ErrorKind::TextCharacter, Some(36), "in braces, but has 'x'"),
        (
            "urn:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c0739",
            ErrorKind::TextLength,
            None,
            "from position 33 (counted from 0) on",
        ),
        ("urn:guid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f", ErrorKind::TextCharacter, Some(4), "as a URN, but has 'g'"),
        ("017f22e279b07cc398c4dc0c0c07398ff", ErrorKind::TextLength, None, "without hyphens, but has 33 characters"),
        ("0638996712000000000_04", ErrorKind::TextLength, None, "a tick ID, but has 22 characters"),
        ("063899671200000000_0042", ErrorKind::TextCharacter, Some(18), "a tick ID, but has '_' at position 18"),
        ("9223372036854775808_0042", ErrorKind::TextOverflow, None, "up to 9223372036854775807 before the _"),
        ("-9223372036854775809", ErrorKind::TextOverflow, None, "one from -9223372036854775808 to 3402823669209384634"),
        (
            "340282366920938463463374607431768211456",
            ErrorKind::TextOverflow,
            None,
            "a decimal number, but is out of range",
        ),
        ("-0175928847299117063", ErrorKind::TextNotCanonical, Some(1), "zeros in front, from position 1"),
        ("175928847299117063,", ErrorKind::TextCharacter, Some(18), "a decimal number, but has ','"),
        ("0x017f22e279b07cc398c4dc0c0c07398ff", ErrorKind::TextLength, None, "hexadecimal, but has 35 characters"),
        (" 175928847299117063", ErrorKind::TextCharacter, Some(0), "a decimal number, but has ' ' at position 0"),
        ("017f22e2-79b0 -7cc3-98c4-dc0c0c07398f", ErrorKind::TextCharacter, Some(13), "a UUID, but has ' '"),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV\u{a0}", ErrorKind::TextCharacter, Some(26), "a ULID, but has '\\u{a0}'"),
        ("nobody's", ErrorKind::TextCharacter, Some(6), "no ID has the character '\\''"),
        (
            "",
            ErrorKind::TextLength,
            None,
            "there is no text: give a decimal number (1 to 39 digits), a UUID (36 characters",
        ),
    ];
    for (text, kind, position, words) in examples {
        let error = inspector.inspect_text(text).expect_err("no ID");
        assert_eq!((error.kind(), error.position()), (kind, position), "{text}: {error}");
        assert!(error.to_string().contains(words), "{text}: {error}");
        let nearly = near_miss(text);
        assert!(
            nearly.is_none_or(|nearly| nearly == error) && nearly.is_some() != error.to_string().contains("(23 or 24)")
        );
    }
    let nothing = inspector.inspect_text(&"zz-".repeat(19)).expect_err("no ID").to_string();
    assert!(nothing.starts_with("the text of 57 characters is not an ID: give"), "{nothing}");
}

#[test]
fn text_that_some_encoding_reads_as_a_number_may_be_nearly_an_id() {
    for (text, words) in [
        ("01ARZ3NDEKTSV4RRFFQ69G5FA", "a ULID, but has 25 characters"),
        ("507f191e810c19729de860e", "an ObjectId, but has 23 characters"),
        ("507f191e810c19729de860eg", "an ObjectId, but has 'g' at position 23"),
        ("017f22e279b07cc398c4dc0c0c07398", "a UUID without hyphens, but has 31 characters"),
        ("00CMXB6TAK4SO", "a Ulid-Flake, but has 'O' at position 12"),
        ("GZZZZZZZZZZZZ", "a Ulid-Flake, but is out of range: give one up to 7ZZZZZZZZZZZZ"),
        ("0175928847299117063", "a decimal number, but has zeros in front, from position 0"),
    ] {
        assert!(Inspector::at(NOW_MS).inspect_text(text).is_ok(), "{text} is a number in some encoding");
        let error = near_miss(text).expect("nearly an ID");
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
    let ids = [
        "175928847299117063",
        "-1",
        "0",
        "340282366920938463463374607431768211455",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "00cmxb6tak4sa",
        "fphhelk04q8f8",
        "507f191e810c19729de860ea",
        "017F22E2-79B0-7CC3-98C4-DC0C0C07398F",
        "{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}",
        "URN:uuid:017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "017f22e279b07cc398c4dc0c0c07398f",
        "0638996712000000000_0042",
        "8584375324854775807_042",
        "0x271052C0DC21007",
        "0000000000000",
        "012345678901234567890123",
        "01234567890123456789012345",
        "01234567890123456789012345678901",
    ];
    for text in ids.into_iter().chain(["hello", "V1StGXR8_Z5jdHi6B-myT", "two words", "2026-11-21"]) {
        assert_eq!(near_miss(text), None, "{text}");
    }
}
