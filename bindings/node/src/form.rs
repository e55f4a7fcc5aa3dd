//! What IDs are in JavaScript: numbers of up to 64 bits and wider ones are bigints, the IDs of schemes that everybody writes as text are
//! that text.

use crate::generator::Failure;
use crate::integer::{exact, exact_wide};
use crate::raw;
use napi::bindgen_prelude::{
    BigInt, BigInt64Array, BigInt64ArraySlice, Either, Either3, FunctionCallContext, Uint8ArraySlice, i64n,
};
use saiban::{Error, Generator, IdValue};

/// An ID on its way to JavaScript.
pub type ShownId = Either3<i64n, u128, String>;

/// Many of them.
pub type ShownIds = Either<BigInt64Array, Vec<ShownId>>;

/// How many bytes of wide IDs are made before they are written: few enough for the stack.
const BLOCK: usize = 256;

/// What the IDs of a generator are in JavaScript.
pub trait Form: 'static {
    /// What they are in core.
    type Id: IdValue;

    /// Whether an ID is bytes, too.
    const HAS_BYTES: bool;

    /// The ID as JavaScript has it.
    fn shown(ids: &impl Generator<Self::Id>, id: Self::Id) -> Result<ShownId, Error>;

    /// The ID that an argument is, or whose canonical text it is.
    fn read(
        ids: &impl Generator<Self::Id>,
        call: &FunctionCallContext<'_>,
        index: usize,
    ) -> Result<Self::Id, Failure>;

    /// Makes so many.
    fn many(ids: &impl Generator<Self::Id>, count: usize) -> Result<ShownIds, Error>;

    /// Fills the typed array that is the first argument, which no other thread sees; answers how many it wrote.
    fn fill(ids: &impl Generator<Self::Id>, call: &FunctionCallContext<'_>) -> Result<usize, Failure>;

    /// The ID of this number.
    fn of(number: u128) -> Self::Id;
}

/// A signed bigint.
pub struct Number;

/// An unsigned bigint of more than 64 bits.
pub struct WideNumber;

/// Canonical text.
pub struct Text;

impl Form for Number {
    type Id = i64;
    const HAS_BYTES: bool = false;

    fn shown(_ids: &impl Generator, id: i64) -> Result<ShownId, Error> {
        Ok(Either3::A(i64n(id)))
    }

    fn read(ids: &impl Generator, call: &FunctionCallContext<'_>, index: usize) -> Result<i64, Failure> {
        match call.get::<Either<BigInt, String>>(index)? {
            Either::A(id) => Ok(exact(&id, ids.scheme().name())?),
            Either::B(text) => Ok(ids.from_text(&text)?),
        }
    }

    fn many(ids: &impl Generator, count: usize) -> Result<ShownIds, Error> {
        Ok(Either::A(BigInt64Array::new(ids.generate_many(count)?)))
    }

    fn fill(ids: &impl Generator, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        let mut array: BigInt64ArraySlice<'_> = call.get(0)?;
        Ok(ids.fill(raw::elements(&mut array))?)
    }

    fn of(number: u128) -> i64 {
        number as u64 as i64
    }
}

impl Form for WideNumber {
    type Id = u128;
    const HAS_BYTES: bool = false;

    fn shown(_ids: &impl Generator<u128>, id: u128) -> Result<ShownId, Error> {
        Ok(Either3::B(id))
    }

    fn read(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>, index: usize) -> Result<u128, Failure> {
        match call.get::<Either<BigInt, String>>(index)? {
            Either::A(id) => Ok(exact_wide(&id, ids.scheme().name())?),
            Either::B(text) => Ok(ids.from_text(&text)?),
        }
    }

    fn many(ids: &impl Generator<u128>, count: usize) -> Result<ShownIds, Error> {
        shown_each::<Self>(ids, count)
    }

    fn fill(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        fill_bytes(ids, call, 16)
    }

    fn of(number: u128) -> u128 {
        number
    }
}

impl Form for Text {
    type Id = u128;
    const HAS_BYTES: bool = true;

    fn shown(ids: &impl Generator<u128>, id: u128) -> Result<ShownId, Error> {
        Ok(Either3::C(ids.to_text(id)?.as_str().to_owned()))
    }

    fn read(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>, index: usize) -> Result<u128, Failure> {
        Ok(ids.from_text(&call.get::<String>(index)?)?)
    }

    fn many(ids: &impl Generator<u128>, count: usize) -> Result<ShownIds, Error> {
        shown_each::<Self>(ids, count)
    }

    fn fill(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        fill_bytes(ids, call, byte_count(ids))
    }

    fn of(number: u128) -> u128 {
        number
    }
}

/// How many bytes an ID has.
pub fn byte_count<I: IdValue>(ids: &impl Generator<I>) -> usize {
    ids.bits().div_ceil(8) as usize
}

fn shown_each<F: Form>(ids: &impl Generator<F::Id>, count: usize) -> Result<ShownIds, Error> {
    let made = ids.generate_many(count)?;
    made.into_iter().map(|id| F::shown(ids, id)).collect::<Result<_, _>>().map(Either::B)
}

/// Fills an array of bytes with IDs of so many bytes each, the highest first.
fn fill_bytes(
    ids: &impl Generator<u128>,
    call: &FunctionCallContext<'_>,
    bytes: usize,
) -> Result<usize, Failure> {
    let mut array: Uint8ArraySlice<'_> = call.get(0)?;
    let out = raw::bytes(&mut array);
    if out.len() % bytes != 0 {
        return Err(Failure::Core(Error::InvalidArgument {
            what: "the array does not hold a whole number of IDs: give 12 bytes for each ObjectId, 16 for others",
        }));
    }
    let mut written = 0;
    let mut block = [0; BLOCK];
    for places in out.chunks_mut(BLOCK * bytes) {
        let wanted = places.len() / bytes;
        let made = match ids.fill(&mut block[..wanted]) {
            Ok(made) => made,
            Err(_) if written > 0 => break,
            Err(error) => return Err(error.into()),
        };
        for (place, id) in places.chunks_exact_mut(bytes).zip(&block[..made]) {
            place.copy_from_slice(&id.to_be_bytes()[16 - bytes..]);
        }
        written += made;
        if made < wanted {
            break;
        }
    }
    Ok(written)
}
