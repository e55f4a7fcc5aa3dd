//! ULID, UUID, ObjectId and tick IDs: the examples of their specifications, and saiban's own
//! guarantees.

mod dice;

use dice::Dice;
use saiban::generator::TickOrder;
use saiban::{
    Attempt, Clock, ComposeParts, Encoding, Error, ErrorKind, Generator, Leniency, ManualClock, ObjectIdGenerator,
    Options, Parts, PooledEntropy, Scheme, TickIdGenerator, UlidGenerator, UuidGenerator, UuidVersion,
};
use std::sync::Mutex;
use std::time::Duration;

const NOW_MS: i64 = 1_763_700_000_000;

type Wide<'c> = Box<dyn Generator<Id = u128> + Send + Sync + 'c>;

fn uuid(version: UuidVersion, clock: &ManualClock) -> Result<UuidGenerator<&ManualClock>, Error> {
    UuidGenerator::build(version, &Options::default(), clock, PooledEntropy)
}

fn tick_id(order: TickOrder, clock: &ManualClock) -> Result<TickIdGenerator<&ManualClock>, Error> {
    TickIdGenerator::build(order, &Options::default(), clock, PooledEntropy)
}

/// Returns a generator of every scheme with a time.
fn timed(clock: &ManualClock) -> Vec<Wide<'_>> {
    timed_with(&Options::default(), &Options::default(), clock)
}

/// Builds the generators with options in milliseconds, or in seconds for ObjectId.
fn timed_with<'c>(options: &Options, options_s: &Options, clock: &'c ManualClock) -> Vec<Wide<'c>> {
    let uuid = |version| UuidGenerator::build(version, options, clock, PooledEntropy).expect("a generator");
    let tick_id = |order| TickIdGenerator::build(order, options, clock, PooledEntropy).expect("a generator");
    vec![
        Box::new(UlidGenerator::build(options, clock, PooledEntropy).expect("a generator")),
        Box::new(uuid(UuidVersion::V1)),
        Box::new(uuid(UuidVersion::V7)),
        Box::new(ObjectIdGenerator::build(options_s, clock, PooledEntropy).expect("a generator")),
        Box::new(tick_id(TickOrder::Ascending)),
        Box::new(tick_id(TickOrder::Descending)),
    ]
}

fn is_ordered(scheme: Scheme) -> bool {
    scheme != Scheme::UuidV1
}

#[test]
fn a_million_ids_on_four_threads_under_a_jumping_clock_are_all_different() {
    const THREADS: usize = 4;
    const IDS: usize = 200_000;
    let clock = ManualClock::new(NOW_MS).expect("a time");
    for ids in timed(&clock) {
        let reached_ms = Mutex::new(NOW_MS);
        let go_on = |dice: &mut Dice| {
            let mut reached_ms = reached_ms.lock().expect("no panic");
            *reached_ms += dice.below(1_500) as i64;
            let back_ms = if dice.below(10) == 0 { dice.below(3_000) as i64 } else { 0 };
            clock.set(*reached_ms - back_ms).expect("a time");
        };
        let make = |seed: usize| {
            let mut dice = Dice::new(seed as u64);
            let mut made = Vec::new();
            let mut block = [0; 64];
            while made.len() < IDS / THREADS {
                let answer = if dice.below(2) == 0 {
                    ids.try_generate().map(|attempt| match attempt {
                        Attempt::Ready(id) => made.push(id),
                        Attempt::Wait(_) => go_on(&mut dice),
                    })
                } else {
                    ids.fill(&mut block).map(|written| made.extend_from_slice(&block[..written]))
                };
                match answer.map_err(|error| error.kind()) {
                    Ok(()) if dice.below(8) != 0 => {}
                    Ok(()) | Err(ErrorKind::WouldWait | ErrorKind::ClockBackward) => go_on(&mut dice),
                    Err(kind) => panic!("{kind}"),
                }
            }
            // Tick IDs in descending order count down.
            let first = ids.range(NOW_MS, NOW_MS + 1).map(|range| *range.start());
            let later = ids.range(NOW_MS + 1, NOW_MS + 2).map(|range| *range.start());
            if let (Ok(first), Ok(later)) = (first, later) {
                let ascends = |pair: &[u128]| if first < later { pair[0] < pair[1] } else { pair[0] > pair[1] };
                // An ObjectId's counter starts at a random number and wraps around.
                let ordered = ids.scheme() != Scheme::ObjectId;
                assert!(!ordered || made.windows(2).all(ascends), "{}: out of order within a thread", ids.scheme());
            }
            made
        };
        let mut all: Vec<u128> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|seed| scope.spawn(move || make(seed))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("a thread that ends well")).collect()
        });
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]), "{}: an ID came twice", ids.scheme());
    }
}

