//! Inspection with a given layout, epoch, scheme or secrets.

mod candidates;

use candidates::{NOW_MS, SECRET, YEAR_MS, first, first_of, found, why};
use saiban::inspect::Candidate;
use saiban::{
    ComposeParts, Encoding, ErrorKind, Generator, Inspector, Layout, ManualClock, Options, Parts, RandflakeGenerator,
    Scheme, Secret,
};

#[test]
fn a_given_scheme_excludes_all_others() {
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
        "9m4e2mr0ui3e8a215n4g",
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
fn a_given_layout_ranks_first() {
    let own = Layout::from_text("timestamp:42,epoch=2024-01-01 node:10 sequence:12").expect("a layout");
    let wide = Layout::from_text("timestamp:48 node:16 sequence:16 random:48").expect("a layout");
    let narrow = Layout::from_text("timestamp:20@h node:4 sequence:8").expect("a layout");
    let given = |layouts: &[Layout]| layouts.iter().try_fold(Inspector::at(NOW_MS), Inspector::layout);
    let inspector = given(&[own, wide, narrow]).expect("three layouts");
    let best = |text: &str| {
        let candidate = first(&inspector.inspect_text(text).expect("candidates"));
        (candidate.parts().scheme, candidate.layout_index(), candidate.text().as_str().to_owned())
    };
    assert_eq!(best("151819733950271234"), (Scheme::Flake, Some(0), "151819733950271234".into()));
    let id = wide.compose_wide_ms(NOW_MS - 1, 3, 0, 0, 99).expect("an ID");
    assert_eq!(best(&id.to_string()), (Scheme::Flake, Some(1), id.to_string()));
    let uuid = saiban::UuidForm::Hyphenated.encode(id);
    assert_eq!(best(&uuid), (Scheme::Flake, Some(1), id.to_string()));
    assert_eq!(first(&inspector.inspect_wide(id, 128)).layout_index(), Some(1));
    let id = narrow.compose_ms(NOW_MS - 1, 3, 0).expect("an ID").to_string();
    assert_eq!(best(&id), (Scheme::Flake, Some(2), id.clone()));
    assert_eq!(first(&inspector.inspect_text(&id).expect("candidates")).parts().id.bits(), 32);
    // A preset is a Snowflake, and ranks higher when given: without it, this ID is taken for
    // Twitter's, and both have node 0 and sequence 0.
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
    // Source: flake-idgen's README.
    let candidate = first(&inspector.inspect(374_461_008_833_413_120));
    assert_eq!(candidate.parts().timestamp_ms, Some(1_389_278_461_655));
    assert!(why(&candidate).contains(&"counted from the epoch given".into()), "{:?}", why(&candidate));
    let error = Inspector::at(NOW_MS).epoch_ms(i64::MAX).expect_err("too late");
    assert_eq!(error.kind(), ErrorKind::InvalidLayout);
}

#[test]
fn a_given_layout_ranks_first_in_every_encoding() {
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
    // A given preset comes first too, even if the text has the form of another scheme.
    let twitter = Inspector::at(NOW_MS).layout(&Layout::TWITTER).expect("one layout");
    let id = Layout::TWITTER.compose_ms(NOW_MS - 1_000, 3, 0).expect("an ID");
    let candidate = first(&twitter.inspect_text(&Encoding::CROCKFORD.encode(id)).expect("candidates"));
    assert_eq!((candidate.parts().layout, candidate.parts().id.as_i64()), (Some("twitter"), Some(id)));
    // A text that is both a decimal number and hexadecimal is read as a decimal number, where that
    // fits an ID.
    let own = Layout::from_text("timestamp:30@s,epoch=2019-02-19T16:00:00.000Z node:16 sequence:7").expect("a layout");
    let own = Inspector::at(NOW_MS).layout(&own).expect("one layout");
    assert_eq!(
        first(&own.inspect_text("450795408770").expect("candidates")).parts().timestamp_ms,
        Some(1_550_645_739_000)
    );
}

// Found by fuzzing.
#[test]
fn a_text_of_a_layouts_full_width_is_no_id_of_another_width() {
    let layout = Layout::from_text("timestamp:20@h,epoch=2024-01-01 node:4 sequence:8").expect("a layout");
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret").layout(&layout).expect("one layout");
    let is_it = |candidate: &Candidate, id: i64| {
        candidate.parts().scheme == Scheme::Randflake && candidate.parts().id == id.into() && candidate.is_plausible()
    };
    // Numbers of 32 bits to which the secret gives a plausible time.
    let ids = (0xf000_0000..).filter(|id| inspector.inspect(*id).ranked().any(|found| is_it(found, *id)));
    for id in ids.take(8) {
        for encoding in [Encoding::BASE64URL, Encoding::CROCKFORD] {
            let text = encoding.encode_wide(id as u128, 32).expect("text");
            // Inspection may find nothing in such a text.
            let Ok(found) = inspector.inspect_text(&text) else { continue };
            assert!(!found.ranked().any(|found| is_it(found, id)), "{text} as {encoding:?}: {found:?}");
        }
        let text = Encoding::BASE64URL.encode(id);
        let found = inspector.inspect_text(&text).expect("candidates");
        assert!(found.ranked().any(|found| is_it(found, id)), "{text} is of full width: {found:?}");
    }
}

#[test]
fn every_preset_is_listed_with_a_custom_epoch() {
    const EPOCH_MS: i64 = 1_704_067_200_000;
    let inspector = Inspector::at(NOW_MS).epoch_ms(EPOCH_MS).expect("an epoch");
    for id in [151_819_733_950_271_234, 151_819_733_950_271_488, 151_819_733_954_461_696] {
        let found = inspector.inspect(id);
        let snowflakes = found.iter().filter(|parts| parts.scheme == Scheme::Snowflake);
        let names: Vec<&str> = snowflakes.filter_map(|parts| parts.layout).collect();
        assert!(Layout::PRESETS.iter().all(|(name, _)| names.contains(name)), "{id}: {names:?}");
        assert_eq!(names.len(), Layout::PRESETS.len(), "each once");
        let place = |wanted| names.iter().position(|name| *name == wanted);
        assert!(place("twitter") < place("discord"), "they differ in the highest bit, which is 0: {names:?}");
    }
    // With its layout given, Discord comes first.
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
fn the_one_of_several_secrets_that_gives_a_plausible_time_is_reported() {
    let secrets: Vec<Secret> = (0..8).map(|byte| Secret::new([byte; 16])).collect();
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let inspector = secrets.iter().try_fold(Inspector::at(NOW_MS), Inspector::secret);
    let inspector = inspector.expect("eight secrets").scheme(Scheme::Randflake);
    for (index, secret) in (0..).zip(&secrets) {
        let ids = RandflakeGenerator::build(secret, &Options::node(index), &clock).expect("a generator");
        for sequence in 0..50 {
            let id =
                ids.compose(&ComposeParts::at_ms(NOW_MS - 3_600_000).node(index).sequence(sequence)).expect("an ID");
            let candidates = found(&inspector, id);
            assert_eq!(candidates.len(), 8, "every number is an ID under every secret");
            let mut indexes: Vec<_> = candidates.iter().map(|parts| parts.secret_index).collect();
            indexes.sort_unstable();
            assert_eq!(indexes, (0..8).map(Some).collect::<Vec<_>>());
            let own = candidates[0];
            assert_eq!(own.secret_index, Some(index), "small node and sequence tell: {candidates:?}");
            assert_eq!((own.node, own.sequence), (Some(index), Some(sequence as u64)));
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
