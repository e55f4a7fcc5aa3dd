//! Cases of XID: those of ObjectId, and its own text.

use crate::document::Document;
use crate::family::{Writer, random};
use crate::objectid::{of_scheme, parts};
use crate::rng::Rng;
use crate::scheme::with_character;
use saiban::Encoding;

const TESTS: &str = "github.com/rs/xid 1.5, id_test.go";

pub fn document() -> Document {
    let mut document = Document::new(
        "xid",
        &[
            "github.com/rs/xid 1.5, README; id_test.go",
            "RFC 4648, section 7 (base32hex)",
            "saiban, vectors/README.md: clock, window and wait",
        ],
    );
    of_scheme(&mut document, 0x0078_6964, text, published, texts);
    document
}

fn text(id: u128) -> String {
    Encoding::XID.encode_wide(id, 96).expect("96 bits").to_string()
}

/// Adds published IDs of a time, a machine and process, and a counter.
fn published(writer: &mut Writer) {
    for (seconds, node, counter) in [(1_300_816_219, 0x60_f486_e428, 4_271_561), (0, 0, 0), (0, 0xaa_bbcc_ddee, 1)] {
        writer.compose(&parts(seconds * 1_000, node, counter), &["edge", "published"], TESTS);
    }
}

fn texts(writer: &mut Writer, rng: &mut Rng) {
    let valid = text(random(rng, 96) | 1 << 95);
    let bad = ['w', 'W', 'z', '-', ' ', 'é', '５', '\n', '😀', 'ı', '@', '`'];
    for position in 0..valid.len() {
        writer.read_as(&with_character(&valid, position, bad[position % bad.len()]), false, "a bad character");
    }
    for last in "123efghuvG".chars() {
        writer.read(&with_character(&valid, 19, last), "of the last character one bit alone is the ID's");
    }
    for (text, comment) in [
        ("", "nothing"),
        ("invalid", "a word"),
        ("00000000000000000000", "the first"),
        ("vvvvvvvvvvvvvvvvvvvg", "the last"),
        ("vvvvvvvvvvvvvvvvvvvv", "more than 96 bits"),
        ("9m4e2mr0ui3e8a215n4g", "a valid one"),
        ("9M4E2MR0UI3E8A215N4G", "upper case"),
        ("9m4e2mr0ui3E8a215n4g", "both cases"),
        ("9m4e2mr0ui3e8a215n4", "19 characters"),
        ("9m4e2mr0ui3e8a215n4g0", "21 characters"),
        ("09m4e2mr0ui3e8a215n4g", "a leading zero too many"),
        ("9m4e2mr0ui3e8a215n4=", "padding"),
        ("9m4e2mr0ui3e8a215n4g====", "all of the padding"),
        ("9m4e-2mr0ui3e8a215n4g", "a hyphen"),
        ("4d88e15b60f486e428412dc9", "an ObjectId's text"),
        ("TYjhW2D0huQoQS3kdk", "another ID's text"),
        ("c6e52g2mrqcjl44hf179", "bits after the last"),
    ] {
        writer.read(text, comment);
    }
}
