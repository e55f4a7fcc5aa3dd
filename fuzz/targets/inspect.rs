//! Inspection of numbers and texts of unknown origin, with and without secrets, layouts and an
//! epoch.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use saiban::inspect::{Candidate, Candidates, MAX_CANDIDATES, MAX_LAYOUTS, MAX_SECRETS, near_miss};
use saiban::scheme::GeneratorOption;
use saiban::{AnyGenerator, Encoding, GeneratorSpec, Inspector, Layout, Leniency, Parts, Scheme, Secret};
use saiban_fuzz::{Number, check_error, check_text_error};

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    now: Now,
    secrets: Vec<[u8; 16]>,
    layouts: Vec<u8>,
    epoch: Option<Number>,
    only: Option<u8>,
    id: Number,
    wide: u128,
    bits: u8,
    text: &'a str,
}

#[derive(Arbitrary, Debug)]
enum Now {
    /// A second in the years 1970 to 2106.
    Plausible(u32),
    Any(Number),
}

/// Custom layouts of several widths, and a preset.
const LAYOUTS: [&str; 6] = [
    "unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12",
    "timestamp:48 node:16 sequence:16 random:48",
    "timestamp:20@h node:4 sequence:8",
    "constant:3,value=5 timestamp:40@100us random:40,step=3",
    "timestamp:50 rollback:2 random:12",
    "discord",
];

/// The inspector's input, for checks of its results.
struct Question {
    now_ms: i64,
    secrets: Vec<Secret>,
    layouts: Vec<Layout>,
    epoch_ms: Option<i64>,
    only: Option<Scheme>,
}

fuzz_target!(|input: Input| {
    let layout = |index: &u8| Layout::from_text(LAYOUTS[usize::from(*index) % LAYOUTS.len()]).expect("a layout");
    let mut question = Question {
        now_ms: match input.now {
            Now::Plausible(second) => i64::from(second) * 1_000,
            Now::Any(number) => number.get(),
        },
        secrets: input.secrets.iter().take(MAX_SECRETS).copied().map(Secret::new).collect(),
        layouts: input.layouts.iter().take(MAX_LAYOUTS).map(layout).collect(),
        epoch_ms: input.epoch.map(Number::get),
        only: input.only.map(|index| Scheme::ALL[usize::from(index) % Scheme::ALL.len()]),
    };
    if let Some(Err(error)) = question.epoch_ms.map(|epoch_ms| Inspector::at(0).epoch_ms(epoch_ms)) {
        check_error(&error);
        question.epoch_ms = None;
    }
    let inspector = question.inspector(&question.secrets);
    shows_no_secret(&question, &inspector);
    refuses_too_many(&question);

    let id = input.id.get();
    let found = inspector.inspect(id);
    question.check(&found);
    assert!(found.iter().all(|parts| parts.id.as_i64() == Some(id)));
    question.finds_every_format(id, &found);
    leads_back(&inspector, &found);

    let found = inspector.inspect_wide(input.wide, input.bits.into());
    question.check(&found);
    assert!(found.iter().all(|parts| parts.id.value() == input.wide));
    leads_back(&inspector, &found);

    // A prefix ends at the last underscore.
    let number = input.text.rsplit_once('_').map_or(input.text, |(_, number)| number);
    if let Some(error) = near_miss(input.text) {
        check_text_error(&error, input.text, number);
    }
    match inspector.inspect_text(input.text) {
        Ok(found) => {
            question.check(&found);
            leads_back(&inspector, &found);
            assert!(found.ranked().all(|candidate| is_text_of(candidate, input.text)), "{:?}: {found:?}", input.text);
        }
        Err(error) => check_text_error(&error, input.text, number),
    }
});

