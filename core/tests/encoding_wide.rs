//! Text of IDs of 16 to 128 bits: what holds for 64 bits holds for every width, and what exceeds it is refused.

mod dice;

use dice::Dice;
use saiban::{Encoding, Error, ErrorKind, Leniency};

/// The digits, told again here, so that a slip in the library's own alphabets shows, and the full width of 64, 96 and 128 bits.
const ENCODINGS: [(&str, &str, [usize; 3]); 9] = [
    ("decimal", "0123456789", [20, 29, 39]),
    ("hex", "0123456789abcdef", [16, 24, 32]),
    ("binary", "01", [64, 96, 128]),
    ("crockford", "0123456789ABCDEFGHJKMNPQRSTVWXYZ", [13, 20, 26]),
    ("base32hex", "0123456789abcdefghijklmnopqrstuv", [13, 20, 26]),
    ("base36", "0123456789abcdefghijklmnopqrstuvwxyz", [13, 19, 25]),
    ("base58", "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz", [11, 17, 22]),
    ("base62", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", [11, 17, 22]),
    ("base64url", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", [11, 16, 22]),
];

const BITS: [u32; 11] = [16, 17, 24, 32, 63, 64, 65, 80, 96, 127, 128];

const LENIENCIES: [Leniency; 3] = [Leniency::Strict, Leniency::AnyCase, Leniency::Lenient];

fn encodings() -> impl Iterator<Item = (Encoding, &'static str)> {
    ENCODINGS.into_iter().map(|(name, digits, _)| (Encoding::from_name(name).expect("an encoding"), digits))
}

fn max(bits: u32) -> u128 {
    u128::MAX >> (128 - bits)
}

/// Edges, one-bit numbers and powers of every base with their neighbours, and numbers of every size, all of at most so many bits.
fn values(bits: u32) -> Vec<u128> {
    let mut all = vec![0, u128::MAX, u128::MAX - 1];
    for base in [2_u128, 10, 32, 36, 58, 62, 64] {
        let powers = std::iter::successors(Some(1_u128), |power| power.checked_mul(base));
        all.extend(powers.flat_map(|power| [power - 1, power, power + 1]));
    }
    let mut dice = Dice::new(bits.into());
    all.extend((0..500).map(|_| (u128::from(dice.next()) << 64 | u128::from(dice.next())) >> dice.below(128)));
    all.iter_mut().for_each(|value| *value &= max(bits));
    all.sort_unstable();
    all.dedup();
    all
}

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// The text of the next number, by carrying: it may have more bits than any number here.
fn next_text(text: &str, digits: &str) -> String {
    let mut places: Vec<usize> = text.chars().map(|digit| digits.find(digit).expect("a digit")).collect();
    for place in places.iter_mut().rev() {
        *place = (*place + 1) % digits.len();
        if *place > 0 {
            break;
        }
    }
    if places.iter().all(|place| *place == 0) {
        places.insert(0, 1);
    }
    places.into_iter().filter_map(|place| digits.chars().nth(place)).collect()
}

#[test]
fn digits_are_the_numbers_digits_highest_first() -> Result<(), Error> {
    for (encoding, digits) in encodings().filter(|(encoding, _)| encoding.name() != "base64url") {
        for bits in BITS {
            for value in values(bits) {
                let text = encoding.encode_wide(value, bits)?;
                let number = text.chars().fold(0, |number, character| {
                    number * digits.len() as u128 + digits.find(character).expect("a digit of the alphabet") as u128
                });
                assert_eq!(number, value, "{} {bits} {text}", encoding.name());
                let shortest = encoding.name() != "crockford";
                assert!(!shortest || value == 0 || !text.starts_with(&digits[..1]), "{} {text}", encoding.name());
            }
        }
    }
    Ok(())
}

#[test]
fn base64url_is_that_of_the_bytes() -> Result<(), Error> {
    // RFC 4648, section 10, put together; the padding left out.
    let published: [(&[u8], &str); 6] = [
        (b"fo", "Zm8"),
        (b"foo", "Zm9v"),
        (b"foob", "Zm9vYg"),
        (b"foobarfoob", "Zm9vYmFyZm9vYg"),
        (b"foobarfoobar", "Zm9vYmFyZm9vYmFy"),
        (b"foobarfoobarfoob", "Zm9vYmFyZm9vYmFyZm9vYg"),
    ];
    for (bytes, text) in published {
        let value = bytes.iter().fold(0, |value, byte| value << 8 | u128::from(*byte));
        assert_eq!(Encoding::BASE64URL.encode_wide(value, bytes.len() as u32 * 8)?.as_str(), text);
    }
    assert_eq!(Encoding::BASE64URL.encode_wide(u128::MAX, 128)?.as_str(), "_____________________w");
    let alphabet = ENCODINGS[8].1.as_bytes();
    for bits in BITS {
        for value in values(bits) {
            // Six bits after the other of the bytes that hold it, and zeros after the last.
            let whole = bits.div_ceil(8) * 8;
            let bit = |place: u32| if place < whole { (value >> (whole - 1 - place) & 1) as usize } else { 0 };
            let digit = |first: u32| (first..first + 6).fold(0, |digit, place| digit << 1 | bit(place));
            let wanted: String = (0..whole).step_by(6).map(|first| char::from(alphabet[digit(first)])).collect();
            assert_eq!(Encoding::BASE64URL.encode_wide(value, bits)?.as_str(), wanted, "{bits} {value}");
        }
    }
    Ok(())
}

#[test]
fn the_customary_text_comes_back() -> Result<(), Error> {
    for (encoding, _) in encodings() {
        for bits in BITS {
            for value in values(bits) {
                let text = encoding.encode_wide(value, bits)?;
                assert_eq!(encoding.decode_wide(&text, bits), Ok(value), "{} {bits} {text}", encoding.name());
                assert_eq!(encoding.encode_wide_as(value, bits, None)?, text);
                for leniency in LENIENCIES {
                    assert_eq!(encoding.decode_wide_as(&text, bits, None, leniency), Ok(value), "{text}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn text_of_any_width_comes_back_and_has_that_width() -> Result<(), Error> {
    for (encoding, digits) in encodings() {
        for bits in BITS {
            let full = encoding.full_width_of(bits)?;
            let least = if encoding == Encoding::BASE64URL { full } else { 1 };
            for value in values(bits).into_iter().step_by(7).chain([0, max(bits)]) {
                let shortest = encoding.encode_wide(value, bits)?;
                let needed = shortest.trim_start_matches(&digits[..1]).len().max(1);
                for width in least..=full {
                    let asked = width as i64;
                    match encoding.encode_wide_width(value, bits, asked) {
                        Ok(text) => {
                            assert_eq!(text.len(), width);
                            let read = encoding.decode_wide_as(&text, bits, Some(asked), Leniency::Strict);
                            assert_eq!(read, Ok(value), "{} {bits} {text}", encoding.name());
                            assert_eq!(encoding.encode_wide_as(value, bits, Some(asked))?, text);
                        }
                        Err(error) => {
                            let refused = Error::WidthTooSmall { encoding: encoding.name(), width, needed };
                            assert_eq!(error, refused, "{bits} {value}");
                            assert!(needed > width);
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

#[test]
fn the_full_width_is_the_least_that_holds_any_number_of_so_many_bits() -> Result<(), Error> {
    for (name, digits, widths) in ENCODINGS {
        let encoding = Encoding::from_name(name)?;
        for (bits, width) in [64, 96, 128].into_iter().zip(widths) {
            assert_eq!(encoding.full_width_of(bits), Ok(width), "{name} {bits}");
        }
        assert_eq!(encoding.full_width(), widths[0]);
        for bits in 16..=128 {
            let width = encoding.full_width_of(bits)? as u32;
            if name == "base64url" {
                assert_eq!(width, (bits.div_ceil(8) * 8).div_ceil(6), "{bits}");
                continue;
            }
            let base = digits.len() as u128;
            // The largest number of so many digits, where 128 bits hold it.
            let largest = |width| base.checked_pow(width).map_or(u128::MAX, |power| power - 1);
            assert!(largest(width) >= max(bits) && largest(width - 1) < max(bits), "{name} {bits}");
            assert_eq!(encoding.encode_wide_width(max(bits), bits, width.into())?.len(), width as usize);
        }
    }
    Ok(())
}

#[test]
fn text_of_the_full_width_sorts_as_the_numbers() -> Result<(), Error> {
    for (encoding, digits) in encodings().filter(|(_, digits)| digits.as_bytes().is_sorted()) {
        for bits in BITS {
            let width = encoding.full_width_of(bits)? as i64;
            let texts: Result<Vec<String>, Error> = values(bits)
                .into_iter()
                .map(|value| encoding.encode_wide_width(value, bits, width).map(String::from))
                .collect();
            assert!(texts?.windows(2).all(|pair| pair[0] < pair[1]), "{} {bits} {digits}", encoding.name());
        }
    }
    Ok(())
}

#[test]
fn sixty_four_bits_are_written_and_read_as_the_integers_are() -> Result<(), Error> {
    let mut dice = Dice::new(64);
    for (encoding, digits) in encodings() {
        let digits: Vec<char> = digits.chars().chain(['-', '=', ' ', 'é', 'U', 'o']).collect();
        for value in values(64) {
            let id = value as u64 as i64;
            if encoding == Encoding::DECIMAL && id < 0 {
                // The one with a sign.
                assert_eq!(encoding.encode_wide(value, 64)?.as_str(), value.to_string());
                continue;
            }
            assert_eq!(encoding.encode_wide(value, 64)?, encoding.encode(id));
            // Most of these are no text of an ID at all.
            let length = dice.below(encoding.full_width() as u64 + 2);
            let text: String = (0..length).map(|_| digits[dice.below(digits.len() as u64) as usize]).collect();
            for leniency in LENIENCIES {
                let wide = encoding.decode_wide_as(&text, 64, None, leniency).map(|value| value as u64 as i64);
                if !(encoding == Encoding::DECIMAL && text.starts_with('-')) {
                    assert_eq!(wide, encoding.decode_as(&text, None, leniency), "{} {text}", encoding.name());
                }
            }
        }
    }
    Ok(())
}

#[test]
fn numbers_of_more_bits_are_refused_with_both_counts() {
    for (encoding, _) in encodings() {
        for bits in BITS.into_iter().filter(|bits| *bits < 128) {
            for value in [max(bits) + 1, max(bits) * 2, u128::MAX] {
                let needed = 128 - value.leading_zeros();
                let error = Error::IdTooWide { needed, bits };
                assert_eq!(encoding.encode_wide(value, bits), Err(error));
                let width = encoding.full_width_of(bits).expect("a width") as i64;
                assert_eq!(encoding.encode_wide_width(value, bits, width), Err(error));
                assert_eq!(encoding.encode_wide_into(value, bits, None, &mut [0; 128]), Err(error));
                assert_eq!(encoding.encode_all_wide_into(&[0, value], bits, width, &mut [0; 256]), Err(error));
            }
        }
    }
    assert_eq!(Error::IdTooWide { needed: 97, bits: 96 }.kind(), ErrorKind::IdOutOfRange);
}

#[test]
fn other_numbers_of_bits_are_refused_with_the_limits() {
    for (encoding, _) in encodings() {
        for bits in [0, 1, 15, 129, 1 << 31, u32::MAX] {
            let error = Error::BitsOutOfRange { bits, min: 16, max: 128 };
            assert_eq!(encoding.full_width_of(bits), Err(error));
            assert_eq!(encoding.encode_wide(0, bits), Err(error));
            assert_eq!(encoding.encode_wide_width(0, bits, 11), Err(error));
            assert_eq!(encoding.decode_wide("0", bits), Err(error));
            assert_eq!(encoding.decode_wide_as("0", bits, Some(11), Leniency::Lenient), Err(error));
            assert_eq!(encoding.encode_all_wide_into(&[], bits, 11, &mut []), Err(error));
            assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        }
    }
}

#[test]
fn widths_that_an_encoding_lacks_are_refused_with_the_limits() -> Result<(), Error> {
    for (encoding, _) in encodings() {
        for bits in BITS {
            let full = encoding.full_width_of(bits)?;
            let min = if encoding == Encoding::BASE64URL { full } else { 1 };
            for width in [i64::MIN, -1, min as i64 - 1, full as i64 + 1, i64::MAX] {
                let error = Error::WidthOutOfRange { encoding: encoding.name(), width, min, max: full };
                assert_eq!(encoding.encode_wide_width(1, bits, width), Err(error));
                assert_eq!(encoding.decode_wide_as("1", bits, Some(width), Leniency::Lenient), Err(error));
                assert_eq!(encoding.encode_all_wide_into(&[1], bits, width, &mut [0; 256]), Err(error));
            }
        }
    }
    Ok(())
}

#[test]
fn text_of_a_number_of_more_bits_is_refused() -> Result<(), Error> {
    let mut overflows = 0;
    for (encoding, digits) in encodings().filter(|(encoding, _)| encoding.name() != "base64url") {
        for bits in 16..=128 {
            let full = encoding.full_width_of(bits)?;
            let text = next_text(&encoding.encode_wide(max(bits), bits)?, digits);
            let answers = [
                encoding.decode_wide(&text, bits),
                encoding.decode_wide_as(&text, bits, Some(full as i64), Leniency::Strict),
            ];
            let wanted = if text.len() > full { ErrorKind::TextLength } else { ErrorKind::TextOverflow };
            for answer in answers {
                assert_eq!(kind(answer), Some(wanted), "{} {bits} {text}", encoding.name());
            }
            overflows += usize::from(wanted == ErrorKind::TextOverflow);
            // Without a width the number alone counts.
            for text in [text.clone(), format!("{}{text}", digits[..1].repeat(128 - text.len().min(128)))] {
                let lenient = encoding.decode_wide_as(&text, bits, None, Leniency::Lenient);
                let wanted = if text.len() > 128 { ErrorKind::TextLength } else { ErrorKind::TextOverflow };
                assert_eq!(kind(lenient), Some(wanted), "{} {bits} {text}", encoding.name());
            }
            let largest = digits.chars().next_back().expect("a digit").to_string().repeat(full);
            let fits = (digits.len() as u128).checked_pow(full as u32).is_some_and(|power| power - 1 == max(bits));
            let fits = fits || (digits.len().is_power_of_two() && full as u32 * digits.len().ilog2() == bits);
            let answer = encoding.decode_wide(&largest, bits);
            assert_eq!(kind(answer), (!fits).then_some(ErrorKind::TextOverflow), "{} {bits}", encoding.name());
        }
    }
    assert!(overflows > 400, "{overflows}");
    // base64url holds whole bytes: 65 bits are nine of them.
    assert_eq!(Encoding::BASE64URL.encode_wide(max(65), 65)?.as_str(), "Af__________");
    let error = Encoding::BASE64URL.decode_wide("Av__________", 65).expect_err("66 bits");
    assert_eq!(error, Error::WideTextOverflow { encoding: "base64url", bits: 65 });
    Ok(())
}

#[test]
fn ulids_are_as_their_specification_says() -> Result<(), Error> {
    // Source: github.com/ulid/spec, README.
    let id = Encoding::CROCKFORD.decode_wide("01ARZ3NDEKTSV4RRFFQ69G5FAV", 128)?;
    assert_eq!(id, 0x0156_3e3a_b5d3_d676_4c61_efb9_9302_bd5b);
    assert_eq!(Encoding::CROCKFORD.encode_wide(id, 128)?.as_str(), "01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assert_eq!(Encoding::CROCKFORD.decode_wide("7ZZZZZZZZZZZZZZZZZZZZZZZZZ", 128), Ok(u128::MAX));
    for text in ["80000000000000000000000000", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ", "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"] {
        for leniency in LENIENCIES {
            let error = Encoding::CROCKFORD.decode_wide_as(text, 128, None, leniency).expect_err("more than 128 bits");
            assert_eq!(error, Error::WideTextOverflow { encoding: "crockford", bits: 128 });
            assert_eq!(error.kind(), ErrorKind::TextOverflow);
        }
    }
    let lenient = |text| Encoding::CROCKFORD.decode_wide_as(text, 128, None, Leniency::Lenient);
    assert_eq!(lenient("01arz3ndek-tsv4rrffq69g5fav"), Ok(id));
    assert_eq!(lenient("oLarz3ndektsv4rrffq69g5fav"), Ok(id));
    assert_eq!(lenient("1ARZ3NDEKTSV4RRFFQ69G5FAV"), Ok(id));
    Ok(())
}

#[test]
fn objectids_are_as_mongodb_shows_them() -> Result<(), Error> {
    // Source: MongoDB's manual, "ObjectId()".
    let id = 0x507f_1f77_bcf8_6cd7_9943_9011;
    assert_eq!(Encoding::HEX.encode_wide(id, 96)?.as_str(), "507f1f77bcf86cd799439011");
    assert_eq!(Encoding::HEX.decode_wide("507f1f77bcf86cd799439011", 96), Ok(id));
    let error = Encoding::HEX.decode_wide("507F1f77bcf86cd799439011", 96).expect_err("upper case");
    assert_eq!((error.kind(), error.position()), (ErrorKind::TextNotCanonical, Some(3)));
    assert_eq!(kind(Encoding::HEX.decode_wide("507f1f77bcf86cd7994390110", 96)), Some(ErrorKind::TextLength));
    Ok(())
}

#[test]
fn a_bad_character_is_named_wherever_it_stands() -> Result<(), Error> {
    for (encoding, _) in encodings() {
        for bits in BITS {
            for value in [max(bits), max(bits) / 3, 12_345] {
                let good = encoding.encode_wide(value, bits)?;
                for position in 0..good.len() {
                    for bad in ['!', ' ', '\0', '~', 'é', '\u{fffd}', '😀', '\u{7f}', '+'] {
                        let text = format!("{}{bad}{}", &good[..position], &good[position + 1..]);
                        for leniency in LENIENCIES {
                            let error = encoding.decode_wide_as(&text, bits, None, leniency).expect_err("bad");
                            let wanted = Error::TextCharacter { encoding: encoding.name(), position, character: bad };
                            assert_eq!(error, wanted, "{text:?}");
                        }
                    }
                }
            }
        }
    }
    // Wide text has no sign.
    let error = Encoding::DECIMAL.decode_wide("-1", 128).expect_err("a sign");
    assert_eq!(error, Error::TextCharacter { encoding: "decimal", position: 0, character: '-' });
    Ok(())
}

#[test]
fn no_other_text_stands_for_a_number() {
    let mut dice = Dice::new(8);
    let strange = ['-', '=', '+', ' ', '_', 'O', 'I', 'l', 'u', 'é', '0', '1', 'z', 'Z'];
    let mut read = 0;
    for (encoding, digits) in encodings() {
        let digits: Vec<char> = digits.chars().collect();
        for turn in 0..20_000 {
            let bits = BITS[turn % BITS.len()];
            let full = encoding.full_width_of(bits).expect("a width");
            let length = if turn % 3 == 0 { full } else { dice.below(full as u64 + 3) as usize };
            let text: String = (0..length)
                .map(|_| {
                    let alphabet: &[char] = if dice.below(60) == 0 { &strange } else { &digits };
                    alphabet[dice.below(alphabet.len() as u64) as usize]
                })
                .collect();
            if let Ok(value) = encoding.decode_wide(&text, bits) {
                let again = encoding.encode_wide(value, bits).expect("of so many bits");
                assert_eq!(again.as_str(), text, "{} {bits}", encoding.name());
                read += 1;
            }
            let width = length as i64;
            if let Ok(value) = encoding.decode_wide_as(&text, bits, Some(width), Leniency::Strict) {
                let again = encoding.encode_wide_width(value, bits, width).expect("that width");
                assert_eq!(again.as_str(), text, "{} {bits}", encoding.name());
                read += 1;
            }
        }
    }
    assert!(read > 50_000, "{read}");
}

#[test]
fn lenient_readers_forgive_what_the_documentation_says_and_no_more() -> Result<(), Error> {
    let lenient = |encoding: Encoding, text: &str, bits| {
        encoding.decode_wide_as(text, bits, None, Leniency::Lenient).map_err(|error| error.kind())
    };
    assert_eq!(lenient(Encoding::BASE32HEX, "7VVVVVVVVVVVVVVVVVVVVVVVVV======", 128), Ok(u128::MAX));
    assert_eq!(lenient(Encoding::BASE64URL, "_____________________w==", 128), Ok(u128::MAX));
    assert_eq!(lenient(Encoding::BASE64URL, "________________", 96), Ok(max(96)));
    assert_eq!(lenient(Encoding::BASE64URL, "____________________w==", 128), Err(ErrorKind::TextLength));
    // The pad has bits that stand for nothing: other text of the same number, so refused even then, with its place.
    for (bits, text) in
        [(128, "_____________________x"), (128, "AAAAAAAAAAAAAAAAAAAAAB"), (16, "__9"), (80, "AAAAAAAAAAAAAB")]
    {
        for leniency in LENIENCIES {
            let error = Encoding::BASE64URL.decode_wide_as(text, bits, None, leniency).expect_err("a bad pad");
            let position = text.len() - 1;
            assert_eq!(error, Error::TextNotCanonical { encoding: "base64url", position }, "{text}");
        }
    }
    for (encoding, digits) in encodings() {
        for bits in BITS {
            assert_eq!(lenient(encoding, "", bits), Err(ErrorKind::TextLength), "{}", encoding.name());
            assert_eq!(lenient(encoding, &digits[..1].repeat(129), bits), Err(ErrorKind::TextLength));
            if encoding == Encoding::BASE64URL {
                continue;
            }
            for value in values(bits).into_iter().step_by(11) {
                let short = encoding.encode_wide(value, bits)?;
                let short = short.trim_start_matches(&digits[..1]);
                let zeros = digits[..1].repeat(128 - short.len());
                assert_eq!(lenient(encoding, &format!("{zeros}{short}"), bits), Ok(value), "{}", encoding.name());
                let upper_is_other = digits.contains(char::is_alphabetic) && encoding.name() != "base58";
                if upper_is_other && encoding.name() != "base62" && !short.is_empty() {
                    let other = short.to_ascii_uppercase();
                    assert_eq!(lenient(encoding, &other, bits), Ok(value));
                    assert_eq!(lenient(encoding, &other.to_ascii_lowercase(), bits), Ok(value));
                }
            }
        }
    }
    assert_eq!(lenient(Encoding::CROCKFORD, "-", 96), Err(ErrorKind::TextLength));
    Ok(())
}

#[test]
fn encode_into_writes_at_the_front_or_nothing_at_all() {
    let mut buffer = [b'#'; 30];
    assert_eq!(Encoding::HEX.encode_wide_into(255, 128, None, &mut buffer), Ok(2));
    assert_eq!(&buffer[..3], b"ff#");
    assert_eq!(Encoding::HEX.encode_wide_into(255, 128, Some(4), &mut buffer), Ok(4));
    assert_eq!(&buffer[..5], b"00ff#");
    let error = Encoding::HEX.encode_wide_into(u128::MAX, 128, None, &mut buffer).expect_err("too small");
    assert_eq!(error, Error::BufferTooSmall { length: 30, needed: 32 });
    assert_eq!(&buffer[..5], b"00ff#");
}

#[test]
fn many_ids_are_written_as_one_by_one() -> Result<(), Error> {
    for (encoding, _) in encodings() {
        for bits in BITS {
            let (values, width) = (values(bits), encoding.full_width_of(bits)?);
            let mut buffer = vec![b'#'; values.len() * width + 1];
            let written = encoding.encode_all_wide_into(&values, bits, width as i64, &mut buffer)?;
            assert_eq!((written, buffer[written]), (values.len() * width, b'#'));
            for (text, value) in buffer.chunks_exact(width).zip(&values) {
                assert_eq!(text, encoding.encode_wide_width(*value, bits, width as i64)?.as_bytes());
            }
        }
        let ids: Vec<i64> = values(63).into_iter().map(|value| value as i64).collect();
        let width = encoding.full_width();
        let mut buffer = vec![b'#'; ids.len() * width];
        assert_eq!(encoding.encode_all_into(&ids, width as i64, &mut buffer), Ok(buffer.len()));
        for (text, id) in buffer.chunks_exact(width).zip(&ids) {
            assert_eq!(text, encoding.encode_width(*id, width as i64)?.as_bytes());
        }
    }
    Ok(())
}

#[test]
fn many_ids_are_all_written_or_none() {
    let mut buffer = [b'#'; 26];
    let refused = |error: Error, buffer: &[u8]| {
        assert!(buffer.iter().all(|byte| *byte == b'#'));
        error
    };
    let error = Encoding::HEX.encode_all_into(&[1, 0x1_0000, 2], 4, &mut buffer).expect_err("five digits");
    assert_eq!(refused(error, &buffer), Error::WidthTooSmall { encoding: "hex", width: 4, needed: 5 });
    let error = Encoding::HEX.encode_all_into(&[1, -1], 4, &mut buffer).expect_err("sixteen digits");
    assert_eq!(refused(error, &buffer), Error::WidthTooSmall { encoding: "hex", width: 4, needed: 16 });
    let error = Encoding::DECIMAL.encode_all_into(&[1, -1], 4, &mut buffer).expect_err("a sign");
    assert_eq!(refused(error, &buffer), Error::WidthNegative { encoding: "decimal" });
    let error = Encoding::HEX.encode_all_into(&[1, 2], 14, &mut buffer).expect_err("too small");
    assert_eq!(refused(error, &buffer), Error::BufferTooSmall { length: 26, needed: 28 });
    let error = Encoding::HEX.encode_all_wide_into(&[1, 0x1_0000], 128, 4, &mut buffer).expect_err("five digits");
    assert_eq!(refused(error, &buffer), Error::WidthTooSmall { encoding: "hex", width: 4, needed: 5 });
    let error = Encoding::HEX.encode_all_wide_into(&[1, 2], 128, 14, &mut buffer).expect_err("too small");
    assert_eq!(refused(error, &buffer), Error::BufferTooSmall { length: 26, needed: 28 });
    assert_eq!(Encoding::HEX.encode_all_into(&[], 4, &mut buffer), Ok(0));
    assert_eq!(Encoding::HEX.encode_all_wide_into(&[], 128, 4, &mut buffer), Ok(0));
    assert!(buffer.iter().all(|byte| *byte == b'#'));
}

#[test]
fn text_holds_128_digits_and_reads_as_any_text_does() -> Result<(), Error> {
    let text = Encoding::BINARY.encode_wide(u128::MAX, 128)?;
    assert_eq!(text.as_str(), "1".repeat(128));
    assert_eq!(text.as_bytes(), "1".repeat(128).as_bytes());
    assert_eq!(text, Encoding::BINARY.encode_wide_width(u128::MAX, 128, 128)?);
    let zero = Encoding::BINARY.encode_wide_width(0, 128, 128)?;
    assert_eq!(zero.as_str(), "0".repeat(128));
    assert_ne!(zero, text);
    let shorter = Encoding::BINARY.encode_wide(u128::MAX >> 1, 128)?;
    assert_eq!((shorter.as_str(), shorter.len()), (&*"1".repeat(127), 127));
    assert_eq!(Encoding::HEX.encode_wide(0, 16)?.as_str(), "0");
    assert_eq!(format!("{:>6}|{:?}", Encoding::HEX.encode_wide(0xab, 16)?, Encoding::HEX.encode(1)), "    ab|\"1\"");
    Ok(())
}
