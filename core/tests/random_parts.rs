//! Random parts: their start, their increments, and errors of the entropy source.

use saiban::{
    Attempt, Entropy, Error, ErrorKind, Generator, ManualClock, Options, PooledEntropy, Rollback, UlidFlakeFormat,
    UlidFlakeGenerator,
};

const NOW_MS: i64 = 1_763_700_000_000;

fn kind<T>(answer: Result<T, Error>) -> Option<ErrorKind> {
    answer.err().map(|error| error.kind())
}

/// Randomness that repeats one number.
struct Always(u64);

impl Entropy for Always {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        for (byte, value) in bytes.iter_mut().zip(self.0.to_le_bytes().into_iter().cycle()) {
            *byte = value;
        }
        Ok(())
    }
}

#[test]
fn random_parts_grow_by_1_to_the_most_that_the_entropy_size_allows() {
    for (scalability, entropy_size) in [(None, 1), (None, 2), (None, 3), (Some(31), 1), (Some(0), 2)] {
        let format = UlidFlakeFormat { scalability, entropy_size, ..UlidFlakeFormat::default() };
        let most = (1 << (8 * entropy_size)) - 1;
        let clock = ManualClock::new(NOW_MS).expect("a time");
        let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, PooledEntropy).expect("a generator");
        let mut last: Option<saiban::Parts> = None;
        for _ in 0..10_000 {
            let Ok(id) = ids.generate() else {
                clock.advance(1).expect("a time");
                continue;
            };
            let parts = ids.inspect(id).expect("its own ID");
            if let Some(last) = last.filter(|last| last.timestamp_ms == parts.timestamp_ms) {
                let step = parts.random.expect("a random part") - last.random.expect("a random part");
                assert!((1..=most).contains(&step), "{step}");
            }
            last = Some(parts);
        }
    }
}

/// Randomness that draws 0 for the start of a tick, and these bits for an increment. A request for
/// both has the increment in its upper half.
struct Steps(u32);

impl Entropy for Steps {
    fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
        let both = (u64::from(self.0) << 32).to_le_bytes();
        let steps = self.0.to_le_bytes();
        if bytes.len() == 8 {
            bytes.copy_from_slice(&both);
        } else {
            bytes.iter_mut().zip(steps.iter().cycle()).for_each(|(byte, value)| *byte = *value);
        }
        Ok(())
    }
}

#[test]
fn the_largest_draw_is_the_largest_step_and_the_smallest_is_1() {
    for (bits, step) in [(0, 1), (u32::MAX, 255)] {
        // With `Rollback::Error` each draw requests both.
        for rollback in [None, Some(Rollback::Error)] {
            let clock = ManualClock::new(NOW_MS).expect("a time");
            let mut options = Options::default();
            options.rollback = rollback;
            let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &options, &clock, Steps(bits))
                .expect("a generator");
            let (first, second) = (ids.generate().expect("an ID"), ids.generate().expect("an ID"));
            assert_eq!(ids.inspect(first).map(|parts| parts.random), Ok(Some(0)));
            assert_eq!(second - first, step);
            let mut more = [0; 40];
            assert_eq!(ids.fill(&mut more), Ok(40));
            assert!([second].iter().chain(&more).is_sorted_by(|id, next| **next - **id == step), "{more:?}");
        }
    }
}

#[test]
fn lists_and_single_ids_never_repeat() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), &clock, PooledEntropy)
        .expect("a generator");
    let mut all = Vec::new();
    for turn in 0..1_000 {
        let mut list = [0; 40];
        let made = ids.fill(&mut list[..1 + turn % 40]).unwrap_or(0);
        all.extend(&list[..made]);
        if let Ok(Attempt::Ready(id)) = ids.try_generate() {
            all.push(id);
        }
        if turn % 10 == 0 {
            clock.advance(1).expect("a time");
        }
    }
    assert!(all.len() > 5_000, "{}", all.len());
    assert!(all.is_sorted_by(|id, next| id < next), "they ascend, so that none is twice");
}

