//! XIDs: the published examples, and the rules of their text.

use saiban::{
    ComposeParts, Encoding, ErrorKind, Generator, Leniency, ManualClock, ObjectIdGenerator, Options, PooledEntropy,
    Scheme, XidGenerator,
};

fn generator(clock: &ManualClock) -> XidGenerator<&ManualClock, PooledEntropy> {
    XidGenerator::build(&Options::default(), clock, PooledEntropy).expect("a generator")
}

#[test]
fn the_published_examples_come_out_exactly() {
    // Source: github.com/rs/xid, id_test.go: bytes, time, machine and process, counter; text.
    let examples = [
        (0x4d88_e15b_60f4_86e4_2841_2dc9, 1_300_816_219, 0x60_f486_e428_u64, 4_271_561, "9m4e2mr0ui3e8a215n4g"),
        (0, 0, 0, 0, "00000000000000000000"),
        (0x0000_0000_aabb_ccdd_ee00_0001, 0, 0xaa_bbcc_ddee, 1, "0000005anf6drrg0000g"),
    ];
    let clock = ManualClock::new(0).expect("a time");
    let ids = generator(&clock);
    for (id, timestamp_s, node, counter, text) in examples {
        assert_eq!(ids.to_text(id).as_deref(), Ok(text));
        assert_eq!(ids.from_text(text), Ok(id));
        let parts = ids.inspect(id).expect("an XID");
        assert_eq!((parts.scheme, parts.timestamp_ms), (Scheme::Xid, Some(timestamp_s * 1_000)));
        assert_eq!((parts.node, parts.sequence), (Some(node), Some(counter)));
        assert_eq!(parts.text().as_deref(), Ok(text));
        assert_eq!(ids.compose(&ComposeParts::at_ms(timestamp_s * 1_000).node(node).sequence(counter)), Ok(id));
    }
}

#[test]
fn text_is_read_in_one_form_only() {
    let clock = ManualClock::new(0).expect("a time");
    let ids = generator(&clock);
    for (text, strict, lenient) in [
        ("9M4E2MR0UI3E8A215N4G", ErrorKind::TextNotCanonical, None),
        // The last character has one bit of the ID, so only 0 and g are canonical. This example is
        // from rs/xid.
        ("c6e52g2mrqcjl44hf179", ErrorKind::TextNotCanonical, Some(ErrorKind::TextNotCanonical)),
        ("9m4e2mr0ui3e8a215n4", ErrorKind::TextLength, Some(ErrorKind::TextLength)),
        ("9m4e2mr0ui3e8a215n4g0", ErrorKind::TextLength, Some(ErrorKind::TextLength)),
        ("9m4e2mr0ui3e8a215n4x", ErrorKind::TextCharacter, Some(ErrorKind::TextCharacter)),
        ("", ErrorKind::TextLength, Some(ErrorKind::TextLength)),
    ] {
        let kind = |leniency| ids.from_text_as(text, leniency).err().map(|error| error.kind());
        assert_eq!((kind(Leniency::Strict), kind(Leniency::Lenient)), (Some(strict), lenient), "{text}");
    }
    assert_eq!(Encoding::from_name("xid"), Ok(Encoding::XID));
}

#[test]
fn texts_sort_as_the_ids_do() {
    let clock = ManualClock::new(1_763_700_000_000).expect("a time");
    let ids = generator(&clock);
    let mut texts = Vec::new();
    for _ in 0..3 {
        texts.extend(
            ids.generate_many(100).expect("IDs").into_iter().map(|id| ids.to_text(id).expect("text").to_string()),
        );
        clock.advance(1_000).expect("a time");
    }
    let seconds: Vec<&str> = texts.iter().step_by(100).map(String::as_str).collect();
    assert!(seconds.is_sorted());
    // The bits have the structure of an ObjectId.
    let object_ids = ObjectIdGenerator::build(&Options::default(), &clock, PooledEntropy).expect("a generator");
    let id = ids.from_text(&texts[0]).expect("its own");
    assert_eq!(object_ids.inspect(id).map(|parts| parts.node), ids.inspect(id).map(|parts| parts.node));
    assert_eq!(ids.range(1_763_700_000_000, 1_763_700_001_000), object_ids.range(1_763_700_000_000, 1_763_700_001_000));
}
