//! Text of IDs of 16 to 128 bits: text that is not an ID of this width is refused, with the
//! position and the limits.

mod dice;
mod widths;

use dice::Dice;
use saiban::{Encoding, Error, ErrorKind, Leniency};
use widths::{BITS, LENIENCIES, encodings, max, values};

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Returns the text of the next number, with carry; that number may exceed 128 bits.
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
            // Without a width only the number's value counts.
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
    // base64url holds whole bytes: 65 bits take nine.
    assert_eq!(Encoding::BASE64URL.encode_wide(max(65), 65)?.as_str(), "Af__________");
    let error = Encoding::BASE64URL.decode_wide("Av__________", 65).expect_err("66 bits");
    assert_eq!(error, Error::WideTextOverflow { encoding: "base64url", bits: 65 });
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
fn strict_readers_accept_only_canonical_text() {
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
fn lenient_readers_accept_the_documented_deviations_and_no_more() -> Result<(), Error> {
    let lenient = |encoding: Encoding, text: &str, bits| {
        encoding.decode_wide_as(text, bits, None, Leniency::Lenient).map_err(|error| error.kind())
    };
    assert_eq!(lenient(Encoding::BASE32HEX, "7VVVVVVVVVVVVVVVVVVVVVVVVV======", 128), Ok(u128::MAX));
    assert_eq!(lenient(Encoding::BASE64URL, "_____________________w==", 128), Ok(u128::MAX));
    assert_eq!(lenient(Encoding::BASE64URL, "________________", 96), Ok(max(96)));
    assert_eq!(lenient(Encoding::BASE64URL, "____________________w==", 128), Err(ErrorKind::TextLength));
    // The unused bits of the last digit must be zero, or two texts would be one number: even
    // lenient decoding refuses others, with the position.
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
