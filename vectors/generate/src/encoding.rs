//! Cases of nine encodings: values at their edges, widths, and all kinds of invalid text.

use crate::document::{Case, Document};
use crate::rng::Rng;
use crate::scheme::with_character;
use serde_json::{Value, json};

/// Name, digits, full width, and characters that are not digits of the encoding. Some of these look
/// or sort like a digit.
const ENCODINGS: [(&str, &str, usize, &[char]); 9] = [
    ("decimal", "0123456789", 20, &['a', '+', '-', '/', ':', 'é', '５', '😀', '\n']),
    ("hex", "0123456789abcdef", 16, &['g', 'G', 'x', '@', '`', 'é', 'ａ', '😀', ' ']),
    ("binary", "01", 64, &['2', '/', 'b', 'O', 'l', 'é', '１', '😀', ' ']),
    (
        "crockford",
        "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
        13,
        &['I', 'L', 'O', 'U', 'i', 'l', 'o', 'u', '-', 'é', 'Ａ', '😀', '\u{212a}'],
    ),
    ("base32hex", "0123456789abcdefghijklmnopqrstuv", 13, &['w', 'z', 'W', '=', '-', 'é', '０', '😀', '\u{131}']),
    ("base36", "0123456789abcdefghijklmnopqrstuvwxyz", 13, &['{', '-', '_', '.', ' ', 'é', '９', '😀', '\u{17f}']),
    (
        "base58",
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
        11,
        &['0', 'O', 'I', 'l', '-', 'é', '１', '😀', '_'],
    ),
    (
        "base62",
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        11,
        &['-', '_', '[', '`', '{', 'é', 'Ｚ', '😀', ' '],
    ),
    (
        "base64url",
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
        11,
        &['+', '/', '=', '.', ',', 'é', 'ｚ', '😀', ' '],
    ),
];

struct Writer<'a> {
    document: &'a mut Document,
    encoding: &'static str,
}

impl Writer<'_> {
    fn case(&self, op: &'static str, mut given: Value, width: Option<i64>, lenient: bool) -> Case {
        given["encoding"] = json!(self.encoding);
        if let Some(width) = width {
            given["width"] = json!(width);
        }
        if lenient {
            given["lenient"] = json!(true);
        }
        Case::new(op, given)
    }

    /// Encodes a value and, if that succeeds, decodes the text. Returns the text.
    fn both_ways(&mut self, value: i64, width: Option<i64>, flag: &'static str) -> Option<String> {
        let case = self.case("encode", json!({ "value": value.to_string() }), width, false);
        let text = self.document.ask(&case)["out"]["text"].as_str().map(str::to_owned);
        self.document.add(case.flag(flag));
        if let Some(text) = &text {
            let decode = self.case("decode", json!({ "text": text }), width, false);
            self.document.add(decode.flag(flag));
        }
        text
    }

    fn decode(&mut self, text: &str, width: Option<i64>, lenient: bool, comment: &str) {
        let case = self.case("decode", json!({ "text": text }), width, lenient);
        self.document.add(case.flag("edge").comment(comment));
    }

    fn strictly_and_leniently(&mut self, text: &str, comment: &str) {
        self.decode(text, None, false, comment);
        self.decode(text, None, true, comment);
    }
}

pub fn document() -> Document {
    let mut document = Document::new(
        "encoding",
        &[
            "RFC 4648, sections 5 (base64url), 7 (base32hex), 8 (hex)",
            "Douglas Crockford, Base 32: crockford.com/base32.html",
            "Bitcoin, base58.cpp (the alphabet)",
            "saiban, vectors/README.md: widths, leniency and the order of errors",
        ],
    );
    published(&mut document);
    for (index, (encoding, digits, full_width, bad)) in ENCODINGS.into_iter().enumerate() {
        let mut rng = Rng::new(0x656e_636f + index as u64);
        let mut writer = Writer { document: &mut document, encoding };
        values(&mut writer, digits.len() as u64, &mut rng);
        widths(&mut writer, full_width as i64, &mut rng);
        bad_characters(&mut writer, bad, &mut rng);
        lengths_and_overflow(&mut writer, digits, full_width);
        leniency(&mut writer, digits);
    }
    unknown_names(&mut document);
    document
}

