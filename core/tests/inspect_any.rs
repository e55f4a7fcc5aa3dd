//! Inspection of arbitrary text: it never panics, the best candidate comes first, and each
//! candidate's own text leads back to it.

mod dice;

use dice::Dice;
use proptest::prelude::*;
use saiban::inspect::{Candidates, MAX_CANDIDATES, near_miss};
use saiban::{Encoding, Inspector, Layout, Scheme, Secret, UuidForm};

fn inspector(now_ms: i64, secrets: u8, layouts: &[Layout], scheme: Option<Scheme>) -> Inspector {
    let inspector =
        (0..secrets).try_fold(Inspector::at(now_ms), |inspector, byte| inspector.secret(&Secret::new([byte; 16])));
    let inspector = inspector.expect("eight secrets at most");
    let inspector = layouts.iter().try_fold(inspector, Inspector::layout).expect("four layouts at most");
    match scheme {
        Some(scheme) => inspector.scheme(scheme),
        None => inspector,
    }
}

/// Checks what holds for every result.
fn check(found: &Candidates) {
    assert!(found.len() <= MAX_CANDIDATES && found.len() == found.ranked().count());
    assert_eq!((found.is_empty(), found.iter().count()), (found.iter().next().is_none(), found.len()));
    assert!(found.ranked().is_sorted_by(|one, next| one.score() >= next.score()), "best first: {found:?}");
    for candidate in found.ranked() {
        let reasons: Vec<String> = candidate.reasons().map(|reason| reason.to_string()).collect();
        assert!(reasons.iter().all(|reason| !reason.is_empty()));
        let telling = candidate.reasons().filter(|reason| reason.name().starts_with("time_")).count();
        let has_time = candidate.parts().timestamp_ms.is_some();
        assert!(if has_time { (1..=2).contains(&telling) } else { telling == 0 }, "{candidate:?}: {reasons:?}");
    }
}

/// Checks that the text of each candidate leads back to it, unless `MAX_CANDIDATES` others with
/// equal or higher scores displace it.
fn check_texts(inspector: &Inspector, found: &Candidates) {
    for candidate in found.ranked() {
        let text = candidate.text();
        assert_eq!(near_miss(&text), None, "nothing is wrong with {text}");
        let again = inspector.inspect_text(&text).expect("canonical text");
        let is_found = again.iter().any(|parts| parts == candidate.parts());
        let is_crowded_out =
            again.len() == MAX_CANDIDATES && again.ranked().all(|other| other.score() >= candidate.score());
        assert!(is_found || is_crowded_out, "{candidate:?} is lost in {text}: {again:?}");
    }
}

fn layouts() -> [Layout; 4] {
    [
        "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12",
        "timestamp:48 node:16 sequence:16 random:48",
        "timestamp:20@h node:4 sequence:8",
        "timestamp:40 random:40,step=3",
    ]
    .map(|text| Layout::from_text(text).expect("a layout"))
}

/// Generates text that resembles an ID.
fn nearly_an_id() -> impl Strategy<Value = String> {
    prop_oneof![
        ".{0,60}",
        "-?[0-9]{1,40}",
        "[0-9a-vA-Z]{13}",
        "0?[0-7][0-9A-HJKMNP-TV-Z]{25}",
        "[0-9a-fA-F]{24}",
        "[0-9a-f]{32}",
        "0[xX][0-9a-fA-F]{0,33}",
        "[0-9]{19}_[0-9]{3,4}",
        "\\{?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\\}?",
        "[-_0-9A-Za-z]{11,22}",
        "[01]{60,130}",
        "[ \\t]{0,2}[0-9A-HJKMNP-TV-Z]{12,14}[ \\n]{0,2}",
        "[0-9a-g]{22,26}",
        "[0-9A-Z]{24,28}",
        "(urn:uuid:|\\{)?[0-9a-fg]{7,9}-[0-9a-f]{3,5}-[0-9a-f]{4}-[0-9a-f]{4}[- ][0-9a-f]{11,13}\\}?",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_can_be_inspected(
        text in nearly_an_id(),
        now_ms in prop_oneof![any::<i64>(), 0..4_102_444_800_000_i64],
        secrets in 0..=8_u8,
        given in 0..=4_usize,
        scheme in proptest::option::of(proptest::sample::select(Scheme::ALL.to_vec())),
    ) {
        let inspector = inspector(now_ms, secrets, &layouts()[..given], scheme);
        if let Some(error) = near_miss(&text) {
            prop_assert!(error.kind().name().starts_with("TEXT_"), "{text:?}: {error}");
            prop_assert!(error.position().is_none_or(|position| position < text.chars().count()));
        }
        match inspector.inspect_text(&text) {
            Ok(found) => {
                check(&found);
                check_texts(&inspector, &found);
            }
            Err(error) => {
                prop_assert!(error.kind().name().starts_with("TEXT_"), "{text:?}: {error}");
                prop_assert!(error.position().is_none_or(|position| position < text.chars().count()));
            }
        }
    }

    #[test]
    fn any_number_can_be_inspected(
        id in any::<i64>(),
        wide in any::<u128>(),
        bits in prop_oneof![0..=130_u32, Just(77), Just(96), Just(128), any::<u32>()],
        now_ms in any::<i64>(),
        epoch_ms in any::<i64>(),
        secrets in 0..=8_u8,
    ) {
        let plain = inspector(now_ms, secrets, &layouts(), None);
        for found in [plain.inspect(id), plain.inspect_wide(wide, bits), plain.inspect_wide(wide >> 32, 96)] {
            check(&found);
            check_texts(&plain, &found);
        }
        if let Ok(counted) = inspector(now_ms, secrets, &layouts(), None).epoch_ms(epoch_ms) {
            let found = counted.inspect(id);
            check(&found);
            check_texts(&counted, &found);
        }
    }

    #[test]
    fn an_id_in_each_of_its_forms_is_read_as_that_id(id in any::<u128>()) {
        let plain = Inspector::at(1_763_700_000_000);
        for form in UuidForm::ALL {
            let text = form.encode(id);
            for text in [text.as_str().to_owned(), text.as_str().to_uppercase()] {
                let found = plain.inspect_text(&text).expect("128 bits are a ULID at least");
                prop_assert!(found.iter().any(|parts| parts.scheme == Scheme::Ulid && parts.id.value() == id), "{text}");
            }
        }
        for text in [Encoding::CROCKFORD.encode_wide(id, 128).expect("128 bits").as_str(), &id.to_string()] {
            let found = plain.inspect_text(text).expect("candidates");
            prop_assert!(found.iter().any(|parts| parts.id.value() == id), "{text}");
        }
    }
}

#[test]
fn every_number_has_candidates_whatever_the_clock_shows() {
    let mut dice = Dice::new(3);
    for now_ms in [i64::MIN, -1, 0, 1, i64::MAX] {
        let inspector = inspector(now_ms, 8, &layouts(), None);
        for id in (0..500).map(|_| dice.any_size()).chain([0, -1, i64::MIN, i64::MAX]) {
            let found = inspector.inspect(id);
            check(&found);
            assert!(found.len() >= 8, "every number is an ID under every secret");
        }
    }
}
