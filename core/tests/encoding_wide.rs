//! Text of IDs of 16 to 128 bits follows the rules for 64 bits.

mod dice;
mod widths;

use dice::Dice;
use saiban::{Encoding, Error, ErrorKind, Leniency};
use widths::{BITS, ENCODINGS, LENIENCIES, encodings, max, values};

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Returns the text that `encode_wide_into` writes, which leaves the rest of the buffer alone.
fn into_buffer(encoding: Encoding, value: u128, bits: u32, width: Option<i64>) -> String {
    let mut buffer = [b'#'; 200];
    let length = encoding.encode_wide_into(value, bits, width, &mut buffer).expect("text");
    assert!(buffer[length..].iter().all(|byte| *byte == b'#'));
    String::from_utf8(buffer[..length].to_vec()).expect("ASCII")
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
    // RFC 4648, section 10, concatenated, without padding.
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
            // Each digit holds six bits of the big-endian bytes; zeros follow the last bit.
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
fn the_default_text_round_trips() -> Result<(), Error> {
    for (encoding, _) in encodings() {
        for bits in BITS {
            for value in values(bits) {
                let text = encoding.encode_wide(value, bits)?;
                assert_eq!(encoding.decode_wide(&text, bits), Ok(value), "{} {bits} {text}", encoding.name());
                assert_eq!(encoding.encode_wide_as(value, bits, None)?, text);
                assert_eq!(into_buffer(encoding, value, bits, None), text.as_str());
                for leniency in LENIENCIES {
                    assert_eq!(encoding.decode_wide_as(&text, bits, None, leniency), Ok(value), "{text}");
                }
            }
        }
    }
    Ok(())
}

#[test]
fn text_of_any_width_round_trips_and_has_that_width() -> Result<(), Error> {
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
                            assert_eq!(into_buffer(encoding, value, bits, Some(asked)), text.as_str());
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
fn the_full_width_is_the_least_that_holds_every_number_of_that_many_bits() -> Result<(), Error> {
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
            // The largest number of this many digits, at most 128 bits.
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
                // 64-bit decimal text has a sign; wide text has none.
                assert_eq!(encoding.encode_wide(value, 64)?.as_str(), value.to_string());
                continue;
            }
            assert_eq!(encoding.encode_wide(value, 64)?, encoding.encode(id));
            // Most of these texts are invalid.
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
fn ulids_match_their_specification() -> Result<(), Error> {
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