#[test]
fn ids_ascend_while_the_clock_stands_still_or_steps_back() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    for ids in timed(&clock).into_iter().filter(|ids| is_ordered(ids.scheme())) {
        clock.set(NOW_MS)?;
        let mut texts = vec![ids.generate_text(None)?];
        for now_ms in [NOW_MS, NOW_MS, NOW_MS - 1, NOW_MS - 5_000, NOW_MS + 1, NOW_MS, NOW_MS + 9] {
            clock.set(now_ms)?;
            if let Ok(text) = ids.generate_text(None) {
                texts.push(text);
            }
        }
        assert!(texts.len() > 2, "{}", ids.scheme());
        let text = |index: usize| texts[index].as_str();
        let descends = text(1) < text(0);
        if ids.scheme() == Scheme::ObjectId {
            // ObjectIds are ordered only by second.
            assert!(texts.windows(2).all(|pair| pair[0][..8] <= pair[1][..8]));
        } else {
            let ordered = |index| if descends { text(index) > text(index + 1) } else { text(index) < text(index + 1) };
            assert!((0..texts.len() - 1).all(ordered), "{}: {texts:?}", ids.scheme());
        }
    }
    Ok(())
}

#[test]
fn the_examples_of_rfc_9562_are_reproduced() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let timed = ComposeParts::at_ms(1_645_557_742_000); // 2022-02-22T19:22:22Z, as in all timed examples
    let examples = [
        (UuidVersion::V1, "c232ab00-9414-11ec-b3c8-9f6bdeced846", timed.sequence(0x33c8).node(0x9f6b_dece_d846_u64)),
        (
            UuidVersion::V4,
            "919108f7-52d1-4320-9bac-f847db4148a8",
            ComposeParts::default().random(0x9191_08f7_52d1_u128 << 74 | 0x320 << 62 | 0x1bac_f847_db41_48a8),
        ),
        (
            UuidVersion::V7,
            "017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
            timed.random(0xcc3_u128 << 62 | 0x18c4_dc0c_0c07_398f),
        ),
    ];
    for (version, text, parts) in examples {
        let ids = uuid(version, &clock)?;
        let id = ids.compose(&parts)?;
        assert_eq!(ids.to_text(id)?, text);
        assert_eq!(ids.from_text(text)?, id);
        let read = ComposeParts::from(ids.inspect(id)?);
        assert_eq!((read.timestamp_ms, read.random), (parts.timestamp_ms, parts.random));
        assert_eq!((read.sequence, read.node), (parts.sequence, parts.node));
        for form in ["919108F7-52D1-4320-9BAC-F847DB4148A8", "{919108f7-52d1-4320-9bac-f847db4148a8}"] {
            assert!(ids.from_text(form).is_err(), "one text for each ID");
            assert_eq!(ids.from_text_as(form, Leniency::Lenient).is_ok(), version == UuidVersion::V4, "{form}");
        }
    }
    Ok(())
}

#[test]
fn the_examples_of_the_ulid_specification_are_reproduced() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let ids = UlidGenerator::build(&Options::default(), &clock, PooledEntropy)?;
    let id = ids.from_text("01ARZ3NDEKTSV4RRFFQ69G5FAV")?;
    assert_eq!(ids.inspect(id)?.timestamp_ms, Some(1_469_922_850_259));
    let largest = ids.from_text("7ZZZZZZZZZZZZZZZZZZZZZZZZZ")?;
    assert_eq!(largest, u128::MAX);
    assert_eq!(ids.compose(&ComposeParts::at_ms((1 << 48) - 1).random((1_u128 << 80) - 1))?, largest);
    assert_eq!(ids.from_text("8ZZZZZZZZZZZZZZZZZZZZZZZZZ").map_err(|error| error.kind()), Err(ErrorKind::TextOverflow));
    assert_eq!(ids.from_text("01arz3ndektsv4rrffq69g5fav")?, id, "any case is read");
    Ok(())
}

