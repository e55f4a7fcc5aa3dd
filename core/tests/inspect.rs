//! Inspection returns every interpretation that fits, the most plausible first, with reasons.

mod candidates;
mod dice;

use candidates::{NOW_MS, SECRET, YEAR_MS, first, first_of, found, why};
use dice::Dice;
use saiban::inspect::{Candidate, Reason};
use saiban::{Encoding, ErrorKind, Generator, Inspector, Layout, ManualClock, Options, RandflakeGenerator, Scheme};

#[test]
fn every_candidate_is_the_inspected_id_and_composes_it_again() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let randflake = RandflakeGenerator::build(&SECRET, &Options::node(0), &clock).expect("a generator");
    let mut dice = Dice::new(7);
    let numbers = (0..20_000).map(|_| dice.any_size()).chain([0, 1, -1, i64::MIN, i64::MAX]);
    for id in numbers {
        let candidates = found(&inspector, id);
        assert_eq!(inspector.inspect(id).len(), candidates.len());
        for parts in &candidates {
            assert_eq!(parts.id.as_i64(), Some(id));
            let (node, sequence) = (parts.node.unwrap_or(0) as i64, parts.sequence.unwrap_or(0) as i64);
            let timestamp_ms = parts.timestamp_ms.expect("a time");
            let again = match parts.scheme {
                Scheme::Snowflake | Scheme::Tsid => {
                    let layout = Layout::preset(parts.layout.expect("a preset's name")).expect("a preset");
                    layout.compose_ms(timestamp_ms, node, sequence)
                }
                Scheme::Randflake => randflake.compose(&(*parts).into()),
                _ => {
                    assert!(parts.scheme == Scheme::UlidFlake && id >= 0);
                    continue;
                }
            };
            assert_eq!(again, Ok(id), "{parts:?}");
        }
        // Every number can be a Randflake ID, or an ID of the layouts that use all 64 bits:
        // Discord's, Instagram's and Mastodon's.
        let schemes = |scheme| candidates.iter().filter(|parts| parts.scheme == scheme).count();
        assert_eq!(schemes(Scheme::Randflake), 1);
        assert_eq!(schemes(Scheme::Tsid), 3);
        assert_eq!(schemes(Scheme::Snowflake), if id < 0 { 3 } else { Layout::PRESETS.len() });
        // Both forms fit: stand-alone and scalable.
        assert_eq!(schemes(Scheme::UlidFlake), if id < 0 { 0 } else { 2 });
    }
}

#[test]
fn an_id_of_today_is_more_likely_than_one_of_the_future_or_of_long_ago() {
    let inspector = Inspector::at(NOW_MS);
    for (name, layout) in Layout::PRESETS {
        // Baidu's time ended in 2024.
        let made_ms = NOW_MS.min(layout.last_ms()) - 1_000;
        let id = layout.compose_ms(made_ms, 0, 5).expect("an ID");
        let candidates = inspector.inspect(id);
        let age_ms = NOW_MS - first(&candidates).parts().timestamp_ms.expect("a time");
        assert!((0..17 * YEAR_MS).contains(&age_ms), "{name}: {candidates:?}");
        let own = candidates.ranked().find(|candidate| candidate.parts().layout == Some(name)).expect("its own");
        assert!(own.is_plausible() && own.reasons().any(|reason| reason.name() == "time_plausible"));
    }
    let candidates = inspector.inspect(1_741_610_183_685_074_944);
    let future: Vec<bool> =
        candidates.ranked().map(|candidate| candidate.parts().timestamp_ms > Some(NOW_MS + 86_400_000)).collect();
    assert!(future.is_sorted() && future.contains(&true), "readings of the future come last: {future:?}");
}

#[test]
fn a_small_number_is_no_plausible_id() {
    for id in 0..100 {
        let candidates = Inspector::at(NOW_MS).inspect(id);
        assert!(!candidates.is_empty() && candidates.ranked().all(|candidate| !candidate.is_plausible()), "{id}");
    }
}

