//! Cases of unsigned numbers of 16 to 128 bits as text.

use crate::document::{Case, Document};
use crate::family::{most, random};
use crate::rng::Rng;
use crate::scheme::with_character;
use saiban::Encoding;
use serde_json::{Value, json};

const SIZES: [u32; 5] = [16, 53, 65, 96, 128];
const FORMS: [&str; 4] = ["hyphenated", "simple", "braced", "urn"];

struct Writer<'a> {
    document: &'a mut Document,
    encoding: &'static str,
    bits: u32,
}

impl Writer<'_> {
    fn case(&self, op: &'static str, mut given: Value, width: Option<i64>) -> Case {
        given["encoding"] = json!(self.encoding);
        given["bits"] = json!(self.bits);
        if let Some(width) = width {
            given["width"] = json!(width);
        }
        Case::new(op, given)
    }

    fn both_ways(&mut self, value: u128, width: Option<i64>, flag: &'static str) -> Option<String> {
        let case = self.case("encode_wide", json!({ "value": value.to_string() }), width);
        let text = self.document.ask(&case)["out"]["text"].as_str().map(str::to_owned);
        self.document.add(case.flag(flag));
        if let Some(text) = &text {
            let decode = self.case("decode_wide", json!({ "text": text }), width);
            self.document.add(decode.flag(flag));
        }
        text
    }

    fn read(&mut self, text: &str, comment: &str) {
        for lenient in [false, true] {
            let given = if lenient { json!({ "text": text, "lenient": true }) } else { json!({ "text": text }) };
            let case = self.case("decode_wide", given, None);
            self.document.add(case.flag("edge").comment(comment));
        }
    }
}

pub fn document() -> Document {
    let mut document = Document::new(
        "encoding-wide",
        &[
            "RFC 4648, sections 5 (base64url), 7 (base32hex), 8 (hex)",
            "Douglas Crockford, Base 32: crockford.com/base32.html",
            "Bitcoin, base58.cpp (the alphabet)",
            "RFC 9562 section 4 (the forms of a UUID)",
            "saiban, vectors/README.md: widths, leniency and the order of errors",
        ],
    );
    let names: Vec<&'static str> = Encoding::ALL.iter().map(Encoding::name).chain(FORMS).collect();
    for (index, encoding) in names.into_iter().enumerate() {
        for (place, bits) in SIZES.into_iter().enumerate() {
            let mut rng = Rng::new(0x7769_6465 + (index * SIZES.len() + place) as u64);
            let mut writer = Writer { document: &mut document, encoding, bits };
            if encoding == "binary" && ![16, 128].contains(&bits) {
                continue;
            }
            values(&mut writer, &mut rng);
            widths(&mut writer, &mut rng);
            bad(&mut writer, &mut rng);
        }
        for bits in [0, 15, 129, 1_000] {
            let writer = Writer { document: &mut document, encoding, bits };
            let encode = writer.case("encode_wide", json!({ "value": "5" }), None);
            let decode = writer.case("decode_wide", json!({ "text": "5" }), None);
            document.add(encode.flag("edge").comment("so many bits that there is no ID of them"));
            document.add(decode.flag("edge").comment("so many bits that there is no ID of them"));
        }
    }
    for name in ["Hex", "base64", "", "guid"] {
        let given = json!({ "value": "5", "encoding": name, "bits": 128 });
        document.add(Case::new("encode_wide", given).flag("edge").comment("no encoding has this name"));
    }
    published(&mut document);
    document
}