#[test]
fn a_ulid_whose_random_part_is_used_up_waits_for_the_next_millisecond_or_fails() -> Result<(), Error> {
    /// Returns only the largest numbers.
    struct Ones;
    impl saiban::Entropy for Ones {
        fn fill(&self, bytes: &mut [u8]) -> Result<(), Error> {
            bytes.fill(0xff);
            Ok(())
        }
    }
    let clock = ManualClock::new(NOW_MS)?;
    let ids = UlidGenerator::build(&Options::default().max_wait(Duration::ZERO), &clock, Ones)?;
    let at = |timestamp_ms| ids.compose(&ComposeParts::at_ms(timestamp_ms).random((1_u128 << 80) - 1));
    assert_eq!(ids.generate()?, at(NOW_MS)?);
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));
    assert!(matches!(ids.try_generate()?, Attempt::Wait(wait) if wait == Duration::from_millis(1)));
    clock.advance(1)?;
    assert_eq!(ids.generate()?, at(NOW_MS + 1)?);
    Ok(())
}

#[test]
fn an_object_id_matches_the_documentation_of_mongodb() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let ids = ObjectIdGenerator::build(&Options::default(), &clock, PooledEntropy)?;
    // The manual's example: 507f191e is 2012-10-17T20:46:22Z.
    let id = ids.from_text("507f191e810c19729de860ea")?;
    let parts = ids.inspect(id)?;
    assert_eq!(parts.timestamp_ms, Some(1_350_506_782_000));
    assert_eq!((parts.node, parts.sequence), (Some(0x81_0c19_729d), Some(0xe8_60ea)));
    assert_eq!(ids.compose(&parts.into())?, id);
    assert_eq!(ids.to_text(1)?, "000000000000000000000001");
    assert_eq!(ids.from_text("000000000000000000000001")?, 1);
    assert_eq!(ids.from_text("1").map_err(|error| error.kind()), Err(ErrorKind::TextLength));
    assert_eq!(ids.to_text(1)?, "000000000000000000000001");
    assert_eq!(ids.from_text("000000000000000000000001")?, 1);
    assert_eq!(ids.from_text("1").map_err(|error| error.kind()), Err(ErrorKind::TextLength));
    let made: Vec<Parts> = ids.generate_many(1_000)?.into_iter().map(|id| ids.inspect(id)).collect::<Result<_, _>>()?;
    assert!(made.iter().all(|parts| parts.node == made[0].node && parts.timestamp_ms == Some(NOW_MS)));
    let follows = |pair: &[Parts]| pair[0].sequence.map(|sequence| (sequence + 1) & 0xff_ffff) == pair[1].sequence;
    assert!(made.windows(2).all(follows), "the counter counts, and goes around");
    let other = ObjectIdGenerator::build(&Options::default(), &clock, PooledEntropy)?;
    assert_ne!(other.inspect(other.generate()?)?.node, made[0].node, "each generator draws its own");
    Ok(())
}

#[test]
fn an_object_id_of_a_small_number_has_24_digits_too() -> Result<(), Error> {
    let clock = ManualClock::new(0)?;
    let ids = ObjectIdGenerator::build(&Options::default(), &clock, PooledEntropy)?;
    let id = ids.compose(&ComposeParts::at_ms(32_000).node(0xf5_1bb4_362e_u64).sequence(0xee_2a4d))?;
    assert_eq!(ids.to_text(id)?, "00000020f51bb4362eee2a4d");
    assert_eq!(ids.from_text("00000020f51bb4362eee2a4d")?, id);
    assert_eq!(ids.from_text("20f51bb4362eee2a4d").map_err(|error| error.kind()), Err(ErrorKind::TextLength));
    assert_eq!(ids.generate_text(None)?.len(), 24);
    Ok(())
}

#[test]
fn an_object_ids_second_holds_two_to_the_24_and_no_more() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let ids = ObjectIdGenerator::build(&Options::default(), &clock, PooledEntropy)?;
    let mut made = vec![0; (1 << 24) + 1];
    assert_eq!(ids.fill(&mut made)?, 1 << 24);
    made.truncate(1 << 24);
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), 1 << 24);
    assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));
    Ok(())
}