#[test]
fn every_form_is_read_in_any_case_with_a_reason() {
    // The texts are from RFC 9562, the ULID specification, MongoDB, gosuda and ulid-flake; the tick
    // IDs follow the format.
    let version = |number| format!("version bits say {number}");
    let examples = [
        ("017F22E2-79B0-7CC3-98C4-DC0C0C07398F", Scheme::UuidV7, None, version(7)),
        ("{017f22e2-79b0-7cc3-98c4-dc0c0c07398f}", Scheme::UuidV7, None, version(7)),
        ("urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6", Scheme::UuidV1, None, version(1)),
        ("URN:UUID:F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6", Scheme::UuidV1, None, version(1)),
        ("919108f752d143209bacf847db4148a8", Scheme::UuidV4, None, version(4)),
        ("1EC9414C-232A-6B00-B3C8-9F6BDECED846", Scheme::Uuid, Some("v6"), version(6)),
        ("5df41881-3aed-3515-88a7-2f4a814cf09e", Scheme::Uuid, Some("v3"), version(3)),
        ("00000000-0000-0000-0000-000000000000", Scheme::Uuid, Some("nil"), "all bits are 0".into()),
        ("FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF", Scheme::Uuid, Some("max"), "all bits are 1".into()),
        ("01ARZ3NDEKTSV4RRFFQ69G5FAV", Scheme::Ulid, None, "canonical text".into()),
        ("01arz3ndektsv4rrffq69g5fav", Scheme::Ulid, None, "length and alphabet are a ULID's".into()),
        ("507f191e810c19729de860ea", Scheme::ObjectId, None, "length and alphabet are an ObjectId's".into()),
        ("507F191E810C19729DE860EA", Scheme::ObjectId, None, "length and alphabet are an ObjectId's".into()),
        ("9m4e2mr0ui3e8a215n4g", Scheme::Xid, None, "canonical text".into()),
        ("9M4E2MR0UI3E8A215N4G", Scheme::Xid, None, "length and alphabet are an XID's".into()),
        ("0638996712000000000_0042", Scheme::TickId, Some("ascending"), "canonical text".into()),
        ("8584375324854775807_042", Scheme::TickId, Some("descending"), "canonical text".into()),
        ("00cmxb6tak4sa", Scheme::UlidFlake, None, "length and alphabet are a Ulid-Flake's".into()),
        ("175928847299117063", Scheme::Snowflake, Some("discord"), "time is plausible: 9 years ago".into()),
        ("0x271052C0DC21007", Scheme::Snowflake, Some("discord"), "if it is a number in hex".into()),
    ];
    for (text, scheme, layout, reason) in examples {
        let candidate = first_of(text);
        assert_eq!((candidate.parts().scheme, candidate.parts().layout), (scheme, layout), "{text}: {candidate:?}");
        assert!(why(&candidate).contains(&reason), "{text}: {:?}", why(&candidate));
    }
}

#[test]
fn numbers_of_every_width_are_read_with_a_sign_and_without() {
    let inspector = Inspector::at(NOW_MS);
    // Instagram's IDs are negative from 2046 on, or exceed 63 bits as unsigned numbers.
    let unsigned = first_of("18446744073709551615").parts().id;
    assert_eq!((unsigned.as_i64(), unsigned), (Some(-1), first_of("-1").parts().id));
    let schemes = |text: &str| {
        let found = inspector.inspect_text(text).expect("candidates");
        found.iter().map(|parts| parts.scheme).collect::<Vec<_>>()
    };
    // The numbers are the ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV, MongoDB's 507f191e810c19729de860ea, and
    // the largest number of 128 bits.
    assert_eq!(schemes("1777027686520646174104517696511196507")[0], Scheme::Ulid);
    assert_eq!(schemes("24912452986661892666266509546")[0], Scheme::ObjectId);
    assert_eq!(schemes(&u128::MAX.to_string())[0], Scheme::Uuid);
    assert!(inspector.inspect_text("340282366920938463463374607431768211456").is_err(), "a bit more");
    for (bits, id, scheme) in [
        (128, 0x017f_22e2_79b0_7cc3_98c4_dc0c_0c07_398f, Scheme::UuidV7),
        (128, 1_777_027_686_520_646_174_104_517_696_511_196_507, Scheme::Ulid),
        (96, 0x507f_191e_810c_1972_9de8_60ea, Scheme::ObjectId),
        (77, 6_389_967_120_000_000_000_042, Scheme::TickId),
        (64, 175_928_847_299_117_063, Scheme::Snowflake),
    ] {
        let found = inspector.inspect_wide(id, bits);
        assert_eq!(first(&found).parts().scheme, scheme);
        assert!(found.iter().all(|parts| parts.id.bits() == bits && parts.id.value() == id));
    }
    assert!(inspector.inspect_wide(1 << 64, 64).is_empty() && inspector.inspect_wide(1, 100).is_empty());
    assert!(inspector.inspect_wide(u128::MAX, 96).is_empty() && inspector.inspect_wide(u128::MAX, u32::MAX).is_empty());
}

#[test]
fn version_bits_rank_before_other_readings_of_128_bits() {
    // This ULID has the form of a UUID, and its version bits are 4 by chance.
    let found = Inspector::at(NOW_MS).inspect_text("018B5D35-D383-4809-B58A-3ED6F9CA67C5").expect("candidates");
    let schemes: Vec<Scheme> = found.iter().map(|parts| parts.scheme).collect();
    assert_eq!(schemes, [Scheme::UuidV4, Scheme::Ulid]);
    // The version bits of this ULID mean nothing. Source: python-ulid's README.
    let ulid = first_of("015ea15f6cd1c56689a373fab3f63ece");
    assert_eq!((ulid.parts().scheme, ulid.text().as_str()), (Scheme::Ulid, "01BTGNYV6HRNK8K8VKZASZCFPE"));
    assert_eq!(why(&ulid)[0], "in the form of a UUID");
}

