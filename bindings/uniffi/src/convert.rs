//! Values that cross UniFFI's boundary in a special form.

use std::ops::Range;

/// A result of IDs, signed 64-bit integers. They cross UniFFI's boundary as text, whose memory
/// UniFFI passes unchanged. UniFFI writes the bytes of a vector one at a time, which takes ten
/// times as long as making the IDs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ids(pub Vec<i64>);

uniffi::custom_type!(Ids, String, {
    lower: |ids| ids.to_text(),
    try_lift: |_text| Err(uniffi::deps::anyhow::anyhow!("lists of IDs are results only, not arguments")),
});

impl From<Vec<i64>> for Ids {
    fn from(ids: Vec<i64>) -> Self {
        Ids(ids)
    }
}

/// The lower seven bits of each byte of a word, which are ASCII.
const LOWER: u64 = 0x7f7f_7f7f_7f7f_7f7f;
/// The lowest bit of each byte of a word.
const LOWEST: u64 = 0x0101_0101_0101_0101;

impl Ids {
    /// Encodes the IDs as ASCII. First, each ID is a word in this machine's byte order, without the
    /// highest bit of each byte. Then n words, a seventh as many, have these highest bits: those of
    /// the IDs 0 to n − 1 are the lowest bits of their bytes, those of n to 2n − 1 the next bits,
    /// and so on.
    fn to_text(&self) -> String {
        String::from_utf8(words(&self.0).into_flattened()).expect("bytes of seven bits are ASCII")
    }
}

#[multiversion::multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
fn words(ids: &[i64]) -> Vec<[u8; 8]> {
    let mut highest = vec![0; ids.len().div_ceil(7)];
    // `chunks` requires a length above 0, even without IDs.
    for (bit, part) in ids.chunks(highest.len().max(1)).enumerate() {
        for (word, id) in highest.iter_mut().zip(part) {
            *word |= (id.cast_unsigned() >> 7 & LOWEST) << bit;
        }
    }
    let lower = ids.iter().map(|id| id.cast_unsigned() & LOWER);
    lower.chain(highest).map(u64::to_ne_bytes).collect()
}

/// A half-open range of integers, in the language's own type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interval(pub Range<i64>);

uniffi::custom_type!(Interval, Vec<i64>, {
    lower: |interval| vec![interval.0.start, interval.0.end],
    try_lift: |bounds| match bounds[..] {
        [start, end] => Ok(Interval(start..end)),
        _ => Err(uniffi::deps::anyhow::anyhow!("an interval has two bounds")),
    },
});

#[cfg(test)]
mod tests {
    use super::*;

    /// Decodes the text as Kotlin and Swift do.
    fn ids_of(text: &str) -> Vec<i64> {
        let words: Vec<_> = text.as_bytes().as_chunks().0.iter().map(|word| i64::from_ne_bytes(*word)).collect();
        let (lower, highest) = words.split_at(words.len() * 7 / 8);
        let bits = |n: usize| highest[n % highest.len()] >> (n / highest.len()) & LOWEST.cast_signed();
        lower.iter().enumerate().map(|(n, word)| word | bits(n) << 7).collect()
    }

    #[test]
    fn lists_of_ids_cross_the_boundary_unchanged() {
        for count in (0..=30).chain([1_000]) {
            // Each bit of the IDs, including the sign, differs between some neighbours.
            let mut ids: Vec<_> = (0..count).map(|n: i64| n.wrapping_mul(0x6a09_e667_f3bc_c909)).collect();
            ids.iter_mut().zip([0, -1, i64::MIN, i64::MAX]).for_each(|(id, edge)| *id = edge);
            let text = Ids(ids.clone()).to_text();
            assert!(text.is_ascii());
            assert_eq!(ids_of(&text), ids, "{count} IDs");
        }
    }
}
