//! The forms of a UUID: each has one text, which decodes to that UUID, and every other text is
//! refused with the position of its fault.

mod dice;

use dice::Dice;
use saiban::encoding::{UuidForm, uuid_from_bytes, uuid_from_guid_bytes, uuid_to_bytes, uuid_to_guid_bytes};
use saiban::{Encoding, Error, ErrorKind, Leniency};

/// RFC 9562, sections 4, 5.9 and 5.10 and appendices A and B, with their numbers, in lower case.
const PUBLISHED: [(&str, u128); 11] = [
    ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", 0xf81d4fae_7dec_11d0_a765_00a0c91e6bf6),
    ("00000000-0000-0000-0000-000000000000", 0),
    ("ffffffff-ffff-ffff-ffff-ffffffffffff", u128::MAX),
    ("c232ab00-9414-11ec-b3c8-9f6bdeced846", 0xc232ab00_9414_11ec_b3c8_9f6bdeced846),
    ("5df41881-3aed-3515-88a7-2f4a814cf09e", 0x5df41881_3aed_3515_88a7_2f4a814cf09e),
    ("919108f7-52d1-4320-9bac-f847db4148a8", 0x919108f7_52d1_4320_9bac_f847db4148a8),
    ("2ed6657d-e927-568b-95e1-2665a8aea6a2", 0x2ed6657d_e927_568b_95e1_2665a8aea6a2),
    ("1ec9414c-232a-6b00-b3c8-9f6bdeced846", 0x1ec9414c_232a_6b00_b3c8_9f6bdeced846),
    ("017f22e2-79b0-7cc3-98c4-dc0c0c07398f", 0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f),
    ("2489e9ad-2ee2-8e00-8ec9-32d5f69181c0", 0x2489e9ad_2ee2_8e00_8ec9_32d5f69181c0),
    ("5c146b14-3c52-8afd-938a-375d0df1fbf6", 0x5c146b14_3c52_8afd_938a_375d0df1fbf6),
];

/// Returns the text of a form, from the hyphenated text.
fn form_of(form: UuidForm, hyphenated: &str) -> String {
    match form {
        UuidForm::Hyphenated => hyphenated.to_string(),
        UuidForm::Simple => hyphenated.replace('-', ""),
        UuidForm::Braced => format!("{{{hyphenated}}}"),
        UuidForm::Urn => format!("urn:uuid:{hyphenated}"),
    }
}

fn any(dice: &mut Dice) -> u128 {
    u128::from(dice.next()) << 64 | u128::from(dice.next())
}

#[test]
fn the_published_uuids_are_written_in_every_form() {
    for (hyphenated, uuid) in PUBLISHED {
        for form in UuidForm::ALL {
            let text = form_of(form, hyphenated);
            assert_eq!(form.encode(uuid).as_str(), text);
            assert_eq!(form.width(), text.len());
            assert_eq!(form.decode(&text, Leniency::Strict), Ok(uuid));
            for text in [text.clone(), text.to_ascii_uppercase()] {
                assert_eq!(form.decode(&text, Leniency::AnyCase), Ok(uuid));
                assert_eq!(UuidForm::read_any(&text), Ok(uuid));
                for other in UuidForm::ALL {
                    assert_eq!(other.decode(&text, Leniency::Lenient), Ok(uuid));
                }
            }
        }
        assert_eq!(
            Encoding::HEX.decode_wide_as(&hyphenated.replace('-', ""), 128, Some(32), Leniency::Strict),
            Ok(uuid)
        );
    }
    // The figure of section 4: the same UUID as an integer.
    let (_, uuid) = PUBLISHED[0];
    let decimal = Encoding::DECIMAL.decode_wide("329800735698586629295641978511506172918", 128);
    assert_eq!(decimal, Ok(uuid));
    let binary = "11111000000111010100111110101110011111011110110000010001110100001010011101100101000000001010000011001001000111100110101111110110";
    assert_eq!(Encoding::BINARY.decode_wide(binary, 128), Ok(uuid));
}

#[test]
fn every_uuid_round_trips_through_each_of_its_texts() {
    let mut dice = Dice::new(9);
    for _ in 0..2_000 {
        let uuid = any(&mut dice) >> dice.below(128);
        for form in UuidForm::ALL {
            let text = form.encode(uuid);
            assert_eq!(form.decode(&text, Leniency::Strict), Ok(uuid), "{text}");
            assert_eq!(UuidForm::read_any(&text), Ok(uuid), "{text}");
        }
        let text = UuidForm::Simple.encode(uuid);
        assert_eq!(text.as_str(), format!("{uuid:032x}"));
    }
}

#[test]
fn hyphenated_text_sorts_as_the_numbers() {
    let mut dice = Dice::new(10);
    let mut uuids: Vec<u128> = (0..2_000).map(|_| any(&mut dice)).collect();
    uuids.sort_unstable();
    for form in UuidForm::ALL {
        assert!(uuids.iter().map(|uuid| form.encode(*uuid).to_string()).is_sorted(), "{form}");
    }
}

#[test]
fn a_letter_of_the_other_case_is_named_by_strict_readers() {
    let mut letters = 0;
    for (hyphenated, uuid) in PUBLISHED {
        for form in UuidForm::ALL {
            let text = form_of(form, hyphenated);
            for position in (0..text.len()).filter(|position| text.as_bytes()[*position].is_ascii_alphabetic()) {
                let mut other = text.clone();
                other[position..=position].make_ascii_uppercase();
                let error = form.decode(&other, Leniency::Strict).expect_err("upper case");
                assert_eq!((error.kind(), error.position()), (ErrorKind::TextNotCanonical, Some(position)), "{other}");
                assert_eq!(form.decode(&other, Leniency::AnyCase), Ok(uuid));
                letters += 1;
            }
        }
    }
    assert!(letters > 300, "{letters}");
}