fn published(document: &mut Document) {
    let mut both = |value: u128, encoding: &'static str, bits: u32, text: &str, source: &str| {
        let writer = Writer { document, encoding, bits };
        let case = writer.case("encode_wide", json!({ "value": value.to_string() }), None);
        assert_eq!(writer.document.ask(&case)["out"]["text"], text, "{source}");
        let back = writer.case("decode_wide", json!({ "text": text }), None);
        document.add(case.source(source));
        document.add(back.source(source));
    };
    let rfc = 0x017F_22E2_79B0_7CC3_98C4_DC0C_0C07_398F;
    both(rfc, "hyphenated", 128, "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "RFC 9562, appendix A.6");
    // The bytes fill whole groups of digits, so the digits of the number and of the bytes are
    // equal.
    both(0x666f_6f62_6172, "base64url", 48, "Zm9vYmFy", "RFC 4648, section 10: BASE64(\"foobar\")");
    both(0x66_6f6f_6261, "base32hex", 40, "cpnmuoj1", "RFC 4648, section 10: BASE32-HEX(\"fooba\"), in lower case");
    both(0x666f_6f62_6172, "hex", 48, "666f6f626172", "RFC 4648, section 10: BASE16(\"foobar\"), in lower case");
    let ulid = 1_469_922_850_259 << 80 | 1_012_768_647_078_601_740_696_923;
    both(ulid, "crockford", 128, "01ARZ3NDEKTSV4RRFFQ69G5FAV", "github.com/ulid/spec, README");
}

fn values(writer: &mut Writer, rng: &mut Rng) {
    let bits = writer.bits;
    for value in [0, 1, most(bits), most(bits) - 1, 1 << (bits - 1), most(bits - 1)] {
        writer.both_ways(value, None, "edge");
    }
    for _ in 0..2 {
        let fewer = rng.below(bits.into()) as u32 + 1;
        writer.both_ways(random(rng, fewer), None, "random");
    }
    if bits < 128 {
        writer.both_ways(1 << bits, None, "edge");
        writer.both_ways(u128::MAX, None, "edge");
    }
}

fn widths(writer: &mut Writer, rng: &mut Rng) {
    let encoding = Encoding::from_name(writer.encoding).expect("an encoding");
    let full = encoding.full_width_of(writer.bits).expect("a width") as i64;
    for width in [-1, 0, 1, full - 1, full, full + 1] {
        writer.both_ways(1, Some(width), "edge");
    }
    writer.both_ways(most(writer.bits), Some(full), "edge");
    writer.both_ways(most(writer.bits), Some(full - 1), "edge");
    let value = random(rng, writer.bits);
    if let Some(text) = writer.both_ways(value, Some(full), "random") {
        let short = writer.case("decode_wide", json!({ "text": text[1..] }), Some(full));
        writer.document.add(short.flag("edge").comment("text that is shorter than the width"));
    }
}

fn bad(writer: &mut Writer, rng: &mut Rng) {
    writer.read("", "nothing");
    writer.read("-", "a sign alone");
    writer.read("-1", "a negative number");
    let value = random(rng, writer.bits) | 1 << (writer.bits - 1);
    let text = writer.both_ways(value, None, "random").expect("a text");
    let position = rng.below(text.len() as u64) as usize;
    for character in ['!', 'é', '😀', 'U'] {
        writer.read(&with_character(&text, position, character), "a bad character, or one of the alphabet's");
    }
    writer.read(&text.to_uppercase(), "upper case");
    writer.read(&text.to_lowercase(), "lower case");
    writer.read(&format!("00{text}"), "leading zeros");
    writer.read(&format!("{text}="), "padding");
    let last = text.chars().map(|_| 'z').collect::<String>();
    writer.read(&last, "as many z");
    writer.read(&"9".repeat(text.len()), "as many 9");
    writer.read(&"1".repeat(text.len() + 1), "a digit too many");
    if writer.encoding == "crockford" {
        let mut hyphens = text.clone();
        hyphens.insert(2, '-');
        writer.read(&hyphens, "a hyphen");
        writer.read(&with_character(&text, text.len() - 1, 'O'), "O for 0");
        writer.read(&with_character(&text, text.len() - 1, 'l'), "l for 1");
    }
    if writer.bits == 128 {
        writer.read(&"0".repeat(128), "128 zeros");
        writer.read(&"0".repeat(129), "129 zeros");
    }
}
