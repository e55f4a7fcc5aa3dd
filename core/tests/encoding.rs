//! Encodings: every number has one text, which decodes to that number, and every other text is
//! refused with the position of its fault.

mod dice;

use dice::Dice;
use saiban::{Encoding, Error, ErrorKind, Leniency};

/// The alphabets, written a second time to detect a mistake in the library's.
const DIGITS: [(&str, &str); 9] = [
    ("decimal", "0123456789"),
    ("hex", "0123456789abcdef"),
    ("binary", "01"),
    ("crockford", "0123456789ABCDEFGHJKMNPQRSTVWXYZ"),
    ("base32hex", "0123456789abcdefghijklmnopqrstuv"),
    ("base36", "0123456789abcdefghijklmnopqrstuvwxyz"),
    ("base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"),
    ("base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
    ("base64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"),
];

fn encodings() -> impl Iterator<Item = (Encoding, &'static str)> {
    DIGITS.into_iter().map(|(name, digits)| (Encoding::from_name(name).expect("an encoding"), digits))
}

/// Returns limits, powers of two with their neighbours, and numbers of every size.
fn values() -> Vec<i64> {
    let mut all =
        vec![0, 1, -1, 2, 9, 10, 31, 32, 57, 58, 61, 62, 63, 64, i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1];
    for bit in 0..64 {
        let one = 1_i64 << bit;
        all.extend([one, one.wrapping_sub(1), one.wrapping_neg()]);
    }
    let mut dice = Dice::new(5);
    all.extend((0..3_000).map(|_| dice.any_size()));
    all
}

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

#[test]
fn every_encoding_is_in_the_table_above() {
    assert_eq!(Encoding::ALL.map(|encoding| encoding.name()), DIGITS.map(|(name, _)| name));
    assert_eq!(kind(Encoding::from_name("Hex")), Some(ErrorKind::UnknownName));
    assert_eq!(kind(Encoding::from_name("")), Some(ErrorKind::UnknownName));
}

#[test]
fn digits_are_the_numbers_digits_highest_first() {
    for (encoding, digits) in encodings().filter(|(encoding, _)| encoding.name() != "base64url") {
        let base = digits.len() as u128;
        for value in values() {
            let text = encoding.encode(value);
            let unsigned = text.strip_prefix('-').unwrap_or(&text);
            let number = unsigned.chars().fold(0, |number, character| {
                number * base + digits.find(character).expect("a digit of the alphabet") as u128
            });
            let wanted = if encoding == Encoding::DECIMAL { value.unsigned_abs() } else { value as u64 };
            assert_eq!(number, u128::from(wanted), "{} {value}", encoding.name());
        }
    }
}

#[test]
fn base64url_is_that_of_the_eight_bytes() {
    // RFC 4648, section 10, concatenated: "foobar" and two more bytes.
    assert_eq!(Encoding::BASE64URL.encode(i64::from_be_bytes(*b"foobar\0\0")).as_str(), "Zm9vYmFyAAA");
    assert_eq!(Encoding::BASE64URL.encode(-1).as_str(), "__________8");
    assert_eq!(Encoding::BASE64URL.encode(i64::from_be_bytes(*b"\xfb\xff\xbf\0\0\0\0\0")).as_str(), "-_-_AAAAAAA");
}

#[test]
fn the_default_text_round_trips() {
    for (encoding, _) in encodings() {
        for value in values() {
            let text = encoding.encode(value);
            assert_eq!(encoding.decode(&text), Ok(value), "{} {text}", encoding.name());
            for leniency in [Leniency::AnyCase, Leniency::Lenient] {
                assert_eq!(encoding.decode_as(&text, None, leniency), Ok(value), "{} {text}", encoding.name());
            }
        }
    }
}

#[test]
fn text_of_any_width_round_trips_and_has_that_width() {
    for (encoding, _) in encodings() {
        let full = encoding.full_width();
        for value in values().into_iter().filter(|value| encoding != Encoding::DECIMAL || *value >= 0) {
            let least = if encoding == Encoding::BASE64URL { full } else { 1 };
            for width in least..=full {
                match encoding.encode_width(value, width as i64) {
                    Ok(text) => {
                        assert_eq!(text.len(), width);
                        assert_eq!(encoding.decode_as(&text, Some(width as i64), Leniency::Strict), Ok(value));
                    }
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::WidthOutOfRange);
                        assert!(encoding.encode(value).trim_start_matches('0').len() > width, "{value} has {width}");
                    }
                }
            }
        }
    }
}

