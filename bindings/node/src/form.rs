//! What IDs are in JavaScript: numbers of up to 64 bits and wider ones are bigints, the IDs of schemes that everybody writes as
//! text are that text.

use crate::generator::Failure;
use crate::integer::{exact, exact_wide};
use crate::raw::{self, Ascii};
use napi::Env;
use napi::bindgen_prelude::{
    BigInt, BigInt64Array, BigInt64ArraySlice, Either, Either3, FunctionCallContext, ToNapiValue, Uint8ArraySlice,
    Unknown, i64n,
};
use saiban::{Error, Generator, IdValue};

/// An ID of any form on its way to JavaScript.
pub type AnyShown = Either3<i64n, u128, Ascii>;

/// How many wide IDs are made before they are written: few enough for the stack.
const BLOCK: usize = 256;

/// What the IDs of a generator are in JavaScript.
pub trait Form: 'static {
    /// What they are in core.
    type Id: IdValue;

    /// What one is in JavaScript.
    type Shown: ToNapiValue + 'static;

    /// What many are.
    type Many: ToNapiValue + 'static;

    /// Whether an ID is bytes, too.
    const HAS_BYTES: bool;

    /// The ID as JavaScript has it.
    fn shown(ids: &impl Generator<Self::Id>, id: Self::Id) -> Result<Self::Shown, Error>;

    /// One that is made now.
    fn made(ids: &impl Generator<Self::Id>) -> Result<Self::Shown, Error> {
        Self::shown(ids, ids.generate()?)
    }

    /// An ID among those of any form.
    fn any(shown: Self::Shown) -> AnyShown;

    /// The ID that an argument is, or whose canonical text it is.
    fn read(ids: &impl Generator<Self::Id>, call: &FunctionCallContext<'_>, index: usize) -> Result<Self::Id, Failure>;

    /// The function of this name that makes one.
    fn function<'env>(
        env: &'env Env,
        name: &str,
        body: impl Fn(&Env) -> napi::Result<Self::Shown> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        raw::function(env, name, body)
    }

    /// Makes so many.
    fn many(ids: &impl Generator<Self::Id>, count: usize) -> Result<Self::Many, Error>;

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
    type Shown = i64n;
    type Many = BigInt64Array;
    const HAS_BYTES: bool = false;

    fn shown(_ids: &impl Generator, id: i64) -> Result<i64n, Error> {
        Ok(i64n(id))
    }

    fn any(shown: i64n) -> AnyShown {
        Either3::A(shown)
    }

    fn read(ids: &impl Generator, call: &FunctionCallContext<'_>, index: usize) -> Result<i64, Failure> {
        match call.get::<Either<BigInt, String>>(index)? {
            Either::A(id) => Ok(exact(&id, ids.scheme().name())?),
            Either::B(text) => Ok(ids.from_text(&text)?),
        }
    }

    fn function<'env>(
        env: &'env Env,
        name: &str,
        body: impl Fn(&Env) -> napi::Result<i64n> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        raw::function_with_slot(env, name, move |env| body(env).map(|i64n(id)| id))
    }

    fn many(ids: &impl Generator, count: usize) -> Result<BigInt64Array, Error> {
        ids.generate_many(count).map(BigInt64Array::new)
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
    type Shown = u128;
    type Many = Vec<u128>;
    const HAS_BYTES: bool = false;

    fn shown(_ids: &impl Generator<u128>, id: u128) -> Result<u128, Error> {
        Ok(id)
    }

    fn any(shown: u128) -> AnyShown {
        Either3::B(shown)
    }

    fn read(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>, index: usize) -> Result<u128, Failure> {
        match call.get::<Either<BigInt, String>>(index)? {
            Either::A(id) => Ok(exact_wide(&id, ids.scheme().name())?),
            Either::B(text) => Ok(ids.from_text(&text)?),
        }
    }

    fn many(ids: &impl Generator<u128>, count: usize) -> Result<Vec<u128>, Error> {
        ids.generate_many(count)
    }

    fn fill(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        fill_bytes(ids, call, byte_count(ids))
    }

    fn of(number: u128) -> u128 {
        number
    }
}

impl Form for Text {
    type Id = u128;
    type Shown = Ascii;
    type Many = Vec<String>;
    const HAS_BYTES: bool = true;

    fn shown(ids: &impl Generator<u128>, id: u128) -> Result<Ascii, Error> {
        ids.to_text(id).map(Ascii)
    }

    fn made(ids: &impl Generator<u128>) -> Result<Ascii, Error> {
        // One of our own needs no check before it is written.
        ids.generate_text(None).map(Ascii)
    }

    fn any(shown: Ascii) -> AnyShown {
        Either3::C(shown)
    }

    fn read(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>, index: usize) -> Result<u128, Failure> {
        Ok(ids.from_text(&call.get::<String>(index)?)?)
    }

    fn many(ids: &impl Generator<u128>, count: usize) -> Result<Vec<String>, Error> {
        // Strings take less room than the room that a text has.
        ids.generate_many(count)?.into_iter().map(|id| Ok(ids.to_text(id)?.as_str().to_owned())).collect()
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

/// Fills an array of bytes with IDs of so many bytes each, the highest first.
fn fill_bytes(ids: &impl Generator<u128>, call: &FunctionCallContext<'_>, bytes: usize) -> Result<usize, Failure> {
    let mut array: Uint8ArraySlice<'_> = call.get(0)?;
    let out = raw::bytes(&mut array);
    if !out.len().is_multiple_of(bytes) {
        return Err(Failure::Core(Error::InvalidArgument {
            what: "the array does not hold a whole number of IDs: give as many bytes for each as its idBytes has: 16 of \
                   most, of an ObjectId 12",
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