#[test]
fn a_bad_character_is_named_wherever_it_stands() {
    let (hyphenated, _) = PUBLISHED[8];
    for form in UuidForm::ALL {
        let good = form_of(form, hyphenated);
        for position in 0..good.len() {
            for bad in ['g', '!', ' ', '\0', 'é', '😀', '\u{7f}', '-', '{', '}', ':', '0'] {
                let was = char::from(good.as_bytes()[position]);
                if was == bad || (was.is_ascii_hexdigit() && bad == '0' && (position > 8 || form != UuidForm::Urn)) {
                    continue;
                }
                let text = format!("{}{bad}{}", &good[..position], &good[position + 1..]);
                for answer in [
                    form.decode(&text, Leniency::Strict),
                    form.decode(&text, Leniency::AnyCase),
                    UuidForm::read_any(&text),
                ] {
                    let error = answer.expect_err("a bad character");
                    assert!(
                        matches!(error, Error::TextCharacter { position: at, character, .. } if at == position && character == bad),
                        "{text:?} {error}"
                    );
                }
            }
        }
    }
    // The first of several faults is reported.
    let error = UuidForm::Hyphenated.decode("017f22e2-79b0-7Gc3_98c4-dc0c0c07398é", Leniency::Strict).expect_err("bad");
    assert_eq!((error.kind(), error.position()), (ErrorKind::TextCharacter, Some(15)));
}

#[test]
fn text_of_another_length_or_form_is_refused() {
    let (hyphenated, _) = PUBLISHED[8];
    for form in UuidForm::ALL {
        let good = form_of(form, hyphenated);
        for text in ["", &good[1..], &format!("{good}0"), &format!(" {good}"), &"é".repeat(form.width() + 1)] {
            let error = form.decode(text, Leniency::Strict).expect_err("another length");
            assert_eq!(error.kind(), ErrorKind::TextLength, "{text}");
            assert!(error.to_string().contains(form.name()), "{error}");
        }
        for other in UuidForm::ALL.into_iter().filter(|other| *other != form) {
            for leniency in [Leniency::Strict, Leniency::AnyCase] {
                let error = form.decode(&form_of(other, hyphenated), leniency).expect_err("another form");
                assert_eq!(error.kind(), ErrorKind::TextLength);
            }
        }
        // `é` replaces two digits: the text has as many bytes, but one character fewer.
        let error = form.decode(&format!("{}é", &good[..good.len() - 2]), Leniency::Strict).expect_err("too short");
        assert_eq!(error.kind(), ErrorKind::TextLength);
    }
    for length in (0..60).filter(|length| ![32, 36, 38, 45].contains(length)) {
        assert_eq!(UuidForm::read_any(&"0".repeat(length)), Err(Error::UuidLength { length }));
    }
    // Hyphens are in other places, or braces do not match.
    assert!(UuidForm::read_any("017f22e27-9b0-7cc3-98c4-dc0c0c07398f").is_err());
    assert!(UuidForm::read_any("(017f22e2-79b0-7cc3-98c4-dc0c0c07398f)").is_err());
    assert!(UuidForm::read_any("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f{").is_err());
}

#[test]
fn forms_have_the_names_that_every_language_has() {
    assert_eq!(UuidForm::ALL.map(UuidForm::name), ["hyphenated", "simple", "braced", "urn"]);
    for form in UuidForm::ALL {
        assert_eq!(UuidForm::from_name(form.name()), Ok(form));
        assert_eq!(form.to_string(), form.name());
    }
    for name in ["", "Hyphenated", "guid", "urn "] {
        let error = UuidForm::from_name(name).expect_err("no form");
        assert_eq!(error.kind(), ErrorKind::UnknownName);
    }
    assert_eq!(UuidForm::default(), UuidForm::Hyphenated);
}

#[test]
fn guid_bytes_have_the_first_three_groups_reversed() {
    let uuid = 0x00112233_4455_6677_8899_aabbccddeeff;
    let plain = [0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff];
    let guid = [0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66, 0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff];
    assert_eq!((uuid_to_bytes(uuid), uuid_from_bytes(plain)), (plain, uuid));
    assert_eq!((uuid_to_guid_bytes(uuid), uuid_from_guid_bytes(guid)), (guid, uuid));
    let mut dice = Dice::new(11);
    for _ in 0..1_000 {
        let uuid = any(&mut dice);
        assert_eq!(uuid_from_bytes(uuid_to_bytes(uuid)), uuid);
        let bytes = uuid_to_guid_bytes(uuid);
        assert_eq!(uuid_from_guid_bytes(bytes), uuid);
        // The bytes match a struct of a 32-bit number, two 16-bit numbers and eight bytes in
        // little-endian memory.
        assert_eq!(bytes[..4], ((uuid >> 96) as u32).to_le_bytes());
        assert_eq!(bytes[4..6], ((uuid >> 80) as u16).to_le_bytes());
        assert_eq!(bytes[6..8], ((uuid >> 64) as u16).to_le_bytes());
        assert_eq!(bytes[8..], (uuid as u64).to_be_bytes());
    }
}
