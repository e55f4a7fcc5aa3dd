//! Randflake IDs under one of several secrets: which one it was.

use crate::document::{Case, Document};
use crate::rng::Rng;
use saiban::{Generator, ManualClock, Options, Randflake, Secret};
use serde_json::json;

/// The right reading lies in 2025 or 2026, before November; all others in 2050 or later.
const RIGHT_MS: (i64, i64) = (1_735_689_600_000, 1_793_491_200_000);
const WRONG_MS: i64 = 2_524_608_000_000;

const MAX_NODE: u64 = (1 << 17) - 1;
const MAX_SEQUENCE: u64 = (1 << 17) - 1;

/// For each number of old secrets up to the most, IDs of the new one and of some old ones.
pub fn inspect(document: &mut Document, config: &str, secret: &str) {
    let mut rng = Rng::new(0x7365_6372);
    let clock = ManualClock::new(0).expect("a clock");
    for count in [0, 1, 2, 3, 7] {
        let old: Vec<[u8; 16]> = (0..count).map(|_| random_secret(&mut rng)).collect();
        let all: Vec<Randflake<&ManualClock>> = std::iter::once(&bytes(secret))
            .chain(&old)
            .map(|key| Randflake::build(&Secret::new(*key), &Options::node(0), &clock).expect("a generator"))
            .collect();
        let old: Vec<String> = old.iter().map(|key| hex(key)).collect();
        let mut places: Vec<usize> = if count > 3 { vec![0, 1, 4, 7] } else { (0..=count).collect() };
        places.extend(places.clone());
        for place in places {
            let id = told_apart(&all, place, &mut rng);
            document.add(case(config, id, &old).flag(if count == 0 { "edge" } else { "random" }));
        }
    }
    let id = told_apart(&[], 0, &mut rng);
    let many: Vec<String> = (0..8).map(|_| hex(&random_secret(&mut rng))).collect();
    document.add(case(config, id, &many).flag("edge").comment("nine secrets"));
    // The last of them: C is given all old secrets as one run of bytes.
    for length in [1, 15, 17] {
        let old = [many[0].clone(), "5a".repeat(length)];
        document.add(case(config, id, &old).flag("edge").comment(format!("an old secret of {length} bytes")));
    }
}

fn case(config: &str, id: i64, old_secrets: &[String]) -> Case {
    Case::new("inspect_secrets", json!({ "id": id.to_string(), "old_secrets": old_secrets })).config(config)
}

/// An ID under the secret at this place whose readings under all others are far in the future.
fn told_apart(all: &[Randflake<&ManualClock>], place: usize, rng: &mut Rng) -> i64 {
    let Some(right) = all.get(place) else {
        return rng.next() as i64;
    };
    loop {
        let time = rng.between(RIGHT_MS.0, RIGHT_MS.1 - 1);
        let (node, sequence) = (rng.up_to(MAX_NODE), rng.up_to(MAX_SEQUENCE));
        let id = right.compose(time, node as i64, sequence as i64).expect("parts in range");
        let others = all.iter().enumerate().filter(|(index, _)| *index != place);
        let is_ahead =
            |other: &Randflake<&ManualClock>| other.inspect(id).is_ok_and(|parts| parts.timestamp_ms >= Some(WRONG_MS));
        if others.into_iter().all(|(_, other)| is_ahead(other)) {
            return id;
        }
    }
}

fn random_secret(rng: &mut Rng) -> [u8; 16] {
    (u128::from(rng.next()) << 64 | u128::from(rng.next())).to_be_bytes()
}

fn hex(key: &[u8]) -> String {
    key.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn bytes(secret: &str) -> [u8; 16] {
    u128::from_str_radix(secret, 16).expect("32 hexadecimal digits").to_be_bytes()
}
