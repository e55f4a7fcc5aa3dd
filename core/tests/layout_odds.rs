//! The capacity of a layout per second, and its collision odds, compared with exact values and with
//! random simulation.

mod dice;

use dice::Dice;
use saiban::layout::WideFields;
use saiban::{ErrorKind, Layout};
use std::collections::HashSet;

fn read(text: &str) -> Layout {
    Layout::from_text(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn odds(layout: &Layout, ids_per_second: f64, seconds: f64) -> f64 {
    layout.collision_odds(ids_per_second, seconds).expect("numbers of 0 and more")
}

#[test]
fn ids_a_second_are_those_of_a_tick_times_the_ticks_of_a_second() {
    for (text, per_node, in_all) in [
        ("twitter", 4_096_000.0, 4_194_304_000.0),
        ("sonyflake", 25_600.0, 1_677_721_600.0),
        ("timestamp:30@s node:17 sequence:17", 131_072.0, 17_179_869_184.0),
        ("timestamp:41@7us node:1 sequence:1", 2e6 / 7.0, 4e6 / 7.0),
        ("timestamp:20@d sequence:4", 16.0 / 86_400.0, 16.0 / 86_400.0),
        ("timestamp:41 node:10", 1_000.0, 1_024_000.0),
        ("timestamp:41 sequence:12,start=random", 3_072_500.0, 3_072_500.0),
        ("timestamp:43 random:20,step=1", 524_288_500.0, 524_288_500.0),
        (
            "timestamp:43 random:20,step=255",
            1_000.0 * (1.0 + 1_048_575.0 / 256.0),
            1_000.0 * (1.0 + 1_048_575.0 / 256.0),
        ),
        ("timestamp:48 random:80", 1_208_925_819_614_629_174_706_176_000.0, 1_208_925_819_614_629_174_706_176_000.0),
    ] {
        let rate = read(text).ids_per_second();
        assert!((rate.per_node / per_node - 1.0).abs() < 1e-12, "{text}: {rate:?}");
        assert!((rate.in_all / in_all - 1.0).abs() < 1e-12, "{text}: {rate:?}");
    }
}

#[test]
fn a_growing_random_part_gives_the_stated_number_of_ids_a_tick() {
    let mut dice = Dice::new(5);
    for (bits, step) in [(10, 1), (10, 7), (12, 255), (12, 63)] {
        let layout = read(&format!("timestamp:40 random:{bits},step={step}"));
        let ticks = 20_000;
        let mut ids = 0_u64;
        for _ in 0..ticks {
            let mut low = dice.below(1 << bits);
            while low < 1 << bits {
                ids += 1;
                low += 1 + dice.below(step);
            }
        }
        let (stated, made) = (layout.ids_per_second().per_node / 1_000.0, ids as f64 / f64::from(ticks));
        assert!((stated - made).abs() < 1.0 + 0.02 * made, "{layout}: {stated} {made}");
    }
}

#[test]
fn a_layout_with_unique_ids_has_collision_odds_of_zero() {
    for text in [
        "twitter",
        "timestamp:41 node:10",
        "timestamp:43 random:20,step=255",
        "timestamp:41 sequence:12 random:11",
        "timestamp:41 sequence:12,start=random",
        "timestamp:41 random:12,step=3 random:10",
    ] {
        let layout = read(text);
        assert!(layout.is_unique());
        assert_eq!(layout.collision_odds(1e9, 1e9), Ok(0.0));
    }
}

#[test]
fn the_odds_are_those_of_the_birthday_problem() {
    // The birthday problem with 20 people and 2^8 = 256 days: all IDs of a second share a tick of
    // an hour.
    let exact = |ids: u64, cells: f64| 1.0 - (0..ids).map(|before| 1.0 - before as f64 / cells).product::<f64>();
    let days = read("timestamp:20@h node:4 random:8");
    assert!((odds(&days, 20.0, 1.0) - exact(20, 256.0)).abs() < 1e-12);
    assert!((odds(&days, 20.0, 1.0) - 0.533).abs() < 1e-3);
    assert_eq!(odds(&days, 257.0, 1.0), 1.0);
    assert!(odds(&days, 256.0, 1.0) > 0.999_999);
    // One day of UUIDs v4 at ten billion a second: n^2 / 2^123.
    let uuid = read("timestamp:1@10000d random:122");
    let ids = 1e10_f64 * 86_400.0;
    assert!((odds(&uuid, 1e10, 86_400.0) / (ids * ids / 2_f64.powi(123)) - 1.0).abs() < 1e-6);
    // 2.71e18 UUIDs v4 collide with odds of one half. (This layout's time has two ticks.)
    let half = odds(&uuid, 2.71e18 / 86_400.0, 86_400.0);
    assert!((half - 0.5).abs() < 2e-3, "{half}");
    for (rate, seconds) in [(0.0, 1.0), (1.0, 0.0), (-0.0, 5.0), (1.0, 1.0), (f64::INFINITY, 0.0), (0.0, f64::INFINITY)]
    {
        assert_eq!(odds(&uuid, rate, seconds), 0.0);
    }
    assert_eq!(odds(&uuid, 1e-300, f64::INFINITY), 1.0);
    assert_eq!(odds(&read("timestamp:1 random:127"), f64::INFINITY, f64::INFINITY), 1.0);
    assert_eq!(odds(&uuid, f64::INFINITY, 1.0), 1.0);
    assert_eq!(odds(&uuid, f64::MAX, f64::MAX), 1.0);
}

#[test]
fn invalid_numbers_of_ids_or_seconds_are_refused() {
    for layout in [read("timestamp:48 random:80"), Layout::TWITTER] {
        for wrong in [-1.0, f64::NAN, f64::NEG_INFINITY, -f64::MIN_POSITIVE] {
            for (rate, seconds, named) in
                [(wrong, 1.0, "IDs a second"), (1.0, wrong, "seconds"), (0.0, wrong, "seconds")]
            {
                let error = layout.collision_odds(rate, seconds).expect_err("no odds");
                assert_eq!(error.kind(), ErrorKind::InvalidArgument);
                assert!(error.to_string().contains(named), "{error}");
            }
        }
    }
}

#[test]
fn odds_never_fall_as_ids_grow_and_are_always_a_probability() {
    for text in
        ["timestamp:16@s random:4", "timestamp:40 random:12", "timestamp:48 random:80", "timestamp:1 random:127"]
    {
        let layout = read(text);
        let mut last = 0.0;
        for exponent in 0..400 {
            let odds = odds(&layout, 1.15_f64.powi(exponent), 3_600.0);
            // The last digit may differ where the exact sum ends and the series begins.
            assert!((0.0..=1.0).contains(&odds) && odds >= last * (1.0 - 1e-6), "{text}: {odds} after {last}");
            last = odds;
        }
    }
}

#[test]
fn random_ids_repeat_as_often_as_the_odds_predict() {
    let mut dice = Dice::new(6);
    let rounds = 20_000;
    for (text, rate, seconds) in [
        ("timestamp:16@s random:4", 1.0, 8.0),
        ("timestamp:16@s random:4", 0.5, 16.0),
        ("timestamp:16@s random:8", 5.0, 10.0),
        ("timestamp:16 node:2 random:3", 4_000.0, 0.005),
        ("timestamp:16 random:10", 60_000.0, 0.002),
        ("timestamp:16@s random:1", 2.0, 1.0),
    ] {
        let layout = read(text);
        let (ids, span_us) = ((rate * seconds) as u64, (seconds * 1e6) as u64);
        let mut repeated = 0_u32;
        for _ in 0..rounds {
            let mut seen = HashSet::new();
            let is_repeated = (0..ids).any(|_| {
                let tick = dice.below(span_us) / layout.tick_us();
                let random = u128::from(dice.next()) & layout.max_random();
                !seen.insert(layout.join_wide(&WideFields { tick, random, ..WideFields::default() }))
            });
            repeated += u32::from(is_repeated);
        }
        let (stated, made) = (odds(&layout, rate, seconds), f64::from(repeated) / f64::from(rounds));
        // The limit is five standard deviations.
        let deviation = 5.0 * (stated * (1.0 - stated) / f64::from(rounds)).sqrt();
        assert!((stated - made).abs() < deviation, "{text}: stated {stated}, made {made}");
    }
}