fn published(document: &mut Document) {
    let encode =
        |value: i64, encoding: &str| Case::new("encode", json!({ "value": value.to_string(), "encoding": encoding }));
    // RFC 4648, section 10: "fooba" is CPNMUOJ1 in base32hex. Five bytes fill eight digits exactly.
    document
        .add(encode(0x66_6f6f_6261, "base32hex").source("RFC 4648, section 10: BASE32-HEX(\"fooba\"), in lower case"));
    document.add(encode(0x66_6f6f_6261, "hex").source("RFC 4648, section 10: BASE16(\"fooba\"), in lower case"));
    document.add(encode(14_246_757_444_195_114, "crockford").source("github.com/ulid-flake/spec, README"));
}

/// Adds the ends of the integers, values around every power of the base, and random values of every
/// length.
fn values(writer: &mut Writer, base: u64, rng: &mut Rng) {
    for value in [0, 1, -1, 2, -2, i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1] {
        writer.both_ways(value, None, "edge");
    }
    let mut power = Some(base);
    while let Some(value) = power {
        for near in [value.wrapping_sub(1), value, value.wrapping_add(1)] {
            // For base 2, every power is near another one.
            if near == value {
                writer.both_ways(near as i64, None, "edge");
            } else if base > 2 {
                let case = writer.case("encode", json!({ "value": (near as i64).to_string() }), None, false);
                writer.document.add(case.flag("edge"));
            }
        }
        power = value.checked_mul(base);
    }
    for _ in 0..16 {
        let shift = rng.below(63);
        writer.both_ways((rng.next() >> shift) as i64, None, "random");
    }
    for _ in 0..4 {
        writer.both_ways(rng.next() as i64 | i64::MIN, None, "random");
    }
}

/// Adds every valid width, and some invalid ones.
fn widths(writer: &mut Writer, full_width: i64, rng: &mut Rng) {
    for width in [-1, 0, full_width + 1, 1_000, i64::from(i32::MAX)] {
        writer.both_ways(5, Some(width), "edge");
        writer.decode("5", Some(width), false, "a width that the encoding lacks");
    }
    for width in 1..=full_width {
        writer.both_ways(1, Some(width), "edge");
    }
    let value = (rng.next() >> 24) as i64;
    let needed = writer.both_ways(value, None, "random").map_or(0, |text| text.trim_start_matches('0').len() as i64);
    for width in [needed - 1, needed, needed + 1] {
        writer.both_ways(value, Some(width), "edge");
    }
    for value in [0, -1, i64::MAX, i64::MIN] {
        writer.both_ways(value, Some(full_width), "edge");
        writer.both_ways(value, Some(full_width - 1), "edge");
    }
    let text = writer.both_ways(value, Some(full_width), "random").unwrap_or_default();
    writer.decode(&text, Some(full_width - 1), false, "text that is longer than the width");
    writer.decode(&text[1..], Some(full_width), false, "text that is shorter than the width");
    writer.decode("", Some(full_width), false, "nothing, with a width");
}

/// Adds the longest text with one bad character, at each position. Then adds texts with two bad
/// characters, of which the error names the first.
fn bad_characters(writer: &mut Writer, bad: &[char], rng: &mut Rng) {
    // A value with leading zeros or a sign could fail for these, before the bad character.
    let value = (rng.next() | 1 << 62) as i64 & i64::MAX;
    let text = writer.both_ways(value, None, "random").expect("a text");
    let first = usize::from(writer.encoding == "decimal");
    for position in 0..text.len() {
        let start = if position == 0 { first * 3 } else { 0 };
        let character = bad[start..][position % (bad.len() - start)];
        writer.decode(&with_character(&text, position, character), None, false, "a bad character");
    }
    for &character in bad {
        let position = 1 + rng.below(text.len() as u64 - 1) as usize;
        let broken = with_character(&text, position, character);
        writer.decode(&broken, None, false, "a bad character");
        writer.decode(&with_character(&broken, text.len() - 1, '!'), None, false, "two bad characters");
        writer.decode(&with_character(&broken, text.len() - 1, '!'), None, true, "two bad characters");
    }
}