#[test]
fn other_encodings_are_less_likely_and_listed_only_with_a_plausible_time() {
    let id = 1_541_815_603_606_036_480;
    for encoding in Encoding::ALL.into_iter().filter(|encoding| *encoding != Encoding::DECIMAL) {
        let text = encoding.encode(id);
        let found = Inspector::at(NOW_MS).inspect_text(&text).expect("candidates");
        let is_it =
            |candidate: &&Candidate| candidate.parts().layout == Some("twitter") && candidate.parts().id == id.into();
        let candidate = found.ranked().find(is_it).expect("the ID in that encoding");
        assert!(candidate.reasons().any(|reason| reason == Reason::OtherEncoding(encoding.name())), "{candidate:?}");
        assert!(candidate.score() < first_of(&id.to_string()).score());
    }
    for text in ["hello", "zz", "cafe", "11"] {
        let found = Inspector::at(NOW_MS).inspect_text(text).expect("a number in some encoding");
        assert!(found.ranked().all(|one| !one.reasons().any(|reason| matches!(reason, Reason::OtherEncoding(_)))));
    }
}

#[test]
fn tick_ids_are_found_in_encodings_of_full_width() {
    let id = 6_389_000_000_000_000_000_042;
    for encoding in [Encoding::CROCKFORD, Encoding::BASE64URL] {
        let text = encoding.encode_wide(id, 77).expect("text");
        let found = Inspector::at(NOW_MS).inspect_text(&text).expect("candidates");
        assert!(
            found.iter().any(|parts| parts.scheme == Scheme::TickId && parts.id.value() == id),
            "{text}: {found:?}"
        );
    }
}

#[test]
fn text_that_no_format_reads_is_a_text_error() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let error = inspector.inspect_text("00CMXB6TAK4S!").expect_err("a bad character");
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::TextCharacter, Some(12)),
        "the form that the text is most like"
    );
    let error = inspector.inspect_text("017f22e2-79b0-7cc3-98c4-dc0c0c07398g").expect_err("a bad character");
    assert_eq!((error.kind(), error.position()), (ErrorKind::TextCharacter, Some(35)));
    // Found by fuzzing: the position counts the prefix too.
    let error = inspector.inspect_text("0X00000TFCZG800").expect_err("a bad character");
    assert_eq!((error.kind(), error.position()), (ErrorKind::TextCharacter, Some(7)));
    for text in ["", "!", "-", "é", "0x", "\0", "-1x", "😀😀😀😀😀😀😀😀😀😀😀😀😀", " 1", "1 "]
    {
        let error = inspector.inspect_text(text).expect_err("no ID");
        assert!(error.kind().name().starts_with("TEXT_"), "{text:?}: {error}");
    }
}

#[test]
fn ids_of_fewer_bits_are_found_in_the_form_of_a_uuid() {
    let object_id = 0x507f_191e_810c_1972_9de8_60ea_u128;
    for (bits, id, scheme, text) in [
        (96, object_id, Scheme::ObjectId, "507f191e810c19729de860ea"),
        (77, 6_389_000_000_000_000_000_042, Scheme::TickId, "0638900000000000000_0042"),
        (64, 175_928_847_299_117_063, Scheme::Snowflake, "175928847299117063"),
    ] {
        for form in Encoding::UUID_FORMS {
            let written = form.encode_wide(id, bits).expect("the form of a UUID");
            let candidate = first_of(&written);
            assert_eq!((candidate.parts().scheme, candidate.text().as_str()), (scheme, text), "{written}");
            assert_eq!(why(&candidate)[0], "in the form of a UUID");
        }
    }
    // These version bits name version 4, which has no time, so UUID v4 comes first.
    let found = Inspector::at(NOW_MS).inspect_text("00000000-507f-491e-810c-19729de860ea").expect("candidates");
    let schemes: Vec<Scheme> = found.iter().map(|parts| parts.scheme).collect();
    assert_eq!(schemes[..2], [Scheme::UuidV4, Scheme::ObjectId]);
    // Without 32 leading zeros, it is not an ObjectId.
    let found = Inspector::at(NOW_MS).inspect_text("00000001-507f-491e-810c-19729de860ea").expect("candidates");
    assert!(found.iter().all(|parts| parts.scheme != Scheme::ObjectId));
}

