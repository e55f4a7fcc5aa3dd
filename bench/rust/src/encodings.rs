//! IDs of 64 bits as text: encoding into buffers, and decoding.

use crate::failure::Failure;
use crate::rounds::{Case, SAIBAN, case, made};
use data_encoding::BASE32HEX_NOPAD;
use ferroid::base32::Base32SnowExt;
use ferroid::id::SnowflakeTwitterId;
use saiban::Encoding;
use std::cell::Cell;

/// Returns a function whose numbers differ from turn to turn.
fn numbers() -> impl Fn() -> i64 {
    let next = Cell::new(1_741_610_183_685_074_945_i64);
    move || {
        next.set(next.get().wrapping_add(0x1234_5678_9abc) & i64::MAX);
        next.get()
    }
}

pub fn cases() -> Result<Vec<Case>, Failure> {
    let mut cases = crockford();
    cases.extend(base62());
    let ids: Vec<i64> = std::iter::repeat_with(numbers()).take(1_024).collect();
    let (other, mut texts, mut more) = (ids.clone(), vec![0; 13 * 1_024], vec![0; 11 * 1_024]);
    cases.push(case("rust.crockford64.encode_all", SAIBAN, 1_024, move || {
        made(Encoding::CROCKFORD.encode_all_into(&ids, 13, &mut texts))
    }));
    cases.push(case("rust.base62.encode_all", SAIBAN, 1_024, move || {
        made(Encoding::BASE62.encode_all_into(&other, 11, &mut more))
    }));
    Ok(cases)
}

fn crockford() -> Vec<Case> {
    const PATH: &str = "rust.crockford64.encode";
    const BACK: &str = "rust.crockford64.decode";
    let [a, b, c, d] = [(); 4].map(|()| numbers());
    let (mut buffer, mut theirs, mut hex, mut fast) =
        ([0; 13], SnowflakeTwitterId::base32_array(), [0; 13], Vec::with_capacity(13));
    let text = Encoding::CROCKFORD.encode(a()).as_str().to_owned();
    let texts = [(); 3].map(|()| text.clone());
    let [one, two, three] = texts;
    let hex_text = BASE32HEX_NOPAD.encode(&a().to_be_bytes());
    let mut decoded = [0; 8];
    vec![
        case(PATH, SAIBAN, 1, move || {
            let written = made(Encoding::CROCKFORD.encode_into(a(), None, &mut buffer));
            (written, buffer[0])
        }),
        case(PATH, "ferroid", 1, move || {
            let id = SnowflakeTwitterId::from_raw(b() as u64);
            id.encode_to_buf(&mut theirs).as_str().as_bytes()[0]
        }),
        case(PATH, "fast32", 1, move || {
            fast.clear();
            fast32::base32::CROCKFORD.encode_u64_into(c() as u64, &mut fast);
            fast[0]
        }),
        case(PATH, "data-encoding, base32hex", 1, move || {
            BASE32HEX_NOPAD.encode_mut(&d().to_be_bytes(), &mut hex);
            hex[0]
        }),
        case(BACK, SAIBAN, 1, move || made(Encoding::CROCKFORD.decode(std::hint::black_box(&one)))),
        case(BACK, "ferroid", 1, move || made(SnowflakeTwitterId::decode(std::hint::black_box(&two)))),
        case(BACK, "fast32", 1, move || fast32::base32::CROCKFORD.decode_u64(std::hint::black_box(three.as_bytes()))),
        case(BACK, "data-encoding, base32hex", 1, move || {
            BASE32HEX_NOPAD.decode_mut(std::hint::black_box(hex_text.as_bytes()), &mut decoded).is_ok()
        }),
    ]
}

fn base62() -> Vec<Case> {
    let [a, b] = [(); 2].map(|()| numbers());
    let (mut buffer, mut theirs) = ([0; 11], [0; 22]);
    let text = Encoding::BASE62.encode(a()).as_str().to_owned();
    let other = text.clone();
    vec![
        case("rust.base62.encode", SAIBAN, 1, move || {
            let written = made(Encoding::BASE62.encode_into(a(), None, &mut buffer));
            (written, buffer[0])
        }),
        case("rust.base62.encode", "base62", 1, move || {
            let written = made(base62::encode_bytes(b() as u64, &mut theirs));
            (written, theirs[0])
        }),
        case("rust.base62.decode", SAIBAN, 1, move || made(Encoding::BASE62.decode(std::hint::black_box(&text)))),
        case("rust.base62.decode", "base62", 1, move || made(base62::decode(std::hint::black_box(&other)))),
    ]
}