fn lengths_and_overflow(writer: &mut Writer, digits: &str, full_width: usize) {
    let (zero, one) = (&digits[..1], &digits[1..2]);
    let last = &digits[digits.len() - 1..];
    writer.strictly_and_leniently("", "nothing");
    writer.strictly_and_leniently(" ", "a space");
    writer.strictly_and_leniently(&last.repeat(full_width), "the largest digits");
    writer.strictly_and_leniently(&last.repeat(full_width + 1), "a digit too many");
    writer.strictly_and_leniently(&format!("{one}{}", zero.repeat(full_width - 1)), "the smallest of the full width");
    writer.strictly_and_leniently(&format!("{one}{}", zero.repeat(full_width)), "the smallest of one digit more");
    writer.strictly_and_leniently(&format!("{zero}{one}"), "a leading zero");
    writer.strictly_and_leniently(&zero.repeat(2), "zero twice");
    writer.strictly_and_leniently(&zero.repeat(full_width), "zeros");
    for character in ["é", "５", "😀"] {
        // Lengths are counted in characters. In bytes, some of these texts would be as long as the
        // width.
        for length in [full_width - 3, full_width - 1, full_width, full_width + 1] {
            let text = format!("{one}{character}{}", last.repeat(length - 2));
            writer.decode(&text, None, false, &format!("{length} characters, one of them not ASCII"));
        }
    }
    writer.decode(&format!("{}{one}", zero.repeat(127)), None, true, "128 characters");
    writer.decode(&format!("{}{one}", zero.repeat(128)), None, true, "129 characters");
    writer.decode(&last.repeat(128), None, true, "128 of the largest digits");
    match writer.encoding {
        "decimal" => {
            for (text, comment) in [
                ("9223372036854775808", "2^63"),
                ("-9223372036854775809", "-2^63 - 1"),
                ("18446744073709551615", "2^64 - 1"),
                ("18446744073709551616", "2^64"),
                ("-", "a sign alone"),
                ("--1", "two signs"),
                ("+1", "a plus sign"),
                ("-0", "minus zero"),
                ("-01", "a leading zero behind the sign"),
                ("-00", "zeros behind the sign"),
                ("1-", "a sign behind"),
                ("1e3", "an exponent"),
                ("1_000", "an underscore"),
                ("0x10", "hexadecimal"),
            ] {
                writer.strictly_and_leniently(text, comment);
            }
            writer.decode("-5", Some(2), false, "a sign where the width is fixed");
            writer.decode("-0005", Some(5), false, "a sign where the width is fixed");
        }
        "hex" => {
            writer.strictly_and_leniently("10000000000000000", "2^64");
            writer.strictly_and_leniently("0xff", "a prefix");
        }
        "binary" => writer.strictly_and_leniently("0b1", "a prefix"),
        "crockford" => {
            writer.strictly_and_leniently("FZZZZZZZZZZZZ", "2^64 - 1");
            writer.strictly_and_leniently("G000000000000", "2^64");
            writer.strictly_and_leniently("GZZZZZZZZZZZZ", "past 2^64");
        }
        "base32hex" => {
            writer.strictly_and_leniently("fvvvvvvvvvvvv", "2^64 - 1");
            writer.strictly_and_leniently("g000000000000", "2^64");
        }
        "base36" => {
            writer.strictly_and_leniently("3w5e11264sgsf", "2^64 - 1");
            writer.strictly_and_leniently("3w5e11264sgsg", "2^64");
        }
        "base58" => {
            writer.strictly_and_leniently("jpXCZedGfVQ", "2^64 - 1");
            writer.strictly_and_leniently("jpXCZedGfVR", "2^64");
        }
        "base62" => {
            writer.strictly_and_leniently("LygHa16AHYF", "2^64 - 1");
            writer.strictly_and_leniently("LygHa16AHYG", "2^64");
        }
        _ => {
            for (digit, comment) in [("B", "1"), ("C", "2"), ("D", "3")] {
                let text = format!("AAAAAAAAAA{digit}");
                writer.strictly_and_leniently(&text, &format!("bits below the last byte: {comment}"));
            }
            writer.strictly_and_leniently("AAAAAAAAAAE", "the last byte is 1");
            writer.strictly_and_leniently("__________8", "all bits");
            writer.strictly_and_leniently("__________9", "all bits, and one below them");
            writer.strictly_and_leniently("-----------", "hyphens, which are digits here");
            writer.strictly_and_leniently("_____", "too few digits for eight bytes");
            writer.strictly_and_leniently("AAAAAAAAAAAA", "too many digits for eight bytes");
        }
    }
}