#[test]
fn tick_ids_are_the_text_that_tables_sort() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let up = tick_id(TickOrder::Ascending, &clock)?;
    let down = tick_id(TickOrder::Descending, &clock)?;
    // 2025-11-21T04:40:00Z in .NET ticks: 621355968000000000 is 1970-01-01.
    let ticks = 621_355_968_000_000_000 + NOW_MS as u64 * 10_000;
    let parts = ComposeParts::at_ms(NOW_MS).random(42);
    assert_eq!(up.to_text(up.compose(&parts)?)?, format!("{ticks:019}_0042").as_str());
    let left = i64::MAX as u64 - ticks;
    assert_eq!(down.to_text(down.compose(&parts)?)?, format!("{left:019}_042").as_str());
    for ids in [&up, &down] {
        let text = ids.generate_text(None)?;
        let id = ids.from_text(&text)?;
        assert_eq!(ids.to_text(id)?, text.as_str());
        assert_eq!(ids.inspect(id)?.timestamp_ms, Some(NOW_MS));
        for (text, kind) in [
            ("", ErrorKind::TextLength),
            ("0638996712000000000_00421", ErrorKind::TextLength),
            ("0638996712000000000-0042", ErrorKind::TextCharacter),
            ("063899671200000000x_0042", ErrorKind::TextCharacter),
        ] {
            let answer = ids.from_text(text).map_err(|error| error.kind());
            assert!(answer == Err(kind) || answer == Err(ErrorKind::TextLength), "{text}: {answer:?}");
        }
        assert!(ids.from_text(&"9".repeat(text.len())).is_err());
    }
    let error = up.from_text("9223372036854775808_0000").expect_err("a tick past the last");
    assert_eq!(error.kind(), ErrorKind::TextOverflow);
    assert!(error.to_string().ends_with("give 0000000000000000000 to 9223372036854775807"), "{error}");
    assert_eq!(up.from_text("0638996712000000000-0042").map_err(|error| error.position()), Err(Some(19)));
    Ok(())
}

#[test]
fn a_burst_runs_a_millisecond_ahead_of_the_clock_and_no_further() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    for ids in [&uuid(UuidVersion::V1, &clock)? as &dyn Generator<Id = u128>, &tick_id(TickOrder::Ascending, &clock)?] {
        let mut made = vec![0; 20_000];
        // The burst fills the clock's tick and 10,000 later ones.
        assert_eq!(ids.fill(&mut made)?, 10_001, "{}", ids.scheme());
        let last = ids.inspect(made[10_000])?;
        assert_eq!(last.timestamp_ms, Some(NOW_MS + 1));
        assert_eq!(ids.generate().map_err(|error| error.kind()), Err(ErrorKind::WouldWait));
    }
    Ok(())
}

#[test]
fn options_that_a_scheme_lacks_are_refused() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let folder = tempfile::TempDir::new().expect("a folder");
    let refused = [
        Options::node(1),
        Options::nodes(0..4),
        Options::default().shards(2),
        Options::default().state(folder.path().join("ids.state")),
    ];
    for options in refused {
        let kinds = [
            UlidGenerator::build(&options, &clock, PooledEntropy).map(|_| ()),
            UuidGenerator::build(UuidVersion::V1, &options, &clock, PooledEntropy).map(|_| ()),
            UuidGenerator::build(UuidVersion::V4, &options, &clock, PooledEntropy).map(|_| ()),
            UuidGenerator::build(UuidVersion::V7, &options, &clock, PooledEntropy).map(|_| ()),
            ObjectIdGenerator::build(&options, &clock, PooledEntropy).map(|_| ()),
            TickIdGenerator::build(TickOrder::Ascending, &options, &clock, PooledEntropy).map(|_| ()),
        ];
        for answer in kinds {
            assert_eq!(answer.map_err(|error| error.kind()), Err(ErrorKind::InvalidArgument), "{options:?}");
        }
    }
    for version in [i64::MIN, 0, 2, 3, 5, 6, 8, 15] {
        assert_eq!(UuidVersion::from_number(version).map_err(|error| error.kind()), Err(ErrorKind::InvalidArgument));
    }
    Ok(())
}