#[test]
fn text_of_the_full_width_sorts_as_the_unsigned_numbers() {
    let mut numbers: Vec<u64> = values().into_iter().map(|value| value as u64).collect();
    numbers.sort_unstable();
    for (encoding, digits) in encodings() {
        if !digits.as_bytes().is_sorted() {
            assert_eq!(encoding.name(), "base64url", "all the others sort");
            continue;
        }
        // Decimal is signed, and has no fixed width for negative numbers.
        let fits = |number: &&u64| encoding != Encoding::DECIMAL || **number <= i64::MAX as u64;
        let texts: Vec<String> = numbers
            .iter()
            .filter(fits)
            .map(|number| {
                encoding.encode_width(*number as i64, encoding.full_width() as i64).expect("a text").to_string()
            })
            .collect();
        assert!(texts.is_sorted(), "{}", encoding.name());
    }
}

#[test]
fn widths_that_an_encoding_lacks_are_refused() {
    for (encoding, _) in encodings() {
        for width in [i64::MIN, -1, 0, encoding.full_width() as i64 + 1, i64::MAX] {
            assert_eq!(kind(encoding.encode_width(1, width)), Some(ErrorKind::WidthOutOfRange));
            assert_eq!(kind(encoding.decode_as("1", Some(width), Leniency::Lenient)), Some(ErrorKind::WidthOutOfRange));
        }
    }
    assert_eq!(kind(Encoding::BASE64URL.encode_width(1, 10)), Some(ErrorKind::WidthOutOfRange));
    assert_eq!(kind(Encoding::DECIMAL.encode_width(-1, 20)), Some(ErrorKind::WidthOutOfRange));
}

#[test]
fn a_bad_character_is_named_wherever_it_stands() {
    for (encoding, _) in encodings() {
        for value in [0x5a1b_5a1b_5a1b_5a1b, -1, 12_345, i64::MIN] {
            let good = encoding.encode(value);
            let sign = usize::from(good.starts_with('-'));
            for position in sign..good.len() {
                for bad in ['!', ' ', '\0', '~', 'é', '\u{fffd}', '😀', '\u{7f}'] {
                    let text = format!("{}{bad}{}", &good[..position], &good[position + 1..]);
                    for leniency in [Leniency::Strict, Leniency::AnyCase, Leniency::Lenient] {
                        let error = encoding.decode_as(&text, None, leniency).expect_err("a bad character");
                        assert_eq!(error.kind(), ErrorKind::TextCharacter, "{} {text:?}", encoding.name());
                        assert_eq!(error.position(), Some(position), "{} {text:?}", encoding.name());
                        let Error::TextCharacter { character, .. } = error else { panic!("{error}") };
                        assert_eq!(character, bad);
                    }
                }
            }
        }
    }
}

/// Full-width text of 32, 58 or 62 digits has its own path, which returns the number or reports the
/// first invalid character.
#[test]
fn every_character_at_every_place_is_read_or_named() {
    for (encoding, digits) in encodings().filter(|(_, digits)| [32, 58, 62].contains(&digits.len())) {
        let (base, any_case) = (digits.len() as u128, digits.len() == 32);
        for value in [0x7a1b_5c3d_9e2f_4a6b, -1, i64::MIN] {
            let good = encoding.encode(value);
            assert_eq!(good.len(), encoding.full_width());
            for (position, character) in
                (0..good.len()).flat_map(|place| ('\0'..='\u{7f}').map(move |one| (place, one)))
            {
                let text = format!("{}{character}{}", &good[..position], &good[position + 1..]);
                let number = text.chars().try_fold(0, |number, one| Some(number * base + digits.find(one)? as u128));
                let other_case = |digit: char| any_case && digit.eq_ignore_ascii_case(&character);
                let zero = position == 0 && digits.starts_with(character) && encoding != Encoding::CROCKFORD;
                let (name, read) = (encoding.name(), encoding.decode(&text));
                match number.map(u64::try_from) {
                    _ if zero => assert_eq!(read, Err(Error::TextNotCanonical { encoding: name, position })),
                    Some(Ok(number)) => assert_eq!(read, Ok(number as i64), "{name} {text:?}"),
                    Some(Err(_)) => assert_eq!(read, Err(Error::TextOverflow { encoding: name }), "{name} {text:?}"),
                    None if digits.chars().any(other_case) => {
                        assert_eq!(read, Err(Error::TextNotCanonical { encoding: name, position }), "{name} {text:?}");
                    }
                    None => {
                        let error = Error::TextCharacter { encoding: name, position, character };
                        assert_eq!(read, Err(error), "{name} {text:?}");
                    }
                }
            }
            // `é` replaces two digits: the text has as many bytes, but one character fewer.
            for position in 0..good.len() - 1 {
                let text = format!("{}é{}", &good[..position], &good[position + 2..]);
                let wanted = if encoding == Encoding::CROCKFORD { None } else { Some(position) };
                assert_eq!(encoding.decode(&text).expect_err("a bad text").position(), wanted, "{text:?}");
            }
        }
    }
}

