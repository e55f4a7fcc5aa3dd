//! The published examples are reproduced exactly.

use saiban::cipher::Sparx64;
use saiban::{
    ComposeParts, Encoding, Generator, Inspector, Layout, Leniency, ManualClock, Options, PooledEntropy,
    RandflakeGenerator, Scheme, Secret, SnowflakeGenerator, UlidFlakeFormat, UlidFlakeGenerator,
};

const NOW_MS: i64 = 1_763_700_000_000;

#[test]
fn sparx_64_128() {
    // Appendix of "Design Strategies for ARX with Provable Bounds" (2016).
    let key = Secret::from_hex("00112233445566778899aabbccddeeff").expect("a key");
    let cipher = Sparx64::new(&key);
    let plaintext = [0x0123, 0x4567, 0x89ab, 0xcdef];
    assert_eq!(cipher.encrypt(plaintext), [0x2bbe, 0xf152, 0x01f5, 0x5f98]);
    assert_eq!(cipher.decrypt([0x2bbe, 0xf152, 0x01f5, 0x5f98]), plaintext);
}

#[test]
fn randflake() {
    // github.com/gosuda/randflake, test vectors.
    let examples = [
        ("dffd6021bb2bd5b0af676290809ec3a5", 1_733_706_297, 42, 1, 4_594_531_474_933_654_033, "3vgoe12ccb8gh"),
        ("00000000000000000000000000000000", 1_730_000_001, 0, 0, 2_111_581_968_557_607_991, "1qjeojjevu31n"),
        ("000102030405060708090a0b0c0d0e0f", 1_730_000_123, 1, 1, -232_447_010_193_727_000, "fphhelk04q8f8"),
    ];
    for (secret, timestamp_s, node, sequence, id, text) in examples {
        let secret = Secret::from_hex(secret).expect("a secret");
        let clock = ManualClock::new(timestamp_s * 1_000 + 999).expect("a time");
        let ids = RandflakeGenerator::build(&secret, &Options::node(node), &clock).expect("a generator");
        assert_eq!(ids.compose(&ComposeParts::at_ms(timestamp_s * 1_000).node(node).sequence(sequence)), Ok(id));
        let made = ids.generate_many(sequence as usize + 1).expect("IDs");
        assert_eq!(made.last(), Some(&id), "and so does the generator at that time");
        assert_eq!(ids.to_text(id).as_deref(), Ok(text));
        assert_eq!(ids.from_text(text), Ok(id));
        let parts = ids.inspect(id).expect("its own ID");
        assert_eq!(parts.timestamp_ms, Some(timestamp_s * 1_000));
        assert_eq!((parts.node, parts.sequence, parts.random), (Some(node), Some(sequence as u64), None));
        let found = Inspector::at(NOW_MS)
            .secret(&secret)
            .expect("one secret")
            .scheme(Scheme::Randflake)
            .inspect_text(text)
            .expect("candidates");
        assert_eq!(found.iter().next(), Some(&parts));
    }
}

#[test]
fn randflake_begins_and_ends_at_the_specified_times() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = RandflakeGenerator::build(&Secret::new([1; 16]), &Options::node(0), &clock).expect("a generator");
    let last = |timestamp_s: i64| ComposeParts::at_ms(timestamp_s * 1_000).node(131_071).sequence(131_071);
    let at = |timestamp_s| ids.compose(&last(timestamp_s)).and_then(|id| ids.inspect(id));
    assert_eq!(at(1_730_000_000).map(|parts| parts.timestamp_ms), Ok(Some(1_730_000_000_000)));
    assert_eq!(at(2_803_741_823).map(|parts| parts.timestamp_ms), Ok(Some(2_803_741_823_000)));
    assert!(at(1_729_999_999).is_err() && at(2_803_741_824).is_err());
}

fn ulid_flake(clock: &ManualClock, format: UlidFlakeFormat) -> UlidFlakeGenerator<&ManualClock> {
    UlidFlakeGenerator::build(format, &Options::default(), clock, PooledEntropy).expect("a generator")
}

