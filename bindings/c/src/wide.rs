//! IDs of any width as bytes. generator.rs has these functions for IDs that are an int64_t.

use crate::encoding::{encoding_or_canonical, leniency_of};
use crate::ffi::{Buffer, Chars, Fill, Out, Slice, ffi};
use crate::generator::{Generator, either};
use crate::parts::WideParts;
use saiban::id::IdValue;
use saiban::{Attempt, Error};
use std::mem::MaybeUninit;

/// The size of an ID given as bytes: the number, highest byte first, with leading zeros. A ULID and
/// a UUID use all of them; an ID of b bits uses the last (b + 7) / 8.
pub const SAIBAN_WIDE_ID_SIZE: usize = 16;

/// The number of IDs that are made at once for an array of bytes.
const BLOCK: usize = 64;

/// Converts an ID to an unsigned number, and back.
pub(crate) trait WideForm: IdValue {
    fn to_wide(self) -> u128;

    /// Returns `None` if the number has too many bits.
    fn of_wide(number: u128) -> Option<Self>;
}

impl WideForm for i64 {
    fn to_wide(self) -> u128 {
        u128::from(self as u64)
    }

    fn of_wide(number: u128) -> Option<Self> {
        u64::try_from(number).ok().map(|number| number as i64)
    }
}

impl WideForm for u128 {
    fn to_wide(self) -> u128 {
        self
    }

    fn of_wide(number: u128) -> Option<Self> {
        Some(number)
    }
}

/// Returns the ID of a number that C passes.
fn read<I: WideForm>(ids: &dyn saiban::Generator<Id = I>, number: u128) -> Result<I, Error> {
    I::of_wide(number).ok_or(ids.scheme().not_an_id())
}

/// Fills C's array of bytes block by block, because core fills arrays of numbers.
fn fill<I: WideForm>(
    ids: &dyn saiban::Generator<Id = I>,
    places: &mut [MaybeUninit<[u8; 16]>],
) -> Result<usize, Error> {
    let mut block = [I::default(); BLOCK];
    let mut made = 0;
    for places in places.chunks_mut(BLOCK) {
        let written = match ids.fill(&mut block[..places.len()]) {
            Ok(written) => written,
            Err(_) if made > 0 => break,
            Err(error) => return Err(error),
        };
        for (place, id) in places.iter_mut().zip(&block[..written]) {
            place.write(id.to_wide().to_be_bytes());
        }
        made += written;
        if written < places.len() {
            break;
        }
    }
    Ok(made)
}

ffi! {
    /// Makes an ID of any width, waiting as saiban_generate does.
    ///
    /// - id: SAIBAN_WIDE_ID_SIZE bytes, highest first.
    ///
    /// Errors: as saiban_generate.
    fn saiban_generate_wide(generator: &Generator, id: Fill<u8>) {
        let made = either!(generator, ids => ids.generate().map(WideForm::to_wide));
        id.set_wide(made.map_err(|error| generator.explain(error))?)?;
    }

    /// Makes an ID of any width if that needs no wait: as saiban_try_generate.
    ///
    /// - id: SAIBAN_WIDE_ID_SIZE bytes; not written where there is no ID.
    /// - wait_ns: 0, or in how many nanoseconds to try again. May be NULL.
    ///
    /// Errors: as saiban_try_generate.
    fn saiban_try_generate_wide(generator: &Generator, ready: Out<bool>, id: Fill<u8>, wait_ns: Option<Out<u64>>) {
        let attempt = either!(generator, ids => ids.try_generate().map(|attempt| attempt.map(WideForm::to_wide)));
        let attempt = attempt.map_err(|error| generator.explain(error))?;
        let wait = match attempt {
            Attempt::Ready(value) => {
                id.set_wide(value)?;
                0
            }
            Attempt::Wait(wait) => u64::try_from(wait.as_nanos()).unwrap_or(u64::MAX),
        };
        ready.set(matches!(attempt, Attempt::Ready(_)));
        if let Some(wait_ns) = wait_ns {
            wait_ns.set(wait);
        }
    }

    /// Fills an array with IDs of any width, SAIBAN_WIDE_ID_SIZE bytes each with nothing between
    /// them (ObjectIds too): as saiban_fill.
    ///
    /// - ids, count: the array, and how many IDs are wanted: uint8_t
    ///   ids[count][SAIBAN_WIDE_ID_SIZE], given as ids[0].
    /// - written: how many there are.
    ///
    /// Errors: as saiban_fill.
    fn saiban_fill_wide(generator: &Generator, ids: Fill<u8>, count: usize, written: Out<usize>) {
        let places = ids.wide_numbers(count)?;
        let made = either!(generator, ids => fill(ids, places));
        written.set(made.map_err(|error| generator.explain(error))?);
    }

    /// Writes an ID of any width, of this generator's scheme and layout, as text: as
    /// saiban_to_text. As SAIBAN_ENCODING_HYPHENATED any ID of 128 bits is a UUID, a ULID too.
    ///
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: as saiban_to_text.
    fn saiban_to_text_wide(
        generator: &Generator, id: Slice<u8>, encoding: i32, buffer: Buffer, capacity: usize, len: Option<Out<usize>>,
    ) {
        let (id, encoding) = (id.wide()?, encoding_or_canonical(encoding)?);
        let text = either!(generator, ids => ids.to_text_as(read(ids, id)?, encoding))?;
        buffer.write_len(capacity, &text, len)?;
    }

    /// Reads an ID of any width from the canonical text of this generator's scheme: as
    /// saiban_from_text. Of a UUID any form is read leniently, of a ULID any case in both ways, as
    /// its specification says.
    ///
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    ///
    /// Errors: as saiban_from_text.
    fn saiban_from_text_wide(generator: &Generator, text: Chars, text_len: usize, leniency: i32, id: Fill<u8>) {
        let (text, leniency) = (text.get(text_len)?, leniency_of(leniency)?);
        id.set_wide(either!(generator, ids => ids.from_text_as(&text, leniency)?.to_wide()))?;
    }

    /// Takes an ID of any width, of this generator's scheme and layout, apart. It may be another
    /// generator's.
    ///
    /// - id: SAIBAN_WIDE_ID_SIZE bytes.
    /// - parts, size: the struct, and its sizeof as the program was compiled with.
    ///
    /// Errors: ID_OUT_OF_RANGE when the number is no such ID; INVALID_ARGUMENT for a size that this
    /// library does not know.
    fn saiban_generator_inspect_wide(generator: &Generator, id: Slice<u8>, parts: Fill<WideParts>, size: usize) {
        let id = id.wide()?;
        parts.write_version(size, || Ok(either!(generator, ids => ids.inspect(read(ids, id)?))?.into()))?;
    }

    /// Takes an ID of any width apart that is given as canonical text of this generator's scheme.
    ///
    /// Errors: as saiban_from_text_wide; INVALID_ARGUMENT for a size that this library does not
    /// know.
    fn saiban_generator_inspect_text_wide(
        generator: &Generator, text: Chars, text_len: usize, parts: Fill<WideParts>, size: usize,
    ) {
        let text = text.get(text_len)?;
        parts.write_version(size, || Ok(either!(generator, ids => ids.inspect(ids.from_text(&text)?))?.into()))?;
    }
}
