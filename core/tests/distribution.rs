//! Randflake IDs look like independent, uniform 64-bit numbers to a few classical statistics.
//!
//! 10 million IDs come from the public generator, on a manual clock, for a range of four nodes,
//! under one fixed secret. Each run sees identical IDs, so a failure means that the code changed.
//! The statistics are
//!
//! - each of the 8 bytes, over 256 cells, and 1024 shards, by remainder and by the highest 10 bits:
//!   chi-square;
//! - each bit, set in half of the IDs, and different from the last ID's in half of them;
//! - the serial correlation of successive IDs;
//! - the cipher's avalanche: each bit of the block and each bit of the key changes each bit of the
//!   result half the time.
//!
//! **Bounds.** A statistic fails when independent uniform numbers would be as extreme, on either
//! side, with a probability of 10^-9. There are fewer than 15,000 statistics, so one secret in
//! 60,000 would raise a false alarm; this one does not. Cells that are too even fail too: a counter
//! fills all cells equally. For the avalanche the bound is 45.2 to 54.8 % of 4096 samples for each
//! pair of bits, and 49.4 to 50.6 % for each bit of the input over the whole result.
//!
//! **Limits.** This is a smoke test, not a proof. It would detect a missing cipher, rounds that do
//! not mix, or an ignored part of the key. It does not cover attacks on SPARX-64/128, structure in
//! more than two successive IDs or in more than one bit or byte at a time, other secrets, or chosen
//! times. Snowflake IDs, which fail these tests, and three weak functions show that the tests
//! detect such faults.

mod dice;

use dice::Dice;
use saiban::cipher::Sparx64;
use saiban::{Generator, Layout, ManualClock, Options, RandflakeGenerator, Secret, SnowflakeGenerator};
use std::ops::RangeInclusive;

const IDS: usize = 10_000_000;
const NOW_MS: i64 = 1_763_700_000_000;
const SECRET: [u8; 16] = *b"saiban, smoke 01";

/// The quantiles of 5·10^-10 on either side, by SciPy 1.17: `norm.isf(p)`, and `chi2.ppf(p, df)`,
/// `chi2.isf(p, df)`.
const STANDARD_DEVIATIONS: f64 = 6.1094;
const SQUARE_OF_255: RangeInclusive<f64> = 140.245..=418.017;
const SQUARE_OF_1023: RangeInclusive<f64> = 770.394..=1323.996;

/// Returns whether the counts of equally likely cells are improbably uneven or even; `bounds` fit
/// their degrees of freedom.
fn uneven(cells: &[u32], total: usize, bounds: &RangeInclusive<f64>) -> bool {
    let expected = total as f64 / cells.len() as f64;
    let square: f64 = cells.iter().map(|&cell| (f64::from(cell) - expected).powi(2) / expected).sum();
    !bounds.contains(&square)
}

/// Returns whether a number of successes differs from half of `trials`.
fn not_half(successes: u32, trials: usize) -> bool {
    let trials = trials as f64;
    (f64::from(successes) - trials / 2.0).abs() > STANDARD_DEVIATIONS * trials.sqrt() / 2.0
}

/// The counts of a stream of IDs.
struct Counts {
    ids: usize,
    bytes: [[u32; 256]; 8],
    remainders: [u32; 1024],
    highest: [u32; 1024],
    set: [u32; 64],
    changed: [u32; 64],
    /// The sum of the products of successive IDs, as numbers from -1/2 to 1/2.
    products: f64,
    last: Option<u64>,
}

impl Counts {
    fn of(generator: &dyn Generator<Id = i64>, clock: &ManualClock) -> Box<Self> {
        let mut counts = Box::new(Counts {
            ids: 0,
            bytes: [[0; 256]; 8],
            remainders: [0; 1024],
            highest: [0; 1024],
            set: [0; 64],
            changed: [0; 64],
            products: 0.0,
            last: None,
        });
        let mut block = vec![0; 50_000];
        while counts.ids < IDS {
            let want = block.len().min(IDS - counts.ids);
            match generator.fill(&mut block[..want]) {
                Ok(made) => block[..made].iter().for_each(|&id| counts.add(id as u64)),
                Err(_) => clock.advance(1_000).expect("a time"),
            }
        }
        counts.finish()
    }

    fn add(&mut self, id: u64) {
        for (cells, byte) in self.bytes.iter_mut().zip(id.to_le_bytes()) {
            cells[usize::from(byte)] += 1;
        }
        self.remainders[(id % 1024) as usize] += 1;
        self.highest[(id >> 54) as usize] += 1;
        if let Some(last) = self.last {
            let changed = id ^ last;
            for (bit, count) in self.changed.iter_mut().enumerate() {
                *count += (changed >> bit & 1) as u32;
            }
            self.products += fraction(id) * fraction(last);
        }
        self.last = Some(id);
        self.ids += 1;
    }

    /// Derives the count of each bit from the bytes.
    fn finish(mut self: Box<Self>) -> Box<Self> {
        for (bit, count) in self.set.iter_mut().enumerate() {
            let cells = &self.bytes[bit / 8];
            *count = (0..256).filter(|byte| byte >> (bit % 8) & 1 == 1).map(|byte| cells[byte]).sum();
        }
        self
    }

