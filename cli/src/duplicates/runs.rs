//! Sorted runs of IDs in one temporary file, and their merge.

use super::Record;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::marker::PhantomData;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The minimum number of bytes to read at once from a run. With fewer, the disk would seek more
/// than it reads.
const LEAST_BLOCK: usize = 32 << 10;
/// The maximum number of bytes. More would not be faster.
const MAX_BLOCK: usize = 1 << 20;

/// Sorted runs, one after another in a file with 8 or 16 bytes an ID.
#[derive(Debug)]
pub(super) struct Runs<I> {
    file: File,
    folder: PathBuf,
    /// The position of each run, counted in IDs.
    places: Vec<Range<u64>>,
    bytes: Vec<u8>,
    of: PhantomData<I>,
}

impl<I: Record> Runs<I> {
    pub(super) fn new(folder: &Path) -> io::Result<Self> {
        // The file has no name, or loses its name as soon as it is open. It disappears with this
        // process, however the process ends.
        let file = tempfile::tempfile_in(folder)?;
        Ok(Runs { file, folder: folder.into(), places: Vec::new(), bytes: Vec::new(), of: PhantomData })
    }

    /// Writes a sorted run after the others.
    pub(super) fn append(&mut self, ids: &[I]) -> io::Result<()> {
        let start = self.end();
        self.write(ids)?;
        self.places.push(start..start + ids.len() as u64);
        Ok(())
    }

    #[cfg(test)]
    pub(super) fn bytes_in_file(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    fn end(&self) -> u64 {
        self.places.last().map_or(0, |place| place.end)
    }

    fn write(&mut self, ids: &[I]) -> io::Result<()> {
        for block in ids.chunks(MAX_BLOCK / I::BYTES) {
            self.bytes.clear();
            I::write(block, &mut self.bytes);
            self.file.write_all(&self.bytes)?;
        }
        Ok(())
    }

    /// Calls `take` with all IDs in ascending order. It buffers at most `capacity` IDs in memory.
    pub(super) fn merge(self, capacity: usize, mut take: impl FnMut(I)) -> io::Result<()> {
        let least = LEAST_BLOCK / I::BYTES;
        let fan_in = capacity / least;
        let mut runs = self;
        // If the memory cannot buffer all runs, first merge them into fewer and longer ones.
        while runs.places.len() > fan_in {
            let mut longer = Runs::new(&runs.folder)?;
            // One block of the memory is for the output.
            for places in runs.places.chunks(fan_in - 1) {
                let start = longer.end();
                let mut length = 0;
                let mut block = Vec::with_capacity(least);
                merge(&runs.file, places, capacity - least, |id| {
                    length += 1;
                    block.push(id);
                    if block.len() == least {
                        longer.write(&block)?;
                        block.clear();
                    }
                    Ok(())
                })?;
                longer.write(&block)?;
                longer.places.push(start..start + length);
            }
            runs = longer;
        }
        merge(&runs.file, &runs.places, capacity, |id| {
            take(id);
            Ok(())
        })
    }
}

/// Merges these runs of the file.
fn merge<I: Record>(
    file: &File,
    places: &[Range<u64>],
    capacity: usize,
    mut take: impl FnMut(I) -> io::Result<()>,
) -> io::Result<()> {
    let block = (capacity / places.len().max(1)).min(MAX_BLOCK / I::BYTES);
    let mut bytes = vec![0; block * I::BYTES];
    let mut readers: Vec<Reader<I>> =
        places.iter().map(|place| Reader { place: place.clone(), ids: Vec::new(), read: 0 }).collect();
    let mut heads = BinaryHeap::with_capacity(readers.len());
    for (index, reader) in readers.iter_mut().enumerate() {
        heads.extend(reader.next(file, &mut bytes)?.map(|id| Reverse((id, index))));
    }
    while let Some(mut head) = heads.peek_mut() {
        let Reverse((id, index)) = *head;
        take(id)?;
        match readers[index].next(file, &mut bytes)? {
            Some(next) => *head = Reverse((next, index)),
            None => drop(PeekMut::pop(head)),
        }
    }
    Ok(())
}

/// A run that is read block by block.
struct Reader<I> {
    /// The part of the run that is still to be read.
    place: Range<u64>,
    ids: Vec<I>,
    read: usize,
}

impl<I: Record> Reader<I> {
    #[inline]
    fn next(&mut self, file: &File, bytes: &mut [u8]) -> io::Result<Option<I>> {
        if self.read == self.ids.len() {
            self.refill(file, bytes)?;
        }
        let id = self.ids.get(self.read).copied();
        self.read += 1;
        Ok(id)
    }

    #[cold]
    fn refill(&mut self, mut file: &File, bytes: &mut [u8]) -> io::Result<()> {
        let left = self.place.end - self.place.start;
        let count = left.min((bytes.len() / I::BYTES) as u64);
        let bytes = &mut bytes[..count as usize * I::BYTES];
        file.seek(SeekFrom::Start(self.place.start * I::BYTES as u64))?;
        file.read_exact(bytes)?;
        self.place.start += count;
        self.ids.clear();
        I::read(bytes, &mut self.ids);
        self.read = 0;
        Ok(())
    }
}
