//! Inspection: whatever it is given, it answers with what fits, the most plausible first, and says why.

mod dice;

use dice::Dice;
use saiban::cursor::Cursor;
use saiban::inspect::{Candidate, Candidates, Reason};
use saiban::{Encoding, ErrorKind, Inspector, Layout, ManualClock, Options, Parts, Randflake, Scheme, Secret};

const NOW_MS: i64 = 1_763_700_000_000;
const YEAR_MS: i64 = 31_557_600_000;
const SECRET: Secret = Secret::new([0x5a; 16]);

fn found(inspector: &Inspector, id: i64) -> Vec<Parts> {
    inspector.inspect(id).iter().copied().collect()
}

fn first(candidates: &Candidates) -> Candidate {
    *candidates.ranked().next().expect("a candidate")
}

fn first_of(text: &str) -> Candidate {
    first(&Inspector::at(NOW_MS).inspect_text(text).expect("candidates"))
}

fn why(candidate: &Candidate) -> Vec<String> {
    candidate.reasons().map(|reason| reason.to_string()).collect()
}

#[test]
fn every_candidate_is_the_id_that_was_asked_about_and_composes_it_again() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let randflake: Randflake<_, Cursor> = Randflake::build(&SECRET, &Options::node(0), &clock).expect("a generator");
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
                Scheme::Snowflake => {
                    let layout = Layout::preset(parts.layout.expect("a preset's name")).expect("a preset");
                    layout.compose_ms(timestamp_ms, node, sequence)
                }
                Scheme::Randflake => randflake.compose(timestamp_ms, node, sequence),
                _ => {
                    assert!(parts.scheme == Scheme::UlidFlake && id >= 0);
                    continue;
                }
            };
            assert_eq!(again, Ok(id), "{parts:?}");
        }
        // Every number is a Randflake ID, and one of the layouts that use all 64 bits: Discord's, Instagram's, Mastodon's.
        let schemes = |scheme| candidates.iter().filter(|parts| parts.scheme == scheme).count();
        assert_eq!(schemes(Scheme::Randflake), 1);
        assert_eq!(schemes(Scheme::Snowflake), if id < 0 { 3 } else { Layout::PRESETS.len() });
        // Stand-alone and scalable.
        assert_eq!(schemes(Scheme::UlidFlake), if id < 0 { 0 } else { 2 });
    }
}