    /// Returns which statistics fail, in the order of their cells.
    fn alarms(&self) -> Alarms {
        // Products of independent numbers with variance 1/12 have variance 1/144.
        let correlation = self.products * 12.0 / (self.ids as f64 - 1.0).sqrt();
        Alarms {
            bytes: self.bytes.each_ref().map(|cells| uneven(cells, self.ids, &SQUARE_OF_255)),
            remainders: uneven(&self.remainders, self.ids, &SQUARE_OF_1023),
            highest: uneven(&self.highest, self.ids, &SQUARE_OF_1023),
            set: self.set.map(|count| not_half(count, self.ids)),
            changed: self.changed.map(|count| not_half(count, self.ids - 1)),
            correlation: correlation.abs() > STANDARD_DEVIATIONS,
        }
    }
}

#[derive(Debug, PartialEq)]
struct Alarms {
    bytes: [bool; 8],
    remainders: bool,
    highest: bool,
    set: [bool; 64],
    changed: [bool; 64],
    correlation: bool,
}

const NO_ALARM: Alarms = Alarms {
    bytes: [false; 8],
    remainders: false,
    highest: false,
    set: [false; 64],
    changed: [false; 64],
    correlation: false,
};

/// Returns the ID as a number from -1/2 to 1/2.
fn fraction(id: u64) -> f64 {
    id as f64 / 2_f64.powi(64) - 0.5
}

#[test]
fn ten_million_randflake_ids_look_uniform_and_independent() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = RandflakeGenerator::build(&Secret::new(SECRET), &Options::nodes(40..44), &clock).expect("a generator");
    assert_eq!(Counts::of(&ids, &clock).alarms(), NO_ALARM);
}

#[test]
fn the_statistics_detect_ten_million_snowflake_ids() {
    let clock = ManualClock::new(NOW_MS).expect("a time");
    let ids = SnowflakeGenerator::build(Layout::TWITTER, &Options::nodes(40..44), &clock).expect("a generator");
    let Alarms { bytes, remainders, highest, set, changed, correlation } = Counts::of(&ids, &clock).alarms();
    assert_eq!((bytes, remainders, highest, correlation), ([true; 8], true, true, true));
    // A counter's low bits are set half of the time, and its second bit changes half of the time.
    let alarms = |bits: [bool; 64]| bits.into_iter().filter(|alarm| *alarm).count();
    assert!(alarms(set) >= 40 && alarms(changed) == 63, "{set:?} {changed:?}");
}

/// How often each output bit changes with each input bit, over random inputs.
struct Avalanche {
    changed: Vec<[u32; 64]>,
}

const SAMPLES: usize = 4096;

impl Avalanche {
    /// Measures a function whose first argument has `bits` relevant low bits; both arguments are
    /// random.
    fn of(bits: usize, function: impl Fn(u128, u128) -> u64) -> Self {
        let mut dice = Dice::new(20);
        let mut draw = || u128::from(dice.next()) << 64 | u128::from(dice.next());
        let mut changed = vec![[0; 64]; bits];
        for _ in 0..SAMPLES {
            let (input, other) = (draw(), draw());
            let before = function(input, other);
            for (bit, changed) in changed.iter_mut().enumerate() {
                let change = before ^ function(input ^ 1 << bit, other);
                for (bit, count) in changed.iter_mut().enumerate() {
                    *count += (change >> bit & 1) as u32;
                }
            }
        }
        Avalanche { changed }
    }

    /// Counts the input bits that change some output bit, or all output bits together, too often or
    /// too rarely.
    fn alarms(&self) -> usize {
        let alarm = |changed: &&[u32; 64]| {
            changed.iter().any(|&count| not_half(count, SAMPLES)) || not_half(changed.iter().sum(), 64 * SAMPLES)
        };
        self.changed.iter().filter(alarm).count()
    }
}

fn sparx(key: u128, block: u64) -> u64 {
    let cipher = Sparx64::new(&Secret::new(key.to_be_bytes()));
    let [a, b, c, d] =
        cipher.encrypt([block >> 48, block >> 32, block >> 16, block].map(|word| word as u16)).map(u64::from);
    a << 48 | b << 32 | c << 16 | d
}

#[test]
fn each_bit_of_a_block_changes_half_of_the_cipher_text() {
    assert_eq!(Avalanche::of(64, |block, key| sparx(key, block as u64)).alarms(), 0);
}

#[test]
fn each_bit_of_the_key_changes_half_of_the_cipher_text() {
    assert_eq!(Avalanche::of(128, |key, block| sparx(key, block as u64)).alarms(), 0);
}

#[test]
fn the_avalanche_test_detects_weak_ciphers() {
    // The functions are an XOR, a product whose high bits never reach the low ones, and a cipher
    // that ignores half of its key.
    assert_eq!(Avalanche::of(64, |block, key| (block ^ key) as u64).alarms(), 64);
    assert_eq!(Avalanche::of(64, |block, _| (block as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)).alarms(), 64);
    assert_eq!(Avalanche::of(128, |key, block| sparx(key & u128::from(u64::MAX), block as u64)).alarms(), 64);
}
