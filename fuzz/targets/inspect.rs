//! What a number or a text of unknown origin can be, with a secret and without.
#![no_main]

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use saiban::inspect::{Candidates, MOST_SECRETS};
use saiban::{
    Inspector, Layout, ManualClock, Options, OsEntropy, Parts, Randflake, Scheme, Secret, Snowflake, UlidFlake,
    UlidFlakeFormat,
};
use saiban_fuzz::{Number, check_error, check_text_error};

const MS_PER_DAY: i64 = 86_400_000;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    now: Now,
    secrets: Vec<[u8; 16]>,
    only: Option<u8>,
    id: Number,
    text: &'a str,
}

#[derive(Arbitrary, Debug)]
enum Now {
    /// In a second of the years 1970 to 2106.
    Plausible(u32),
    Any(Number),
}

/// What the inspector was asked, to judge its answers by.
struct Question {
    now_ms: i64,
    secrets: Vec<Secret>,
    only: Option<Scheme>,
}

fuzz_target!(|input: Input| {
    let question = Question {
        now_ms: match input.now {
            Now::Plausible(second) => i64::from(second) * 1_000,
            Now::Any(number) => number.get(),
        },
        secrets: input.secrets.iter().take(MOST_SECRETS).copied().map(Secret::new).collect(),
        only: input.only.map(|index| Scheme::ALL[usize::from(index) % Scheme::ALL.len()]),
    };
    let inspector = question.inspector(&question.secrets);
    shows_no_secret(&question, &inspector);
    refuses_too_many(&question);

    let id = input.id.get();
    let found = inspector.inspect(id);
    question.check(&found);
    assert!(found.iter().all(|parts| parts.id == id.into()));
    assert_eq!(found.len(), question.formats_of(id), "{id}: {found:?}");

    match inspector.inspect_text(input.text) {
        Ok(found) => {
            question.check(&found);
            for parts in found.iter() {
                assert!(is_text_of(parts, input.text), "{parts:?} is not {:?}", input.text);
            }
        }
        Err(error) => check_text_error(&error, input.text),
    }
    // Whatever is found for a number is found for its text.
    for parts in found.iter() {
        let text = parts.scheme.encoding().encode(id);
        let again = inspector.inspect_text(&text).expect("canonical text");
        assert!(again.iter().any(|other| other == parts), "{parts:?} is lost in {text}");
    }
});

impl Question {
    fn inspector(&self, secrets: &[Secret]) -> Inspector {
        let inspector = Inspector::at(self.now_ms);
        let inspector =
            secrets.iter().try_fold(inspector, Inspector::secret).expect("no more secrets than can be tried");
        match self.only {
            Some(scheme) => inspector.scheme(scheme),
            None => inspector,
        }
    }

    /// Every candidate makes its ID again, none stands twice, and what the future would have made comes last.
    fn check(&self, found: &Candidates) {
        let all: Vec<&Parts> = found.iter().collect();
        assert_eq!((all.len(), all.is_empty()), (found.len(), found.is_empty()));
        for (index, parts) in all.iter().enumerate() {
            assert!(self.only.is_none_or(|only| only == parts.scheme));
            assert_eq!(Some(self.compose(parts)), parts.id.as_i64(), "{parts:?}");
            assert!(!all[..index].contains(parts), "{parts:?} stands twice");
        }
        let from_the_future = |parts: &&&Parts| self.now_ms.saturating_sub(time_ms(parts)) < -MS_PER_DAY;
        let past_ones = all.iter().filter(|parts| !from_the_future(parts)).count();
        assert!(all[..past_ones].iter().all(|parts| !from_the_future(&parts)), "at {}: {all:?}", self.now_ms);
    }

    /// The ID of these parts, by a generator of their scheme.
    fn compose(&self, parts: &Parts) -> i64 {
        let clock = ManualClock::new(1_800_000_000_000).expect("a time");
        let node = parts.node.unwrap_or(0) as i64;
        let options = Options::node(node);
        let sequence = || parts.sequence.expect("a sequence") as i64;
        let id = match parts.scheme {
            Scheme::Snowflake => {
                let layout = Layout::preset(parts.layout.expect("a preset's name")).expect("a preset");
                let ids = Snowflake::<_>::build(layout, &options, &clock).expect("a node of the layout");
                ids.compose(time_ms(parts), node, sequence())
            }
            Scheme::Randflake => {
                // The index is told where there is a choice.
                assert_eq!(parts.secret_index.is_some(), self.secrets.len() > 1);
                let secret = &self.secrets[parts.secret_index.unwrap_or(0) as usize];
                let ids = Randflake::<_>::build(secret, &options, &clock).expect("a node");
                ids.compose(time_ms(parts), node, sequence())
            }
            Scheme::UlidFlake => {
                let format = UlidFlakeFormat::default();
                let ids = UlidFlake::<_>::build(format, &Options::default(), &clock, OsEntropy).expect("a generator");
                ids.compose(time_ms(parts), parts.random.expect("a random part") as i64, None)
            }
            other => panic!("{other} is new here"),
        };
        id.expect("parts that fit")
    }

    /// How many formats a number fits.
    fn formats_of(&self, id: i64) -> usize {
        let wanted = |scheme| self.only.is_none_or(|only| only == scheme);
        // Mastodon's and Baidu's are not looked for.
        let presets = Layout::PRESETS.iter().take(5).filter(|(_, layout)| layout.split(id).is_ok()).count();
        usize::from(wanted(Scheme::Snowflake)) * presets
            + usize::from(wanted(Scheme::UlidFlake) && id >= 0)
            + usize::from(wanted(Scheme::Randflake)) * self.secrets.len()
    }
}

/// The time, which every candidate has.
fn time_ms(parts: &Parts) -> i64 {
    parts.timestamp_ms.expect("a time")
}

/// Whether a candidate's ID is what the text stands for: a decimal number, or canonical text of the scheme.
fn is_text_of(parts: &Parts, text: &str) -> bool {
    let canonical = parts.id.encode(parts.scheme.encoding()).expect("every encoding writes every ID");
    let any_case = parts.scheme == Scheme::UlidFlake && canonical.eq_ignore_ascii_case(text);
    parts.id.to_string() == text || canonical == *text || any_case
}

/// An inspector looks the same whatever its secrets are.
fn shows_no_secret(question: &Question, inspector: &Inspector) {
    let others = vec![Secret::new([0; 16]); question.secrets.len()];
    assert_eq!(format!("{inspector:?}"), format!("{:?}", question.inspector(&others)));
}

fn refuses_too_many(question: &Question) {
    let all = question.inspector(&vec![Secret::new([0; 16]); MOST_SECRETS]);
    check_error(&all.secret(&Secret::new([0; 16])).expect_err("one secret more"));
}
