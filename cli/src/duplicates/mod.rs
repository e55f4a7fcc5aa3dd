//! Finds the repeated IDs of a stream, exactly and in bounded memory.
//!
//! ```text
//! IDs → memory, until it is full → sorted → a run in a temporary file        equal IDs are neighbours in a run,
//!                                           all runs, merged → tally         and meet where runs are merged
//! ```
//!
//! Sorted runs need a bounded amount of memory, whatever the IDs are. A partition by some of the
//! bits does not, if one ID occurs a billion times.
//!
//! The file has 8 bytes an ID, or 16 for `u128`. Where the system allows it, the file never has a
//! name. So nothing of it remains, even if the process is killed.

mod record;
mod runs;
mod tally;

pub use record::Record;
pub use tally::{Repeat, Report};

use runs::Runs;
use std::io;
use std::path::{Path, PathBuf};
use tally::Tally;

/// The minimum memory to sort in: 1 MiB.
pub const LEAST_MEMORY: usize = 1 << 20;

/// Collects IDs of up to 64 bits (`Duplicates`) or more (`Duplicates<u128>`), and finds those that
/// repeat.
///
/// ```
/// use saiban_cli::duplicates::{Duplicates, LEAST_MEMORY};
/// let mut ids = <Duplicates>::new(LEAST_MEMORY, &std::env::temp_dir())?;
/// ids.extend(&[7, -7, 7, 8])?;
/// let report = ids.finish(20, |_| ())?;
/// assert_eq!((report.ids, report.distinct, report.repeated), (4, 3, 1));
/// assert_eq!((report.most[0].id, report.most[0].times), (7, 2));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Duplicates<I = i64> {
    /// The IDs of the next run. When they are `capacity`, the memory is full.
    ids: Vec<I>,
    capacity: usize,
    folder: PathBuf,
    runs: Option<Runs<I>>,
}