#[test]
fn an_id_of_today_is_more_likely_than_one_of_the_future_or_of_long_ago() {
    let inspector = Inspector::at(NOW_MS);
    for (name, layout) in Layout::PRESETS {
        // Baidu's ended in 2024.
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
fn every_form_is_read_in_any_case_and_says_why() {
    // The texts are RFC 9562's, the ULID specification's, MongoDB's, and gosuda's and ulid-flake's; tick IDs are the format's.
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
    // Instagram's of 2046 on are negative, or above 63 bits.
    let unsigned = first_of("18446744073709551615").parts().id;
    assert_eq!((unsigned.as_i64(), unsigned), (Some(-1), first_of("-1").parts().id));
    let schemes = |text: &str| {
        let found = inspector.inspect_text(text).expect("candidates");
        found.iter().map(|parts| parts.scheme).collect::<Vec<_>>()
    };
    // The ULID 01ARZ3NDEKTSV4RRFFQ69G5FAV and MongoDB's 507f191e810c19729de860ea as numbers; the largest number of 128 bits.
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
fn version_bits_come_before_what_else_128_bits_may_be() {
    // A ULID in the form of a UUID, whose bits say version 4 by chance.
    let found = Inspector::at(NOW_MS).inspect_text("018B5D35-D383-4809-B58A-3ED6F9CA67C5").expect("candidates");
    let schemes: Vec<Scheme> = found.iter().map(|parts| parts.scheme).collect();
    assert_eq!(schemes, [Scheme::UuidV4, Scheme::Ulid]);
    // And one whose bits say nothing: python-ulid's README.
    let ulid = first_of("015ea15f6cd1c56689a373fab3f63ece");
    assert_eq!((ulid.parts().scheme, ulid.text().as_str()), (Scheme::Ulid, "01BTGNYV6HRNK8K8VKZASZCFPE"));
    assert_eq!(why(&ulid)[0], "in the form of a UUID");
}

#[test]
fn other_encodings_are_less_likely_and_told_only_with_a_plausible_time() {
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
fn one_scheme_only_where_it_is_named() {
    let texts = [
        "14246757444195114",
        "00CMXB6TAK4SA",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "1ec9414c-232a-6b00-b3c8-9f6bdeced846",
        "f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
        "919108f7-52d1-4320-9bac-f847db4148a8",
        "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        "507f191e810c19729de860ea",
        "0638996712000000000_0042",
    ];
    let layout = Layout::from_text("timestamp:48 random:16").expect("a layout");
    for scheme in Scheme::ALL {
        let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret").layout(&layout).expect("one layout");
        let inspector = inspector.scheme(scheme);
        let mut found = 0;
        for candidates in texts.iter().filter_map(|text| inspector.inspect_text(text).ok()) {
            let is_uuid = |parts: &Parts| scheme == Scheme::Uuid && parts.scheme.name().starts_with("uuid");
            assert!(candidates.iter().all(|parts| parts.scheme == scheme || is_uuid(parts)), "{candidates:?}");
            found += candidates.len();
        }
        assert!(found > 0, "{scheme}");
    }
    let without_secret = Inspector::at(NOW_MS).scheme(Scheme::Randflake);
    assert!(without_secret.inspect(1).is_empty(), "without the secret nobody can tell");
}

#[test]
fn a_layout_that_is_given_is_looked_for_first() {
    let own = Layout::from_text("timestamp:42,epoch=2024-01-01 node:10 sequence:12").expect("a layout");
    let wide = Layout::from_text("timestamp:48 node:16 sequence:16 random:48").expect("a layout");
    let narrow = Layout::from_text("timestamp:20@h node:4 sequence:8").expect("a layout");
    let given = |layouts: &[Layout]| layouts.iter().try_fold(Inspector::at(NOW_MS), Inspector::layout);
    let inspector = given(&[own, wide, narrow]).expect("three layouts");
    let told = |text: &str| {
        let candidate = first(&inspector.inspect_text(text).expect("candidates"));
        (candidate.parts().scheme, candidate.layout_index(), candidate.text().as_str().to_owned())
    };
    assert_eq!(told("151819733950271234"), (Scheme::Flake, Some(0), "151819733950271234".into()));
    let id = wide.compose_wide_ms(NOW_MS - 1, 3, 0, 0, 99).expect("an ID");
    assert_eq!(told(&id.to_string()), (Scheme::Flake, Some(1), id.to_string()));
    let uuid = saiban::UuidForm::Hyphenated.encode(id);
    assert_eq!(told(&uuid), (Scheme::Flake, Some(1), id.to_string()));
    assert_eq!(first(&inspector.inspect_wide(id, 128)).layout_index(), Some(1));
    let id = narrow.compose_ms(NOW_MS - 1, 3, 0).expect("an ID").to_string();
    assert_eq!(told(&id), (Scheme::Flake, Some(2), id.clone()));
    assert_eq!(first(&inspector.inspect_text(&id).expect("candidates")).parts().id.bits(), 32);
    // A preset is a Snowflake, and likelier than it was: this one was taken for Twitter's, both with node 0 and sequence 0.
    assert_eq!(first_of("820674994110464000").parts().layout, Some("twitter"));
    let discord = first(&given(&[wide, Layout::DISCORD]).expect("two layouts").inspect(820_674_994_110_464_000));
    assert_eq!((discord.parts().scheme, discord.parts().layout), (Scheme::Snowflake, Some("discord")));
    assert_eq!(discord.layout_index(), Some(1));
    assert!(why(&discord).contains(&"fits the layout given".into()));
    assert_eq!(given(&[own; 5]).expect_err("a fifth").kind(), ErrorKind::InvalidArgument);
}

#[test]
fn times_of_presets_are_counted_from_the_epoch_given() {
    let inspector = Inspector::at(NOW_MS).epoch_ms(1_300_000_000_000).expect("an epoch");
    // flake-idgen's README.
    let candidate = first(&inspector.inspect(374_461_008_833_413_120));
    assert_eq!(candidate.parts().timestamp_ms, Some(1_389_278_461_655));
    assert!(why(&candidate).contains(&"counted from the epoch given".into()), "{:?}", why(&candidate));
    let error = Inspector::at(NOW_MS).epoch_ms(i64::MAX).expect_err("too late");
    assert_eq!(error.kind(), ErrorKind::InvalidLayout);
}

#[test]
fn a_layout_that_is_given_comes_first_in_every_encoding() {
    let layouts = [
        (32, "timestamp:20@h,epoch=2024-01-01 node:4 sequence:8"),
        (64, "timestamp:42,epoch=2024-01-01 node:10 sequence:12"),
        (77, "timestamp:45,epoch=2024-01-01 random:32"),
        (80, "timestamp:48 random:32"),
        (96, "timestamp:48 node:16 random:32"),
        (128, "timestamp:48 random:80"),
    ];
    for (bits, text) in layouts {
        let layout = Layout::from_text(text).expect("a layout");
        let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret").layout(&layout).expect("one layout");
        let node = if layout.has_node() { 3 } else { 0 };
        let random = if layout.has_random() { layout.max_random() / 5 * 3 } else { 0 };
        let id = layout.compose_wide_ms(NOW_MS - YEAR_MS, node, 0, 0, random).expect("an ID");
        for encoding in [Encoding::CROCKFORD, Encoding::BASE64URL, Encoding::HEX, Encoding::BASE36, Encoding::DECIMAL] {
            let written = encoding.encode_wide(id, bits).expect("text");
            let candidate = first(&inspector.inspect_text(&written).expect("candidates"));
            assert_eq!(candidate.layout_index(), Some(0), "{text} as {encoding:?}: {written}");
            assert_eq!(candidate.parts().id.value(), id, "{text} as {encoding:?}: {written}");
        }
        for form in Encoding::UUID_FORMS {
            let written = form.encode_wide(id, bits).expect("the form of a UUID");
            let candidate = first(&inspector.inspect_text(&written).expect("candidates"));
            assert_eq!((candidate.layout_index(), candidate.parts().id.value()), (Some(0), id), "{text}: {written}");
            assert_eq!(why(&candidate)[0], "in the form of a UUID");
        }
    }
    // Presets too, where the text is in the form of another scheme.
    let twitter = Inspector::at(NOW_MS).layout(&Layout::TWITTER).expect("one layout");
    let id = Layout::TWITTER.compose_ms(NOW_MS - 1_000, 3, 0).expect("an ID");
    let candidate = first(&twitter.inspect_text(&Encoding::CROCKFORD.encode(id)).expect("candidates"));
    assert_eq!((candidate.parts().layout, candidate.parts().id.as_i64()), (Some("twitter"), Some(id)));
    // A number is read as a number where that makes an ID: its digits are hexadecimal ones too.
    let own = Layout::from_text("timestamp:30@s,epoch=2019-02-19T16:00:00.000Z node:16 sequence:7").expect("a layout");
    let own = Inspector::at(NOW_MS).layout(&own).expect("one layout");
    assert_eq!(
        first(&own.inspect_text("450795408770").expect("candidates")).parts().timestamp_ms,
        Some(1_550_645_739_000)
    );
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
fn every_preset_is_told_with_an_epoch_of_its_users() {
    const EPOCH_MS: i64 = 1_704_067_200_000;
    let inspector = Inspector::at(NOW_MS).epoch_ms(EPOCH_MS).expect("an epoch");
    for id in [151_819_733_950_271_234, 151_819_733_950_271_488, 151_819_733_954_461_696] {
        let names: Vec<&str> = inspector.inspect(id).iter().filter_map(|parts| parts.layout).collect();
        assert!(Layout::PRESETS.iter().all(|(name, _)| names.contains(name)), "{id}: {names:?}");
        assert_eq!(names.len(), Layout::PRESETS.len(), "each once");
        let place = |wanted| names.iter().position(|name| *name == wanted);
        assert!(place("twitter") < place("discord"), "they differ in the highest bit, which is 0: {names:?}");
    }
    // Where Discord's is given it is meant, and where the highest bit is 1 no other has it.
    let given = Inspector::at(NOW_MS).epoch_ms(EPOCH_MS).and_then(|inspector| inspector.layout(&Layout::DISCORD));
    let candidate = first(&given.expect("one layout").inspect(151_819_733_950_271_234));
    assert_eq!((candidate.parts().layout, candidate.layout_index()), (Some("discord"), Some(0)));
}

#[test]
fn a_ulid_flake_is_of_the_form_whose_layout_was_given() {
    let named = Layout::from_text("unused:1 timestamp:43,epoch=2024-01-01 random:15,step=32767 node.shard:5")
        .expect("a layout");
    for (layout, node) in [(Layout::ULID_FLAKE, None), (Layout::ULID_FLAKE_SCALABLE, Some(10)), (named, Some(10))] {
        for scheme in [None, Some(Scheme::UlidFlake)] {
            let inspector = scheme.map_or(Inspector::at(NOW_MS), |scheme| Inspector::at(NOW_MS).scheme(scheme));
            let inspector = inspector.layout(&layout).expect("one layout");
            for text in ["00CMXB6TAK4SA", "14246757444195114"] {
                let found = inspector.inspect_text(text).expect("candidates");
                let candidate = first(&found);
                assert_eq!((candidate.parts().scheme, candidate.parts().node), (Scheme::UlidFlake, node), "{text}");
                assert_eq!(candidate.layout_index(), Some(0));
                assert!(found.iter().all(|parts| parts.scheme != Scheme::Flake), "it is told once");
                let shard: &[(&str, u64)] = if layout == named { &[("shard", 10)] } else { &[] };
                assert!(inspector.node_parts(&candidate).eq(shard.iter().copied()));
            }
        }
    }
    let flake = Inspector::at(NOW_MS).scheme(Scheme::Flake).layout(&Layout::ULID_FLAKE).expect("one layout");
    assert_eq!(first(&flake.inspect(14_246_757_444_195_114)).parts().scheme, Scheme::Flake);
}

#[test]
fn of_several_secrets_the_one_that_gives_a_plausible_time_is_told() {
    let secrets: Vec<Secret> = (0..8).map(|byte| Secret::new([byte; 16])).collect();
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let inspector = secrets.iter().try_fold(Inspector::at(NOW_MS), Inspector::secret);
    let inspector = inspector.expect("eight secrets").scheme(Scheme::Randflake);
    for (index, secret) in (0..).zip(&secrets) {
        let ids: Randflake<_, Cursor> = Randflake::build(secret, &Options::node(index), &clock).expect("a generator");
        for sequence in 0..50 {
            let id = ids.compose(NOW_MS - 3_600_000, index, sequence).expect("an ID");
            let candidates = found(&inspector, id);
            assert_eq!(candidates.len(), 8, "every number is an ID under every secret");
            let mut indexes: Vec<_> = candidates.iter().map(|parts| parts.secret_index).collect();
            indexes.sort_unstable();
            assert_eq!(indexes, (0..8).map(Some).collect::<Vec<_>>());
            let own = candidates[0];
            assert_eq!(own.secret_index, Some(index as u64), "small node and sequence tell: {candidates:?}");
            assert_eq!((own.node, own.sequence), (Some(index as u64), Some(sequence as u64)));
        }
    }
}

#[test]
fn a_ninth_secret_is_refused_and_one_alone_has_no_number() {
    let eight = (0..8).try_fold(Inspector::at(NOW_MS), |inspector, byte| inspector.secret(&Secret::new([byte; 16])));
    let ninth = eight.and_then(|inspector| inspector.secret(&SECRET)).expect_err("too many");
    assert_eq!(ninth.kind(), ErrorKind::InvalidArgument);
    assert!(ninth.to_string().contains('8'));
    let alone = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    assert!(found(&alone, 4_594_531_474_933_654_033).iter().all(|parts| parts.secret_index.is_none()));
    let reasons = alone.inspect(1);
    let randflake = reasons.ranked().find(|candidate| candidate.parts().scheme == Scheme::Randflake);
    assert!(why(randflake.expect("a candidate")).contains(&"decrypted with the secret".into()));
}

#[test]
fn text_that_nothing_reads_is_an_error_of_text() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let error = inspector.inspect_text("00CMXB6TAK4S!").expect_err("a bad character");
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::TextCharacter, Some(12)),
        "the form that the text is most like"
    );
    let error = inspector.inspect_text("017f22e2-79b0-7cc3-98c4-dc0c0c07398g").expect_err("a bad character");
    assert_eq!((error.kind(), error.position()), (ErrorKind::TextCharacter, Some(35)));
    // Found by fuzzing: positions count the prefix too.
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
    // Where the bits say a version that has no time, it is taken for that.
    let found = Inspector::at(NOW_MS).inspect_text("00000000-507f-491e-810c-19729de860ea").expect("candidates");
    let schemes: Vec<Scheme> = found.iter().map(|parts| parts.scheme).collect();
    assert_eq!(schemes[..2], [Scheme::UuidV4, Scheme::ObjectId]);
    // Without 32 zeros in front there is none.
    let found = Inspector::at(NOW_MS).inspect_text("00000001-507f-491e-810c-19729de860ea").expect("candidates");
    assert!(found.iter().all(|parts| parts.scheme != Scheme::ObjectId));
}

#[test]
fn parts_of_a_node_are_told_by_their_names() {
    let named = Layout::from_text("timestamp:42,epoch=2024-01-01 node.datacenter:5 node.worker:5 sequence:12");
    let named = named.expect("a layout");
    let plain = Layout::from_text("timestamp:42,epoch=2023-01-01 node:10 sequence:12").expect("a layout");
    let layouts = [named, plain, Layout::DISCORD];
    let inspector = layouts.iter().try_fold(Inspector::at(NOW_MS), Inspector::layout).expect("three layouts");
    let id = named.compose_ms(NOW_MS - 1, 67, 0).expect("an ID");
    let found = inspector.inspect(id);
    let mut told = 0;
    for candidate in found.ranked() {
        let names: Vec<(&str, u64)> = inspector.node_parts(candidate).collect();
        let wanted: &[(&str, u64)] = match (candidate.parts().layout, candidate.layout_index()) {
            (None, Some(0)) => &[("datacenter", 2), ("worker", 3)],
            (Some("discord"), Some(2)) => &[("worker", 2), ("process", 3)],
            _ => &[],
        };
        assert_eq!(names, wanted, "{candidate:?}");
        told += names.len();
    }
    assert_eq!(told, 4);
    // Discord's are told whether its layout is given or not, and from another epoch too.
    let elsewhere = Inspector::at(NOW_MS).epoch_ms(1_500_000_000_000).expect("an epoch");
    let found = elsewhere.inspect(175_928_847_299_117_063);
    let discord = found.ranked().find(|candidate| candidate.parts().layout == Some("discord")).expect("a candidate");
    assert!(elsewhere.node_parts(discord).eq([("worker", 1), ("process", 0)]));
}

#[test]
fn only_a_number_of_64_bits_may_be_a_randflake_id_that_hides() {
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
    // A Randflake ID without its secret: base32hex that is no decimal number and no Crockford text.
    let inspector = Inspector::at(NOW_MS);
    let told = inspector.inspect_text("fphhelk04q8f8").expect("it can be read");
    assert!(told.iter().all(|parts| parts.scheme != Scheme::Randflake));
    let told = inspector.secret(&SECRET).expect("one secret").inspect_text("fphhelk04q8f8").expect("candidates");
    assert!(told.iter().any(|parts| parts.scheme == Scheme::Randflake));
    assert!(Inspector::at(NOW_MS).inspect_text("vvv").is_ok_and(|candidates| candidates.is_empty()));
}

#[test]
fn two_readings_that_come_to_the_same_are_one_candidate() {
    // Found by fuzzing: a single digit is the same number in decimal and in base32hex.
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret").scheme(Scheme::Randflake);
    for digit in '0'..='9' {
        let found = inspector.inspect_text(&digit.to_string()).expect("a digit");
        assert_eq!(found.len(), 1, "{found:?}");
    }
}

#[test]
fn reasons_are_told_in_words() {
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
