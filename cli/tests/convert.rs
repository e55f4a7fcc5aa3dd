//! `saiban convert`: an ID stays equal in every encoding and width.

mod common;

use common::{refused, saiban, stdout};
use saiban::{AnyId, Encoding, IdValue};

fn encodings() -> impl Iterator<Item = Encoding> + Clone {
    Encoding::ALL.into_iter().chain(Encoding::UUID_FORMS)
}

#[test]
fn an_id_is_the_same_in_every_pair_of_encodings() {
    const PUBLISHED: u128 = 0x0189_0a5d_ac96_774b_bcce_b302_099a_8057;
    for bits in [16, 64, 96, 128] {
        let largest = u128::MAX >> (128 - bits);
        let ids = [0, 1, 255, PUBLISHED & largest, largest >> 1, largest];
        let texts = |encoding: Encoding| {
            let id = |id: u128| if bits == 64 { AnyId::from(id as u64 as i64) } else { id.any(bits) };
            let text = |value| match id(value) {
                narrow if bits == 16 => encoding.encode_wide(narrow.value(), bits),
                any => any.encode(encoding),
            };
            ids.map(|value| text(value).expect("an ID of so many bits").to_string())
        };
        let width = bits.to_string();
        for from in encodings() {
            // A decimal number of 64 bits may begin with a minus sign, so `--` ends the options.
            for to in encodings() {
                let given = texts(from);
                let mut arguments = vec!["convert", "--from", from.name(), "--to", to.name(), "--bits", &width, "--"];
                arguments.extend(given.iter().map(String::as_str));
                let wanted: String = texts(to).iter().map(|text| format!("{text}\n")).collect();
                assert_eq!(stdout(&arguments), wanted, "{} bits from {} to {}", bits, from.name(), to.name());
            }
        }
    }
}

#[test]
fn ulid_uuid_and_hex_are_one_number() {
    // The documentation of several libraries shows this ULID as this UUID.
    let (ulid, uuid) = ("01ARZ3NDEKTSV4RRFFQ69G5FAV", "01563e3a-b5d3-d676-4c61-efb99302bd5b");
    let hex = uuid.replace('-', "").trim_start_matches('0').to_owned();
    let convert = |from: &str, to: &str, text: &str, more: &[&str]| {
        stdout(&[&["convert", "--from", from, "--to", to, text], more].concat()).trim_end().to_owned()
    };
    assert_eq!(convert("crockford", "hyphenated", ulid, &[]), uuid);
    assert_eq!(convert("hyphenated", "crockford", uuid, &[]), ulid);
    assert_eq!(convert("hyphenated", "hex", uuid, &[]), hex);
    assert_eq!(convert("hex", "urn", &hex, &[]), format!("urn:uuid:{uuid}"));
    assert_eq!(convert("crockford", "hex", ulid, &["--bits", "128"]), hex);
    assert_eq!(convert("hex", "crockford", &hex, &["--bits", "128"]), ulid);
    assert_eq!(convert("hex", "hex", &hex, &["--bits", "128", "--width", "32"]), uuid.replace('-', ""));
    assert_eq!(
        convert("hyphenated", "simple", &format!("{{{}}}", uuid.to_uppercase()), &["--lenient"]),
        uuid.replace('-', "")
    );
    // Source: MongoDB's manual, where an ObjectId is 24 hexadecimal digits.
    assert_eq!(convert("hex", "base64url", "507f1f77bcf86cd799439011", &["--bits", "96"]), "UH8fd7z4bNeZQ5AR");
}

#[test]
fn json_shows_the_number_whatever_its_width() {
    let line = stdout(&[
        "convert",
        "--from",
        "hyphenated",
        "--to",
        "base58",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
        "--json",
    ]);
    let found: serde_json::Value = serde_json::from_str(&line).expect("a JSON object");
    assert_eq!(found["id"], u128::MAX.to_string());
    assert_eq!(found["text"], Encoding::BASE58.encode_wide(u128::MAX, 128).expect("128 bits").as_str());
}

#[test]
fn an_id_that_does_not_fit_is_refused_with_a_remedy() {
    let ulid = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    refused(&["convert", "--from", "crockford", "--to", "hex", ulid], &["26 characters", "--bits", "128 for a ULID"]);
    let limits = ["-9223372036854775808 to 9223372036854775807", "--bits"];
    for unsigned in ["18446744073709551615", "18446744073709551616", "9223372036854775808"] {
        refused(&["convert", "--from", "decimal", "--to", "hex", unsigned], &limits);
    }
    refused(
        &["convert", "--from", "crockford", "--to", "hex", "--bits", "128", "8ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
        &["128 bits"],
    );
    refused(&["convert", "--from", "hex", "--to", "decimal", "--bits", "16", "10000"], &["10000", "1 to 4"]);
    refused(&["convert", "--from", "decimal", "--to", "hex", "--bits", "16", "65536"], &["65536", "16 bits"]);
    refused(&["convert", "--from", "decimal", "--to", "hex", "--bits", "128", "--", "-1"], &["-1"]);
    refused(&["convert", "--from", "hex", "--to", "decimal", "--bits", "129", "1"], &["--bits", "129", "16 to 128"]);
    refused(&["convert", "--from", "hex", "--to", "decimal", "--bits", "15", "1"], &["--bits", "15", "16 to 128"]);
    refused(&["convert", "--from", "hex", "--to", "decimal", "--bits", "many", "1"], &["--bits", "many"]);
    refused(&["convert", "--from", "hyphenated", "--to", "hex", "017f22e2"], &["8 characters", "36"]);
    refused(
        &["convert", "--from", "hyphenated", "--to", "hex", "--bits", "64", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"],
        &["64 bits"],
    );
    refused(&["convert", "--from", "guid", "--to", "hex", "1"], &["guid", "hyphenated"]);
    // More bits do not help if the text is too short.
    for (encoding, text) in [("hex", ""), ("crockford", "01ARZ3"), ("base64url", "AAAA")] {
        let message = refused(&["convert", "--from", encoding, "--to", "decimal", text], &["characters: give"]);
        assert!(!message.contains("--bits"), "{message}");
    }
    let output =
        saiban(&["convert", "--from", "hex", "--to", "decimal"]).write_stdin(b"1\n\xff\n".to_vec()).assert().code(2);
    let message = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(message.starts_with("saiban: line 2: not text (UTF-8)"), "{message}");
    assert_eq!(output.get_output().stdout, b"1\n");
    let input = format!("01\n{ulid}\n");
    let output = saiban(&["convert", "--from", "crockford", "--to", "hyphenated"]).write_stdin(input).assert().code(2);
    assert!(String::from_utf8_lossy(&output.get_output().stderr).contains("line 1"));
}