impl<I: Record> Duplicates<I> {
    /// Returns an empty collection that sorts in `memory` bytes, at least `LEAST_MEMORY`. IDs that
    /// do not fit go to a temporary file in `folder`.
    ///
    /// # Errors
    /// `InvalidInput` for less memory than `LEAST_MEMORY`, and `OutOfMemory` for more than the
    /// system gives.
    pub fn new(memory: usize, folder: &Path) -> io::Result<Self> {
        if memory < LEAST_MEMORY {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "less than 1 MiB of memory to sort in"));
        }
        let capacity = memory / I::BYTES;
        let mut ids = Vec::new();
        ids.try_reserve_exact(capacity).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(Duplicates { ids, capacity, folder: folder.into(), runs: None })
    }

    /// Adds an ID.
    ///
    /// # Errors
    /// The errors of the temporary file.
    #[inline]
    pub fn push(&mut self, id: I) -> io::Result<()> {
        if self.ids.len() == self.capacity {
            self.write_run()?;
        }
        self.ids.push(id);
        Ok(())
    }

    /// Adds these IDs.
    ///
    /// # Errors
    /// The errors of the temporary file.
    pub fn extend(&mut self, mut ids: &[I]) -> io::Result<()> {
        while !ids.is_empty() {
            if self.ids.len() == self.capacity {
                self.write_run()?;
            }
            let (now, later) = ids.split_at(ids.len().min(self.capacity - self.ids.len()));
            self.ids.extend_from_slice(now);
            ids = later;
        }
        Ok(())
    }

    /// Compares all IDs, and returns a report with the `show` most repeated IDs. During a merge it
    /// calls `progress` with the number of IDs compared so far, every 1,048,576 IDs.
    ///
    /// # Errors
    /// The errors of the temporary file.
    pub fn finish(mut self, show: usize, mut progress: impl FnMut(u64)) -> io::Result<Report<I>> {
        let mut tally = Tally::new(show);
        if self.runs.is_none() {
            self.ids.sort_unstable();
            self.ids.iter().for_each(|&id| tally.add(id));
            return Ok(tally.finish());
        }
        if !self.ids.is_empty() {
            self.write_run()?;
        }
        // From here on the memory belongs to the merge.
        self.ids = Vec::new();
        if let Some(runs) = self.runs {
            let mut merged: u64 = 0;
            runs.merge(self.capacity, |id| {
                tally.add(id);
                merged += 1;
                if merged.is_multiple_of(1 << 20) {
                    progress(merged);
                }
            })?;
        }
        Ok(tally.finish())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.ids.sort_unstable();
        let runs = match &mut self.runs {
            Some(runs) => runs,
            None => self.runs.insert(Runs::new(&self.folder)?),
        };
        runs.append(&self.ids)?;
        self.ids.clear();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Duplicates, LEAST_MEMORY, Record};
    use std::cmp::Reverse;
    use std::collections::HashMap;

    #[test]
    fn too_little_memory_is_refused() {
        let error = <Duplicates>::new(LEAST_MEMORY - 1, &std::env::temp_dir()).expect_err("too little");
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
    }

    /// Returns a seeded stream of pseudo-random numbers. Each has two outputs of a 64-bit generator
    /// (SplitMix64).
    fn random(seed: u64) -> impl Iterator<Item = u128> {
        let mut state = seed;
        let mut next = move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ mixed >> 31
        };
        std::iter::repeat_with(move || u128::from(next()) << 64 | u128::from(next()))
    }

    #[test]
    fn wide_ids_are_counted_as_a_map_counts_them() {
        // 1 MiB holds 65,536 of these IDs, so the streams have up to eight runs.
        for (seed, count, mask) in [
            (1, 400_000, u128::MAX),
            (2, 500_000, u128::MAX),
            // These IDs differ only in the upper, the lower or the middle bits, and so repeat
            // without planting.
            (3, 200_000, u128::MAX << 112),
            (4, 200_000, 0xffff),
            (5, 200_000, 0xffff << 56),
            (6, 30_000, u128::MAX),
        ] {
            let mut stream: Vec<u128> = random(seed).take(count).map(|id| id & mask).collect();
            // Repeats: near, far and several times. The ends of the 128-bit range follow.
            let planted = [(0, 1), (17, count / 2), (18, count - 1), (18, 70_000), (18, 65_535), (5, 65_536)];
            for (from, to) in planted.into_iter().filter(|(_, to)| *to < count) {
                stream[to] = stream[from];
            }
            stream.extend([0, u128::MAX, u128::MAX, 0, 1 << 64, 1 << 64]);
            let mut times: HashMap<u128, u64> = HashMap::new();
            stream.iter().for_each(|&id| *times.entry(id).or_default() += 1);
            let mut expected: Vec<_> = times.iter().filter(|(_, times)| **times > 1).collect();
            expected.sort_unstable_by_key(|&(id, times)| (Reverse(times), id));

            let mut ids = Duplicates::new(LEAST_MEMORY, &std::env::temp_dir()).expect("memory");
            ids.extend(&stream).expect("a temporary file");
            assert_eq!(ids.runs.is_some(), count > 65_536);
            let report = ids.finish(usize::MAX, |_| ()).expect("a temporary file");
            assert_eq!((report.ids, report.distinct), (stream.len() as u64, times.len() as u64), "seed {seed}");
            assert!(report.repeated >= 3 && report.repeated == expected.len() as u64, "seed {seed}");
            assert!(report.most.iter().map(|repeat| (&repeat.id, &repeat.times)).eq(expected), "seed {seed}");
        }
    }

    #[test]
    fn a_file_has_8_or_16_bytes_an_id() {
        fn bytes_of<I: Record>(ids: &[I]) -> u64 {
            let mut check = Duplicates::new(LEAST_MEMORY, &std::env::temp_dir()).expect("memory");
            check.extend(ids).and_then(|()| check.write_run()).expect("a temporary file");
            check.runs.expect("they are written").bytes_in_file().expect("a file")
        }
        assert_eq!(bytes_of(&[0_i64; 140_000]), 8 * 140_000);
        assert_eq!(bytes_of(&[0_u128; 140_000]), 16 * 140_000);
    }

    #[test]
    fn ids_one_by_one_and_in_blocks_are_the_same_stream() {
        let mut ids = Duplicates::new(LEAST_MEMORY, &std::env::temp_dir()).expect("memory");
        let stream: Vec<i64> = (0..300_000).collect();
        ids.extend(&stream).expect("a temporary file");
        stream.iter().step_by(1000).for_each(|&id| ids.push(id).expect("a temporary file"));
        let report = ids.finish(0, |_| ()).expect("a temporary file");
        assert_eq!((report.ids, report.distinct, report.repeated), (300_300, 300_000, 300));
    }
}