/// Checks numbers around multiples of each power of the base, in every function that encodes.
#[test]
fn texts_of_all_digits_are_those_of_plain_division() {
    let mut dice = Dice::new(7);
    for (encoding, digits) in encodings().filter(|(_, digits)| [32, 58, 62].contains(&digits.len())) {
        let (base, width) = (digits.len() as u64, encoding.full_width());
        let powers = (0..width as u32).map(|power| base.pow(power));
        let mut numbers: Vec<u64> = values().into_iter().map(|value| value as u64).collect();
        for power in powers {
            for times in
                [1, base - 1, base + 1, u64::MAX / power].into_iter().chain((0..500).map(|_| dice.next() / power))
            {
                let edge = power.saturating_mul(times);
                numbers.extend([edge.wrapping_sub(1), edge, edge.saturating_add(1)]);
            }
        }
        let ids: Vec<i64> = numbers.iter().map(|number| *number as i64).collect();
        let mut all = vec![0; width * ids.len()];
        assert_eq!(encoding.encode_all_into(&ids, width as i64, &mut all), Ok(all.len()));
        for (id, text) in ids.into_iter().zip(all.chunks_exact(width)) {
            let (mut wanted, mut rest) = (vec![digits.as_bytes()[0]; width], id as u64);
            for place in wanted.iter_mut().rev() {
                *place = digits.as_bytes()[(rest % base) as usize];
                rest /= base;
            }
            assert_eq!(text, wanted, "{} {id}", encoding.name());
            let text = encoding.encode_width(id, width as i64).expect("the full width");
            assert_eq!(text.as_bytes(), wanted);
            let zeros = wanted.iter().take_while(|digit| **digit == digits.as_bytes()[0]).count().min(width - 1);
            let default_text = if encoding == Encoding::CROCKFORD { &wanted[..] } else { &wanted[zeros..] };
            let mut buffer = [b'#'; 14];
            assert_eq!(encoding.encode_into(id, None, &mut buffer), Ok(default_text.len()));
            assert_eq!(&buffer[..default_text.len()], default_text);
            assert!(buffer[default_text.len()..].iter().all(|byte| *byte == b'#'), "nothing behind it");
            assert_eq!(encoding.encode(id).as_bytes(), default_text);
            assert_eq!(encoding.decode(&encoding.encode(id)), Ok(id));
        }
    }
}

#[test]
fn the_first_of_many_bad_characters_is_named() {
    let error = Encoding::CROCKFORD.decode("00!MX!6TAK4S!").expect_err("bad characters");
    assert_eq!(error.position(), Some(2));
}

#[test]
fn strict_readers_accept_only_canonical_text() {
    let mut dice = Dice::new(6);
    let strange = ['-', '=', '+', ' ', '_', 'O', 'I', 'l', 'u', 'é', '0', '1', 'z', 'Z'];
    let mut read = 0;
    for (encoding, digits) in encodings() {
        let digits: Vec<char> = digits.chars().collect();
        for turn in 0..20_000 {
            let length = match turn % 3 {
                0 => encoding.full_width(),
                _ => dice.below(encoding.full_width() as u64 + 3) as usize,
            };
            let text: String = (0..length)
                .map(|_| {
                    let alphabet: &[char] = if dice.below(40) == 0 { &strange } else { &digits };
                    alphabet[dice.below(alphabet.len() as u64) as usize]
                })
                .collect();
            if let Ok(value) = encoding.decode(&text) {
                assert_eq!(encoding.encode(value).as_str(), text, "{}", encoding.name());
                read += 1;
            }
            let width = length as i64;
            if let Ok(value) = encoding.decode_as(&text, Some(width), Leniency::Strict) {
                assert_eq!(encoding.encode_width(value, width).expect("that width").as_str(), text);
                read += 1;
            }
        }
    }
    assert!(read > 50_000, "{read}");
}

