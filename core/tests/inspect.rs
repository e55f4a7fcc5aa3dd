//! Inspection: whatever it is given, it answers with what fits, the most plausible first, and never panics.

mod dice;

use dice::Dice;
use saiban::cursor::Cursor;
use saiban::{
    Encoding, ErrorKind, Generator, Inspector, Layout, ManualClock, Options, Parts, Randflake, Scheme, Secret,
    Snowflake,
};

const NOW_MS: i64 = 1_763_700_000_000;
const SECRET: Secret = Secret::new([0x5a; 16]);

fn found(inspector: &Inspector, id: i64) -> Vec<Parts> {
    inspector.inspect(id).iter().copied().collect()
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
            assert_eq!(parts.id, id.into());
            let timestamp_ms = parts.timestamp_ms.expect("a time");
            let (node, sequence) = (parts.node.unwrap_or(0) as i64, parts.sequence.unwrap_or(0) as i64);
            let again = match parts.scheme {
                Scheme::Snowflake => {
                    let layout = Layout::preset(parts.layout.expect("a preset's name")).expect("a preset");
                    layout.compose_ms(timestamp_ms, node, sequence)
                }
                Scheme::Randflake => randflake.compose(timestamp_ms, node, sequence),
                _ => {
                    assert!(parts.scheme == Scheme::UlidFlake && id >= 0 && parts.node.is_none());
                    continue;
                }
            };
            assert_eq!(again, Ok(id), "{parts:?}");
        }
        // Every number is a Randflake ID, and one of Discord's and Instagram's layouts, which use all 64 bits.
        let schemes = |scheme| candidates.iter().filter(|parts| parts.scheme == scheme).count();
        assert_eq!(schemes(Scheme::Randflake), 1);
        assert_eq!(schemes(Scheme::Snowflake), if id < 0 { 2 } else { 5 });
        assert_eq!(schemes(Scheme::UlidFlake), usize::from(id >= 0));
    }
}

#[test]
fn an_id_of_today_is_more_likely_than_one_of_the_future_or_of_long_ago() {
    let inspector = Inspector::at(NOW_MS);
    for (name, layout) in Layout::PRESETS.into_iter().take(5) {
        let id = layout.compose_ms(NOW_MS - 1_000, 3, 5).expect("an ID");
        let candidates = found(&inspector, id);
        let first = candidates.first().expect("a candidate");
        // Others may be as plausible; none that leads may be further away than the true reading by a year.
        let first_ms = first.timestamp_ms.expect("a time");
        assert!((first_ms - NOW_MS).abs() < 366 * 86_400_000, "{name}: {first:?}");
        assert!(candidates.iter().any(|parts| parts.layout == Some(name)));
    }
    let penalties: Vec<bool> = found(&inspector, 1_741_610_183_685_074_944)
        .iter()
        .map(|parts| parts.timestamp_ms.expect("a time") > NOW_MS + 86_400_000)
        .collect();
    assert!(penalties.is_sorted(), "readings of the future come last: {penalties:?}");
}

#[test]
fn one_scheme_only_where_it_is_named() {
    for scheme in [Scheme::Snowflake, Scheme::Randflake, Scheme::UlidFlake] {
        let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret").scheme(scheme);
        let candidates = found(&inspector, 14_246_757_444_195_114);
        assert!(!candidates.is_empty() && candidates.iter().all(|parts| parts.scheme == scheme));
    }
    let without_secret = Inspector::at(NOW_MS).scheme(Scheme::Randflake);
    assert!(without_secret.inspect(1).is_empty(), "without the secret nobody can tell");
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
            let own = candidates.iter().position(|parts| parts.secret_index == Some(index as u64)).expect("its own");
            assert_eq!((candidates[own].node, candidates[own].sequence), (Some(index as u64), Some(sequence as u64)));
            // Any other reading is within the year now and then, by chance: one in 34 years of them.
            let first_ms = candidates[0].timestamp_ms.expect("a time");
            assert!(own == 0 || (first_ms - NOW_MS).abs() < 366 * 86_400_000, "{candidates:?}");
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
}

#[test]
fn any_canonical_text_is_read() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let snowflake: Snowflake<_, Cursor> =
        Snowflake::build(Layout::TWITTER, &Options::node(0), &clock).expect("a generator");
    let randflake: Randflake<_, Cursor> = Randflake::build(&SECRET, &Options::node(9), &clock).expect("a generator");
    let ulid_flake = Encoding::CROCKFORD.encode(14_246_757_444_195_114);
    let texts = [
        (snowflake.generate_text(None).expect("a text"), Scheme::Snowflake),
        (randflake.generate_text(None).expect("a text"), Scheme::Randflake),
        (ulid_flake, Scheme::UlidFlake),
    ];
    for (text, scheme) in texts {
        let candidates = inspector.inspect_text(&text).expect("candidates");
        assert!(candidates.iter().any(|parts| parts.scheme == scheme), "{text}");
    }
}

#[test]
fn text_that_nothing_reads_is_an_error_of_text() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let error = inspector.inspect_text("00CMXB6TAK4S!").expect_err("a bad character");
    assert_eq!(
        (error.kind(), error.position()),
        (ErrorKind::TextCharacter, Some(12)),
        "the reading that came furthest"
    );
    for text in ["", "!", "-", "é", "00CMXB6TAK4SA0", "\0", "-1x", "99999999999999999999", "😀😀😀😀😀😀😀😀😀😀😀😀😀"]
    {
        let error = inspector.inspect_text(text).expect_err("no ID");
        assert!(error.kind().name().starts_with("TEXT_"), "{text:?}: {error}");
    }
}

#[test]
fn text_that_is_read_but_fits_nothing_has_no_candidates() {
    // A Randflake ID without its secret: base32hex that is no decimal number and no Crockford text.
    let inspector = Inspector::at(NOW_MS);
    assert!(inspector.inspect_text("3vgoe12ccb8g").is_ok_and(|candidates| candidates.is_empty()));
    assert!(
        inspector
            .secret(&SECRET)
            .expect("one secret")
            .inspect_text("3vgoe12ccb8g")
            .is_ok_and(|candidates| candidates.len() == 1)
    );
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
fn no_text_is_too_strange() {
    let inspector = Inspector::at(NOW_MS).secret(&SECRET).expect("one secret");
    let mut dice = Dice::new(8);
    let alphabet: Vec<char> = "0123456789abcvwxyzABCVXYZ-_=!é😀\0 ".chars().collect();
    let mut read = 0;
    for _ in 0..50_000 {
        let text: String = (0..dice.below(22)).map(|_| alphabet[dice.below(alphabet.len() as u64) as usize]).collect();
        match inspector.inspect_text(&text) {
            Ok(candidates) => {
                let reads = |parts: &Parts| {
                    let canonical = parts.id.encode(parts.scheme.encoding()).expect("text");
                    canonical.eq_ignore_ascii_case(&text) || parts.id.to_string() == text
                };
                assert!(candidates.iter().all(reads), "{text:?}");
                read += candidates.len();
            }
            Err(error) => assert!(error.kind().name().starts_with("TEXT_"), "{text:?}: {error}"),
        }
    }
    assert!(read > 1_000, "{read}");
}
