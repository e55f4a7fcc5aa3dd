//! A secret never appears in Debug output, in messages, or in values made with it.

use saiban::cipher::Sparx64;
use saiban::{ErrorKind, Inspector, ManualClock, Options, RandflakeGenerator, Secret};

/// Bytes that are recognised in any form: hexadecimal digits, decimal numbers or characters.
const BYTES: [u8; 16] = *b"\xc0\xff\xee\xc0\xff\xee\xc0\xff\xee\xc0\xff\xee\xc0\xff\xee\xc0";
const SHOWN: [&str; 6] = ["c0ff", "C0FF", "192, 255", "49407", "0xc0", "Àÿî"];

fn check(shown: &str) {
    for part in SHOWN {
        assert!(!shown.contains(part), "{shown} shows {part}");
    }
}

#[test]
fn debug_shows_no_secret() {
    let secret = Secret::new(BYTES);
    let clock = ManualClock::new(1_763_700_000_000).expect("a time");
    let ids = RandflakeGenerator::build(&secret, &Options::node(1), &clock).expect("a generator");
    let inspector = Inspector::at(0).secret(&secret).expect("one secret");
    for shown in
        [format!("{secret:?}"), format!("{ids:?}"), format!("{inspector:?}"), format!("{:?}", Sparx64::new(&secret))]
    {
        check(&shown);
        let pretty: String = shown.split_whitespace().collect();
        check(&pretty);
    }
    check(&format!("{secret:#?} {ids:#?} {inspector:#?}"));
}

#[test]
fn debug_shows_no_key_schedule() {
    // Two secrets have equal output, so none of it depends on the secret.
    let shown = |byte| format!("{:?} {:?}", Sparx64::new(&Secret::new([byte; 16])), Secret::new([byte; 16]));
    assert_eq!(shown(0x11), shown(0x7e));
    let clock = ManualClock::new(1_763_700_000_000).expect("a time");
    let generator = |byte| {
        let ids = RandflakeGenerator::build(&Secret::new([byte; 16]), &Options::node(1), &clock).expect("a generator");
        format!("{ids:?}")
    };
    assert_eq!(generator(0x11), generator(0x7e));
}

#[test]
fn messages_about_secrets_do_not_repeat_them() {
    let error = Secret::from_slice(&BYTES[..15]).expect_err("too short");
    assert_eq!(error.kind(), ErrorKind::InvalidSecret);
    check(&format!("{error} {error:?}"));
    for text in [
        "c0ffeec0ffeec0ffeec0ffeec0ffeec",
        "c0ffeec0ffeec0ffeec0ffeec0ffeec0f",
        "c0ffeec0ffeec0ffeec0ffeec0ffee!0",
        "",
        "é",
    ] {
        let error = Secret::from_hex(text).expect_err("no 32 digits");
        assert_eq!(error.kind(), ErrorKind::InvalidSecret);
        check(&format!("{error} {error:?}"));
    }
    // 32 bytes, but only 16 characters: decoding must not panic inside a character.
    assert!(Secret::from_hex(&"é".repeat(16)).is_err());
}

#[test]
fn a_secret_of_hexadecimal_digits_is_its_bytes() {
    let secret = Secret::from_hex("C0ffEEc0ffeec0ffeec0ffeec0ffeec0").expect("a secret");
    assert_eq!(*secret.expose(), BYTES);
    assert_eq!(*Secret::from_slice(&BYTES).expect("a secret").expose(), BYTES);
    for length in [0, 1, 15, 17, 32] {
        assert!(Secret::from_slice(&vec![7; length]).is_err());
    }
}