#[test]
fn ulid_flake_of_the_specification() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = ulid_flake(&clock, UlidFlakeFormat::default());
    assert_eq!(ids.compose(&ComposeParts::at_ms(1_717_653_966_666).random(627_498)), Ok(14_246_757_444_195_114));
    assert_eq!(ids.to_text(14_246_757_444_195_114).as_deref(), Ok("00CMXB6TAK4SA"));
    for text in ["00CMXB6TAK4SA", "00cmxb6tak4sa", "00cMxB6TaK4sA"] {
        assert_eq!(ids.from_text(text), Ok(14_246_757_444_195_114));
    }
    assert_eq!(ids.inspect(14_246_757_444_195_114).map(|parts| parts.timestamp_ms), Ok(Some(1_717_653_966_666)));
    // The text of the last ID, of the last millisecond: 2302-09-27T15:10:22.207Z.
    assert_eq!(ids.compose(&ComposeParts::at_ms(10_500_160_222_207).random((1 << 20) - 1)), Ok(i64::MAX));
    assert_eq!(ids.to_text(i64::MAX).as_deref(), Ok("7ZZZZZZZZZZZZ"));
    for text in ["8000000000000", "0CMXB6TAK4SA", "000CMXB6TAK4SA", "00CMXB6TAK4SU", "00CMXB6TAK4S!"] {
        assert!(ids.from_text(text).is_err(), "{text}");
    }
}

#[test]
fn ulid_flake_since_the_unix_epoch() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = ulid_flake(&clock, UlidFlakeFormat { epoch_ms: 0, ..UlidFlakeFormat::default() });
    assert_eq!(ids.from_text("1J1SMJD9CE74J"), Ok(1_803_467_983_138_790_546));
    assert_eq!(ids.to_text(1_803_467_983_138_790_546).as_deref(), Ok("1J1SMJD9CE74J"));
    let parts = ids.inspect(1_803_467_983_138_790_546).expect("an ID");
    assert_eq!(ids.compose(&parts.into()), Ok(1_803_467_983_138_790_546));
}

#[test]
fn a_scalable_ulid_flake_ends_in_its_scalability_id() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = ulid_flake(&clock, UlidFlakeFormat { scalability: Some(21), ..UlidFlakeFormat::default() });
    let id = ids.generate().expect("an ID");
    assert_eq!(id & 31, 21);
    assert_eq!(
        ids.to_text(id).expect("text").chars().last(),
        Some('N'),
        "the last of 13 characters is the id: 21 is N"
    );
    let parts = ComposeParts::at_ms(NOW_MS).random(0);
    assert_eq!(ids.compose(&parts.node(31)).map(|id| id & 31), Ok(31));
    assert_eq!(ids.compose(&parts).map(|id| id & 31), Ok(21), "the generator's own, where none is given");
}

#[test]
fn discords_example() {
    // Discord developer documentation, "Snowflakes": worker 1, process 0, increment 7.
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::DISCORD, &Options::node(0), &clock).expect("a generator");
    assert_eq!(
        ids.compose(&ComposeParts::at_ms(1_462_015_105_796).node(1 << 5).sequence(7)),
        Ok(175_928_847_299_117_063)
    );
    let parts = ids.inspect(175_928_847_299_117_063).expect("an ID");
    assert_eq!((parts.timestamp_ms, parts.node, parts.sequence), (Some(1_462_015_105_796), Some(32), Some(7)));
    assert_eq!(parts.layout, Some("discord"));
}

#[test]
fn instagrams_example() {
    // "Sharding & IDs at Instagram": 1387263000 ms after the epoch, shard 1341, sequence 5001 mod
    // 1024.
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::INSTAGRAM, &Options::node(0), &clock).expect("a generator");
    let parts = ComposeParts::at_ms(1_314_220_021_721 + 1_387_263_000).node(1341).sequence(5001 % 1024);
    let id = ids.compose(&parts).expect("an ID");
    assert_eq!(id, 1_387_263_000 << 23 | 1341 << 10 | 905);
}

#[test]
fn crockfords_aliases_only_when_asked_for() {
    let aliased = "OOCMXB6TAK4SA";
    assert!(Encoding::CROCKFORD.decode(aliased).is_err());
    assert_eq!(Encoding::CROCKFORD.decode_as(aliased, None, Leniency::Lenient), Ok(14_246_757_444_195_114));
}

#[test]
fn a_generator_keeps_twitters_rules() {
    // Within a millisecond the sequence increments; in a new one it starts at 0; a clock that steps
    // back is refused in the end.
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::node(7), &clock).expect("a generator");
    let base = ids.compose(&ComposeParts::at_ms(NOW_MS).node(7).sequence(0)).expect("an ID");
    assert_eq!(ids.generate_many(3), Ok(vec![base, base + 1, base + 2]));
    clock.advance(1).expect("a time");
    assert_eq!(ids.generate(), Ok(base + (1 << 22)));
    clock.advance(-1).expect("a time");
    assert_eq!(ids.generate(), Ok(base + (1 << 22) + 1), "it stays in the tick it reached");
    clock.advance(-10_000).expect("a time");
    assert_eq!(ids.generate_many(4094).map(|made| made.len()), Ok(4094));
    assert!(ids.generate().is_err(), "which is used up now");
}