/// Each candidate is also found in its own text, unless candidates with an equal or higher score
/// take all places.
fn leads_back(inspector: &Inspector, found: &Candidates) {
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

impl Question {
    fn inspector(&self, secrets: &[Secret]) -> Inspector {
        let inspector = Inspector::at(self.now_ms);
        let inspector =
            secrets.iter().try_fold(inspector, Inspector::secret).expect("no more secrets than can be tried");
        let inspector =
            self.layouts.iter().try_fold(inspector, Inspector::layout).expect("no more layouts than can be tried");
        let inspector = match self.epoch_ms {
            Some(epoch_ms) => inspector.epoch_ms(epoch_ms).expect("an epoch that was taken before"),
            None => inspector,
        };
        match self.only {
            Some(scheme) => inspector.scheme(scheme),
            None => inspector,
        }
    }

    fn wants(&self, scheme: Scheme) -> bool {
        let is_uuid = scheme.name().starts_with("uuid");
        self.only.is_none_or(|only| only == scheme || only == Scheme::Uuid && is_uuid)
    }

    /// Every candidate composes its ID again, none occurs twice, and the best is first.
    fn check(&self, found: &Candidates) {
        let all: Vec<&Parts> = found.iter().collect();
        assert!(all.len() <= MAX_CANDIDATES);
        assert_eq!((all.len(), all.is_empty()), (found.len(), found.is_empty()));
        assert!(found.ranked().is_sorted_by(|one, next| one.score() >= next.score()), "{found:?}");
        for (index, parts) in all.iter().enumerate() {
            assert!(self.wants(parts.scheme));
            assert!(self.compose(parts).is_none_or(|id| id == parts.id.value()), "{parts:?}");
            assert!(!all[..index].contains(parts), "{parts:?} stands twice");
        }
        for candidate in found.ranked() {
            let words: Vec<String> = candidate.reasons().map(|reason| reason.to_string()).collect();
            assert!(words.iter().all(|words| !words.is_empty() && words.len() < 100), "{words:?}");
            assert!(candidate.layout_index().is_none_or(|index| index < self.layouts.len()));
        }
    }

    /// Returns the ID that a 64-bit generator of this scheme composes from the parts, or `None` for
    /// other schemes.
    fn compose(&self, parts: &Parts) -> Option<u128> {
        let mut spec = GeneratorSpec::new(parts.scheme);
        if spec.scheme.takes(GeneratorOption::Secret) {
            // The index is reported if there are several secrets.
            assert_eq!(parts.secret_index.is_some(), self.secrets.len() > 1);
            spec.secret = Some(self.secrets[parts.secret_index.unwrap_or(0) as usize].clone());
        } else if spec.scheme.takes(GeneratorOption::Scalability) {
            spec.scalability = parts.node.map(|_| 0);
            spec.epoch_ms = self.epoch_ms;
        } else if matches!(spec.scheme, Scheme::Snowflake | Scheme::Tsid) {
            let preset = Layout::preset(parts.layout.expect("a preset's name")).expect("a preset");
            let epoch_ms = self.epoch_ms.unwrap_or(preset.epoch_ms());
            let layout = preset.spec().epoch_ms(epoch_ms).check().expect("an epoch that was taken before");
            // Mastodon's layout has no node, so only Flake accepts it.
            if !layout.has_node() {
                spec.scheme = Scheme::Flake;
            }
            spec.layout = Some(layout);
        } else {
            // Other targets cover random parts, and parts that saiban does not generate.
            return None;
        }
        let AnyGenerator::Narrow(ids) = spec.reader().expect("a generator") else { panic!("IDs of 64 bits") };
        Some((ids.compose(&(*parts).into()).expect("parts that fit") as u64).into())
    }

    /// Every format that the number fits is found.
    fn finds_every_format(&self, id: i64, found: &Candidates) {
        let count = |scheme| found.iter().filter(|parts| parts.scheme == scheme).count();
        let presets = Layout::PRESETS.iter().filter(|(_, layout)| layout.split(id).is_ok()).count();
        if self.wants(Scheme::Snowflake) && self.epoch_ms.is_none() {
            assert_eq!(count(Scheme::Snowflake), presets, "{id}: {found:?}");
        }
        if self.wants(Scheme::Randflake) {
            assert_eq!(count(Scheme::Randflake), self.secrets.len(), "{id}: {found:?}");
        }
        if self.wants(Scheme::Tsid) {
            assert_eq!(count(Scheme::Tsid), 3, "{id}: {found:?}");
        }
        if self.wants(Scheme::UlidFlake) {
            assert_eq!(count(Scheme::UlidFlake), if id >= 0 { 2 } else { 0 }, "{id}: {found:?}");
        }
    }
}

/// Returns whether a candidate's ID is the number of the text in some encoding.
fn is_text_of(candidate: &Candidate, text: &str) -> bool {
    let (id, bits) = (candidate.parts().id, candidate.parts().id.bits());
    let read = |encoding: Encoding, digits: &str| {
        let width = digits.len() as i64;
        let widths = [None, Some(width)];
        let reads = |width| {
            let narrow = encoding.decode_as(digits, width, Leniency::AnyCase).map(|id| (id as u64).into());
            let wide = [bits, 64, 96, 128].map(|bits| encoding.decode_wide_as(digits, bits, width, Leniency::AnyCase));
            narrow == Ok(id.value()) || wide.contains(&Ok(id.value()))
        };
        widths.into_iter().any(reads)
    };
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X")).unwrap_or(text);
    candidate.text().as_str() == text
        || Encoding::every().any(|encoding| read(encoding, text))
        || read(Encoding::HEX, digits)
}

/// An inspector's debug output does not depend on the values of its secrets.
fn shows_no_secret(question: &Question, inspector: &Inspector) {
    let others = vec![Secret::new([0; 16]); question.secrets.len()];
    assert_eq!(format!("{inspector:?}"), format!("{:?}", question.inspector(&others)));
}

fn refuses_too_many(question: &Question) {
    let all = question.inspector(&vec![Secret::new([0; 16]); MAX_SECRETS]);
    check_error(&all.secret(&Secret::new([0; 16])).expect_err("one secret more"));
}