#[test]
fn an_interval_holds_the_ids_made_in_it_and_no_others() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    for ids in timed(&clock) {
        clock.set(NOW_MS)?;
        if !is_ordered(ids.scheme()) {
            assert_eq!(ids.range(0, NOW_MS).map_err(|error| error.kind()), Err(ErrorKind::NotTimeOrdered));
            continue;
        }
        let made = ids.generate()?;
        let unit_ms = if ids.scheme() == Scheme::ObjectId { 1_000 } else { 1 };
        assert!(ids.range(NOW_MS, NOW_MS + 1)?.contains(&made), "{}", ids.scheme());
        assert!(ids.range(i64::MIN / 2, i64::MAX / 2)?.contains(&made));
        assert!(!ids.range(NOW_MS - 9_000, NOW_MS)?.contains(&made));
        assert!(!ids.range(NOW_MS + unit_ms, NOW_MS + 9_000)?.contains(&made));
        assert_eq!(ids.range(NOW_MS, NOW_MS).map_err(|error| error.kind()), Err(ErrorKind::InvalidWindow));
    }
    assert_eq!(
        uuid(UuidVersion::V4, &clock)?.range(0, NOW_MS).map_err(|error| error.kind()),
        Err(ErrorKind::NotTimeOrdered)
    );
    Ok(())
}

#[test]
fn ids_of_every_scheme_begin_after_the_last_time_known_to_be_used() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let last = Options::default().not_before(NOW_MS);
    let last_s = Options::default().not_before(NOW_MS / 1_000);
    for ids in timed_with(&last, &last_s, &clock) {
        let unit_ms = if ids.scheme() == Scheme::ObjectId { 1_000 } else { 1 };
        clock.set(NOW_MS)?;
        // UUID v1 and tick IDs may run a millisecond ahead of the clock: an error or the first free
        // tick is correct.
        let begins_ms = ids
            .generate()
            .map_or(NOW_MS + unit_ms, |id| ids.inspect(id).ok().and_then(|parts| parts.timestamp_ms).expect("a time"));
        assert_eq!(begins_ms, NOW_MS + unit_ms, "{}", ids.scheme());
        clock.set(NOW_MS - 5_000)?;
        assert!(ids.generate().is_err(), "{}: nor after a step back", ids.scheme());
        clock.set(NOW_MS + unit_ms)?;
        let id = ids.generate()?;
        assert_eq!(ids.inspect(id)?.timestamp_ms, Some(NOW_MS + unit_ms), "{}", ids.scheme());
    }
    Ok(())
}

#[test]
fn a_generated_id_is_inspected_as_one_of_its_scheme() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    let mut all = timed(&clock);
    all.push(Box::new(uuid(UuidVersion::V4, &clock)?));
    for ids in all {
        let id = ids.generate()?;
        let parts = ids.inspect(id)?;
        assert_eq!((parts.scheme, parts.id.value(), parts.id.bits()), (ids.scheme(), id, ids.bits()));
        let text = ids.to_text(id)?;
        assert_eq!(ids.from_text(&text)?, id);
        for encoding in Encoding::ALL {
            let text = ids.to_text_as(id, Some(encoding))?;
            assert_eq!(encoding.decode_wide(&text, ids.bits())?, id, "{}", encoding.name());
        }
        assert_eq!(ids.stats()?.issued, 1, "{}", ids.scheme());
        let too_wide = if ids.bits() < 128 { 1 << ids.bits() } else { 0 };
        if too_wide != 0 {
            assert_eq!(ids.inspect(too_wide).map_err(|error| error.kind()), Err(ErrorKind::IdOutOfRange));
        }
    }
    assert_eq!(clock.now_ns()? / 1_000_000, NOW_MS as u64);
    Ok(())
}

#[test]
fn a_uuid_of_another_version_is_reported_by_its_version() -> Result<(), Error> {
    let clock = ManualClock::new(NOW_MS)?;
    for wanted in UuidVersion::ALL {
        let (ids, wanted) = (uuid(wanted, &clock)?, wanted.number());
        for version in (0..16_u8).filter(|version| *version != wanted) {
            // Nil and max are all zeros and all ones; versions 9 to 14 are unassigned.
            let id = match version {
                0 => 0,
                15 => u128::MAX,
                _ => u128::from(version) << 76 | 0b10 << 62,
            };
            let refused = match version {
                9..=14 => Scheme::Uuid.not_an_id(),
                _ => Error::UuidOfVersion { version, wanted },
            };
            assert_eq!(ids.inspect(id), Err(refused));
            assert_eq!(ids.to_text_as(id, None), Err(refused));
        }
        assert_eq!(ids.inspect(1), Err(Scheme::Uuid.not_an_id()), "of no variant of RFC 9562");
    }
    Ok(())
}