/// Adds text that only a lenient reader accepts, and text that both readers reject.
fn leniency(writer: &mut Writer, digits: &str) {
    match writer.encoding {
        "hex" | "base32hex" | "base36" => {
            for text in ["DEADBEEF", "deadBEEF", "F", "1A", "aB"] {
                writer.strictly_and_leniently(text, "upper case");
            }
            let all: String = digits.chars().rev().take(8).collect();
            writer.strictly_and_leniently(&all.to_uppercase(), "upper case");
        }
        "crockford" => {
            for (text, comment) in [
                ("00cmxb6tak4sa", "lower case"),
                ("00CMXB6TAk4SA", "a letter in lower case"),
                ("OoCMXB6TAK4SA", "O and o for 0"),
                ("0ILil00000000", "I, L, i and l for 1"),
                ("OILoil0000000", "all aliases"),
                ("00CM-XB6T-AK4SA", "hyphens"),
                ("-00CMXB6TAK4SA", "a hyphen in front"),
                ("00CMXB6TAK4SA-", "a hyphen behind"),
                ("00CMXB6TAK4-A", "a hyphen among 13 characters"),
                ("-", "a hyphen alone"),
                ("-------------", "13 hyphens"),
                ("CMXB6TAK4SA", "without its zeros"),
                ("0000CMXB6TAK4SA", "with more zeros"),
                ("U0CMXB6TAK4SA", "U"),
                ("00CMXB6TAK4SA*", "a check symbol"),
            ] {
                writer.strictly_and_leniently(text, comment);
            }
            writer.decode("0000Z", Some(5), false, "a width with leading zeros");
            writer.decode("0000z", Some(5), false, "a width in lower case");
            writer.decode("000OZ", Some(5), false, "a width with an alias");
        }
        "base64url" => {
            for (text, comment) in [
                ("AAAAAAAAAAE=", "padding"),
                ("AAAAAAAAAAE==", "more padding"),
                ("AAAAAAAAAA=", "padding in place of a digit"),
                ("=AAAAAAAAAAE", "padding in front"),
                ("AAAAA=AAAAE", "padding in the middle"),
                ("AAAAAAAAA+/", "the other base64"),
            ] {
                writer.strictly_and_leniently(text, comment);
            }
        }
        _ => {}
    }
    if writer.encoding == "base32hex" {
        for (text, comment) in
            [("cpnmuoj1", "RFC 4648"), ("cpnmuoj1======", "padding"), ("=", "padding alone"), ("a=b", "padding within")]
        {
            writer.strictly_and_leniently(text, comment);
        }
    }
    let own: String = digits.chars().skip(1).take(3).collect();
    for (text, comment) in [
        (format!(" {own}"), "a space in front"),
        (format!("{own} "), "a space behind"),
        (format!("{own}\n"), "a line end behind"),
    ] {
        writer.strictly_and_leniently(&text, comment);
    }
}

fn unknown_names(document: &mut Document) {
    for name in ["", "base63", "base64", "base32", "Hex", "HEX", "crockford ", "decimal\n", "digits"] {
        let encode = Case::new("encode", json!({ "value": "1", "encoding": name }));
        document.add(encode.flag("edge").comment("no encoding has this name"));
        let decode = Case::new("decode", json!({ "text": "1", "encoding": name }));
        document.add(decode.flag("edge").comment("no encoding has this name"));
    }
}
