//! Cases of Randflake IDs under one of several secrets: inspection finds the right one.

use crate::document::{Case, Document};
use crate::rng::Rng;
use saiban::{ComposeParts, Generator, ManualClock, Options, RandflakeGenerator, Secret};
use serde_json::json;

/// Under the right secret, an ID's time is in 2025 or 2026, before November. Under all other
/// secrets it is in 2050 or later.
const RIGHT_MS: (i64, i64) = (1_735_689_600_000, 1_793_491_200_000);
const WRONG_MS: i64 = 2_524_608_000_000;

const MAX_NODE: u64 = (1 << 17) - 1;
const MAX_SEQUENCE: u64 = (1 << 17) - 1;

/// Adds IDs under the new secret and under some old ones, for several numbers of old secrets up to
/// the maximum.
pub fn inspect(document: &mut Document, config: &str, secret: &str) {
    let mut rng = Rng::new(0x7365_6372);
    let clock = ManualClock::new(0).expect("a clock");
    for count in [0, 1, 2, 3, 7] {
        let old: Vec<[u8; 16]> = (0..count).map(|_| random_secret(&mut rng)).collect();
        let all: Vec<RandflakeGenerator<&ManualClock>> = std::iter::once(&bytes(secret))
            .chain(&old)
            .map(|key| RandflakeGenerator::build(&Secret::new(*key), &Options::node(0), &clock).expect("a generator"))
            .collect();
        let old: Vec<String> = old.iter().map(|key| hex(key)).collect();
        let mut places: Vec<usize> = if count > 3 { vec![0, 1, 4, 7] } else { (0..=count).collect() };
        places.extend(places.clone());
        for place in places {
            let id = distinguishable_id(&all, place, &mut rng);
            document.add(case(config, id, &old).flag(if count == 0 { "edge" } else { "random" }));
        }
    }
    let id = distinguishable_id(&[], 0, &mut rng);
    let many: Vec<String> = (0..8).map(|_| hex(&random_secret(&mut rng))).collect();
    document.add(case(config, id, &many).flag("edge").comment("nine secrets"));
    // Only the last secret has another length: C gets all old secrets as one array of bytes.
    for length in [1, 15, 17] {
        let old = [many[0].clone(), "5a".repeat(length)];
        document.add(case(config, id, &old).flag("edge").comment(format!("an old secret of {length} bytes")));
    }
}

fn case(config: &str, id: i64, old_secrets: &[String]) -> Case {
    Case::new("inspect_secrets", json!({ "id": id.to_string(), "old_secrets": old_secrets })).config(config)
}

/// Returns an ID under the secret at this index. Under all other secrets its time is far in the
/// future.
fn distinguishable_id(all: &[RandflakeGenerator<&ManualClock>], place: usize, rng: &mut Rng) -> i64 {
    let Some(right) = all.get(place) else {
        return rng.next() as i64;
    };
    loop {
        let time = rng.between(RIGHT_MS.0, RIGHT_MS.1 - 1);
        let parts = ComposeParts::at_ms(time).node(rng.up_to(MAX_NODE) as i64).sequence(rng.up_to(MAX_SEQUENCE));
        let id = right.compose(&parts).expect("parts in range");
        let others = all.iter().enumerate().filter(|(index, _)| *index != place);
        let is_ahead = |other: &RandflakeGenerator<&ManualClock>| {
            other.inspect(id).is_ok_and(|parts| parts.timestamp_ms >= Some(WRONG_MS))
        };
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
