//! Which IDs of a stream repeat: exactly, in bounded memory.
//!
//! ```text
//! IDs → memory, until it is full → sorted → a run in a temporary file        equal IDs are neighbours in a run,
//!                                           all runs, merged → tally         and meet where runs are merged
//! ```
//!
//! Sorted runs keep to their memory whatever the IDs are; a partition by some of their bits does not, where one ID comes a
//! billion times. The file has 8 bytes an ID and never has a name where the system allows that, so that nothing is left of
//! it even when the process is killed.

mod runs;
mod tally;

pub use tally::{Repeat, Report};

use runs::Runs;
use std::io;
use std::path::{Path, PathBuf};
use tally::Tally;

/// The least memory to sort in: 1 MiB.
pub const LEAST_MEMORY: usize = 1 << 20;

const ID_BYTES: usize = size_of::<i64>();

/// Collects IDs and says which of them repeat.
///
/// ```
/// use saiban_cli::duplicates::{Duplicates, LEAST_MEMORY};
/// let mut ids = Duplicates::new(LEAST_MEMORY, &std::env::temp_dir())?;
/// ids.extend(&[7, -7, 7, 8])?;
/// let report = ids.finish(20, |_| ())?;
/// assert_eq!((report.ids, report.distinct, report.repeated), (4, 3, 1));
/// assert_eq!((report.most[0].id, report.most[0].times), (7, 2));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Duplicates {
    /// The IDs of the next run; `capacity` of them fill the memory.
    ids: Vec<i64>,
    capacity: usize,
    folder: PathBuf,
    runs: Option<Runs>,
}

impl Duplicates {
    /// Sorts in this many bytes of memory, `LEAST_MEMORY` at least; what does not fit goes to a file in `folder`.
    ///
    /// # Errors
    /// `InvalidInput` for less memory, `OutOfMemory` for more than the system gives.
    pub fn new(memory: usize, folder: &Path) -> io::Result<Self> {
        if memory < LEAST_MEMORY {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "less than 1 MiB of memory to sort in"));
        }
        let capacity = memory / ID_BYTES;
        let mut ids = Vec::new();
        ids.try_reserve_exact(capacity).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
        Ok(Duplicates { ids, capacity, folder: folder.into(), runs: None })
    }

    /// Takes an ID.
    ///
    /// # Errors
    /// Those of the temporary file.
    #[inline]
    pub fn push(&mut self, id: i64) -> io::Result<()> {
        if self.ids.len() == self.capacity {
            self.write_run()?;
        }
        self.ids.push(id);
        Ok(())
    }

    /// Takes these IDs.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn extend(&mut self, mut ids: &[i64]) -> io::Result<()> {
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

    /// Compares all IDs and names the `show` most repeated ones. `progress` hears now and then how many were compared.
    ///
    /// # Errors
    /// Those of the temporary file.
    pub fn finish(mut self, show: usize, mut progress: impl FnMut(u64)) -> io::Result<Report> {
        let mut tally = Tally::new(show);
        if self.runs.is_none() {
            self.ids.sort_unstable();
            self.ids.iter().for_each(|&id| tally.add(id));
            return Ok(tally.finish());
        }
        if !self.ids.is_empty() {
            self.write_run()?;
        }
        // The memory is the merge's from here on.
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
    use super::{Duplicates, LEAST_MEMORY};

    #[test]
    fn too_little_memory_is_refused() {
        let error = Duplicates::new(LEAST_MEMORY - 1, &std::env::temp_dir()).expect_err("too little");
        assert_eq!(error.kind(), std::io::ErrorKind::InvalidInput);
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