#[test]
fn parts_of_a_node_are_shown_by_their_names() {
    let named = Layout::from_text("timestamp:42,epoch=2024-01-01 node.datacenter:5 node.worker:5 sequence:12");
    let named = named.expect("a layout");
    let plain = Layout::from_text("timestamp:42,epoch=2023-01-01 node:10 sequence:12").expect("a layout");
    let layouts = [named, plain, Layout::DISCORD];
    let inspector = layouts.iter().try_fold(Inspector::at(NOW_MS), Inspector::layout).expect("three layouts");
    let id = named.compose_ms(NOW_MS - 1, 67, 0).expect("an ID");
    let found = inspector.inspect(id);
    let mut count = 0;
    for candidate in found.ranked() {
        let names: Vec<(&str, u64)> = inspector.node_parts(candidate).collect();
        let wanted: &[(&str, u64)] = match (candidate.parts().layout, candidate.layout_index()) {
            (None, Some(0)) => &[("datacenter", 2), ("worker", 3)],
            (Some("discord"), Some(2)) => &[("worker", 2), ("process", 3)],
            _ => &[],
        };
        assert_eq!(names, wanted, "{candidate:?}");
        count += names.len();
    }
    assert_eq!(count, 4);
    // Discord's node parts are shown without its layout given, and with another epoch.
    let elsewhere = Inspector::at(NOW_MS).epoch_ms(1_500_000_000_000).expect("an epoch");
    let found = elsewhere.inspect(175_928_847_299_117_063);
    let discord = found.ranked().find(|candidate| candidate.parts().layout == Some("discord")).expect("a candidate");
    assert!(elsewhere.node_parts(discord).eq([("worker", 1), ("process", 0)]));
}

#[test]
fn only_a_number_of_64_bits_may_be_an_encrypted_randflake_id() {
    let without = || Inspector::at(NOW_MS);
    for text in ["fphhelk04q8f8", "-4594531474933654033", "4594531474933654033", "18446744073709551615"] {
        assert!(without().may_be_randflake(text), "{text}");
        assert!(!without().scheme(Scheme::Uuid).may_be_randflake(text));
        assert!(!without().secret(&SECRET).expect("one secret").may_be_randflake(text));
    }
    for text in ["5", "vvv", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f", "507f191e810c19729de860ea", "not!"] {
        assert!(!without().may_be_randflake(text), "{text}");
    }
}

#[test]
fn text_that_is_read_but_fits_nothing_has_no_candidates() {
    // Without the secret, this Randflake ID is neither a decimal number nor Crockford text.
    let inspector = Inspector::at(NOW_MS);
    let found = inspector.inspect_text("fphhelk04q8f8").expect("it can be read");
    assert!(found.iter().all(|parts| parts.scheme != Scheme::Randflake));
    let found = inspector.secret(&SECRET).expect("one secret").inspect_text("fphhelk04q8f8").expect("candidates");
    assert!(found.iter().any(|parts| parts.scheme == Scheme::Randflake));
    assert!(Inspector::at(NOW_MS).inspect_text("vvv").is_ok_and(|candidates| candidates.is_empty()));
}

#[test]
fn two_equal_readings_are_one_candidate() {
    // Found by fuzzing: a single digit is the same number in decimal and in base32hex.
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret").scheme(Scheme::Randflake);
    for digit in '0'..='9' {
        let found = inspector.inspect_text(&digit.to_string()).expect("a digit");
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn reasons_are_described_in_words() {
    let reasons = [
        (Reason::CanonicalText, "canonical text"),
        (Reason::DecimalNumber, "a decimal number"),
        (Reason::Width(96), "a number of 96 bits"),
        (Reason::Decrypted(Some(2)), "decrypted with the secret of secret_index 2"),
        (Reason::TimePlausible(0), "time is plausible: 0 seconds ago"),
        (Reason::TimePlausible(-59_999), "time is plausible: 59 seconds ahead"),
        (Reason::TimePlausible(60_000), "time is plausible: 1 minute ago"),
        (Reason::TimePlausible(3 * 3_600_000), "time is plausible: 3 hours ago"),
        (Reason::TimePlausible(YEAR_MS - 1), "time is plausible: 365 days ago"),
        (Reason::TimePlausible(YEAR_MS), "time is plausible: 1 year ago"),
        (Reason::TimeFuture(2 * YEAR_MS), "time is in the future: 2 years ahead"),
        (Reason::TimeBeforeFormat, "time is before the format existed"),
        (Reason::SmallParts, "node and sequence are small"),
    ];
    for (reason, words) in reasons {
        assert_eq!(reason.to_string(), words);
        assert!(reason.name().bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_'));
    }
    let old = first_of("6ccd780c-baba-1026-9564-5b8c656024db");
    assert!(why(&old).contains(&"time is before the format existed".into()), "MySQL's example is of 1617");
}