#[test]
fn numbers_of_more_than_64_bits_are_refused() {
    let too_large = [
        ("decimal", "9223372036854775808"),
        ("decimal", "-9223372036854775809"),
        ("decimal", "99999999999999999999"),
        ("crockford", "G000000000000"),
        ("base32hex", "g000000000000"),
        ("base36", "3w5e11264sgsg"),
        ("base58", "jpXCZedGfVR"),
        ("base58", "zzzzzzzzzzz"),
        ("base62", "LygHa16AHYG"),
        ("base62", "zzzzzzzzzzz"),
    ];
    for (name, text) in too_large {
        let encoding = Encoding::from_name(name).expect("an encoding");
        assert_eq!(kind(encoding.decode(text)), Some(ErrorKind::TextOverflow), "{name} {text}");
    }
    let limits = "64-bit decimals are signed: give -9223372036854775808 to 9223372036854775807";
    let error = Encoding::DECIMAL.decode("18446744073709551615").expect_err("unsigned");
    assert!(error.to_string().ends_with(limits), "{error}");
    assert_eq!(Encoding::BASE36.decode("3w5e11264sgsf"), Ok(-1), "the largest that fits");
    assert_eq!(Encoding::BASE58.decode("jpXCZedGfVQ"), Ok(-1));
    assert_eq!(Encoding::BASE62.decode("LygHa16AHYF"), Ok(-1));
}

#[test]
fn lenient_readers_accept_the_documented_deviations_and_no_more() {
    let lenient = |encoding: Encoding, text: &str| {
        encoding.decode_as(text, None, Leniency::Lenient).map_err(|error| error.kind())
    };
    assert_eq!(lenient(Encoding::CROCKFORD, "oOiI-lL"), Ok(0b00001_00001_00001_00001));
    assert_eq!(lenient(Encoding::CROCKFORD, "U"), Err(ErrorKind::TextCharacter));
    assert_eq!(lenient(Encoding::CROCKFORD, "-"), Err(ErrorKind::TextLength));
    let error = Encoding::CROCKFORD.decode_as("---", None, Leniency::Lenient).unwrap_err();
    assert_eq!(error.to_string(), "crockford text has no digits: give at least one");
    assert_eq!(lenient(Encoding::HEX, "000000000000000000000FF"), Ok(255));
    assert_eq!(lenient(Encoding::BASE32HEX, "3VGOE12CCB8GH==="), Ok(4_594_531_474_933_654_033));
    assert_eq!(lenient(Encoding::BASE64URL, "__________8="), Ok(-1));
    assert_eq!(lenient(Encoding::BASE64URL, "_________8="), Err(ErrorKind::TextLength));
    assert_eq!(lenient(Encoding::BASE58, "0"), Err(ErrorKind::TextCharacter));
    for (encoding, digits) in encodings() {
        assert_eq!(lenient(encoding, ""), Err(ErrorKind::TextLength), "{}", encoding.name());
        assert_eq!(
            lenient(encoding, "="),
            Err(if encoding.name().contains("32hex") || encoding.name() == "base64url" {
                ErrorKind::TextLength
            } else {
                ErrorKind::TextCharacter
            })
        );
        let long = digits[..1].repeat(100_000);
        assert_eq!(lenient(encoding, &long), Err(ErrorKind::TextLength));
    }
}

#[test]
fn encode_into_writes_at_the_front_or_nothing_at_all() {
    let mut buffer = [b'#'; 16];
    assert_eq!(Encoding::HEX.encode_into(255, None, &mut buffer), Ok(2));
    assert_eq!(&buffer[..3], b"ff#");
    assert_eq!(Encoding::HEX.encode_into(-1, None, &mut buffer), Ok(16));
    let mut small = [b'#'; 12];
    let error = Encoding::CROCKFORD.encode_into(1, None, &mut small).expect_err("too small");
    assert_eq!(error, Error::BufferTooSmall { length: 12, needed: 13 });
    assert_eq!(small, [b'#'; 12]);
}