#[test]
fn a_clock_that_steps_back_is_counted() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    // The random part is fixed: a random start near the end of its field would leave no room.
    let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), &clock, Steps(7))
        .expect("a generator");
    let first = ids.generate().expect("an ID");
    clock.set(NOW_MS - 5).expect("a time");
    let second = ids.generate().expect("an ID of the tick that was reached");
    assert!(first < second && ids.inspect(second).map(|parts| parts.timestamp_ms) == Ok(Some(NOW_MS)));
    assert_eq!(ids.stats().map(|stats| (stats.issued, stats.rollbacks)), Ok((2, 1)));
    clock.set(NOW_MS + 1).expect("a time");
    let mut list = [0; 40];
    assert_eq!(ids.fill(&mut list), Ok(40));
    clock.set(NOW_MS).expect("a time");
    assert_eq!(ids.fill(&mut list[20..]), Ok(20));
    assert!(list.is_sorted_by(|id, next| id < next));
    assert_eq!(ids.stats().map(|stats| (stats.issued, stats.rollbacks)), Ok((62, 2)));
}

#[test]
fn a_list_ends_where_the_random_field_does() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat { entropy_size: 2, ..UlidFlakeFormat::default() };
    let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, Steps(u32::MAX)).expect("a generator");
    // The random part starts at 0, and 16 increments of 65,535 fit into 20 bits.
    let mut list = [0; 100];
    assert_eq!(ids.fill(&mut list), Ok(17));
    let random = |id: &i64| ids.inspect(*id).ok().and_then(|parts| parts.random);
    assert!(list[..17].iter().map(random).eq((0..17).map(|steps| Some(steps * 65_535))));
    assert_eq!(
        (kind(ids.fill(&mut list)), ids.stats().map(|stats| stats.issued)),
        (Some(ErrorKind::WouldWait), Ok(17))
    );
    clock.advance(1).expect("a time");
    assert_eq!(ids.fill(&mut list), Ok(17));
}

#[test]
fn a_list_begins_each_tick_with_a_new_random_part() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = UlidFlakeGenerator::build(UlidFlakeFormat::default(), &Options::default(), &clock, Always(u64::MAX))
        .expect("a generator");
    for tick in 0..3 {
        let mut list = [0; 40];
        assert_eq!(ids.fill(&mut list), Ok(1), "tick {tick}");
        assert_eq!(ids.inspect(list[0]).map(|parts| parts.random), Ok(Some((1 << 20) - 1)), "tick {tick}");
        clock.advance(1).expect("a time");
    }
}

#[test]
fn past_the_random_field_the_next_tick_is_waited_for() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat::default();
    let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, Always(u64::MAX)).expect("a generator");
    let first = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(first).map(|parts| parts.random), Ok(Some((1 << 20) - 1)));
    assert_eq!(kind(ids.generate()), Some(ErrorKind::WouldWait));
    clock.advance(1).expect("a time");
    let second = ids.generate().expect("an ID");
    assert_eq!(ids.inspect(second).map(|parts| parts.timestamp_ms), Ok(Some(NOW_MS + 1)));
}

#[test]
fn a_ulid_flake_needs_entropy() {
    struct Empty;
    impl Entropy for Empty {
        fn fill(&self, _: &mut [u8]) -> Result<(), Error> {
            Err(Error::EntropyUnavailable)
        }
    }
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let format = UlidFlakeFormat::default();
    let ids = UlidFlakeGenerator::build(format, &Options::default(), &clock, Empty).expect("a generator");
    assert_eq!(kind(ids.generate()), Some(ErrorKind::EntropyUnavailable));
    assert_eq!(kind(ids.try_generate()), Some(ErrorKind::EntropyUnavailable));
}

#[test]
fn entropy_sizes_that_are_not_possible_are_refused() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let build = |scalability, entropy_size| {
        let format = UlidFlakeFormat { scalability, entropy_size, ..UlidFlakeFormat::default() };
        kind(UlidFlakeGenerator::build(format, &Options::default(), &clock, PooledEntropy))
    };
    for entropy_size in [i64::MIN, -1, 0, 4, i64::MAX] {
        assert_eq!(build(None, entropy_size), Some(ErrorKind::InvalidEntropySize));
        assert_eq!(build(Some(1), entropy_size), Some(ErrorKind::InvalidEntropySize));
    }
    assert_eq!((build(None, 3), build(Some(1), 3)), (None, Some(ErrorKind::InvalidEntropySize)));
    assert_eq!(build(Some(32), 1), Some(ErrorKind::NodeOutOfRange));
    assert_eq!(build(Some(-1), 1), Some(ErrorKind::NodeOutOfRange));
}
