//! The types of IDs in JavaScript. Numbers of up to 64 bits and wider ones are bigints. IDs that
//! are customarily text are that text, with the generator's prefix if it has one. UUIDs are
//! hyphenated text, even if the generator has a prefix.

use crate::error::Failure;
use crate::integer::{exact, exact_wide};
use crate::raw::{self, Ascii};
use napi::Env;
use napi::bindgen_prelude::{
    BigInt, BigInt64Array, BigInt64ArraySlice, Either, FunctionCallContext, ToNapiValue, Uint8ArraySlice, Unknown, i64n,
};
use saiban::scheme::IdForm;
use saiban::{Encoding, Error, Generator, IdValue, Leniency, Scheme};

/// A generator of any scheme with IDs of this type.
pub type Ids<I> = dyn Generator<Id = I> + Send + Sync;

/// The number of wide IDs that are made before they are written: few enough for the stack.
const BLOCK: usize = 256;

/// The form of a generator's IDs in JavaScript.
pub trait Form: 'static {
    /// The type of an ID in core.
    type Id: IdValue;

    /// The type of an ID in JavaScript.
    type Shown: ToNapiValue + 'static;

    /// The type of many IDs in JavaScript.
    type Many: ToNapiValue + 'static;

    /// Whether an ID is text.
    const IS_TEXT: bool;

    /// Returns the number of bytes of an ID in an array of bytes, or 0 if arrays hold the IDs
    /// themselves.
    fn id_bytes(bits: u32) -> u32;

    /// Converts an ID of this generator, which was made or checked before, for JavaScript.
    fn shown(ids: &Ids<Self::Id>, id: Self::Id) -> Result<Self::Shown, Error>;

    /// Converts an argument to an ID: the ID itself, or its canonical text.
    fn read(ids: &Ids<Self::Id>, call: &FunctionCallContext<'_>, index: usize) -> Result<Self::Id, Failure>;

    /// Returns a function with this name that makes an ID.
    fn function<'env>(
        env: &'env Env,
        name: &str,
        body: impl Fn(&Env) -> napi::Result<Self::Shown> + 'static,
    ) -> napi::Result<Unknown<'env>> {
        raw::function(env, name, body)
    }

    /// Makes this many IDs.
    fn many(ids: &Ids<Self::Id>, count: usize) -> Result<Self::Many, Error>;

    /// Fills the typed array in the first argument, which no other thread can access; returns the
    /// number of IDs written.
    fn fill(ids: &Ids<Self::Id>, call: &FunctionCallContext<'_>) -> Result<usize, Failure>;

    /// Returns the ID of this number.
    fn of(number: u128) -> Self::Id;
}

/// A signed bigint.
pub struct Number;

/// An unsigned bigint of more than 64 bits.
pub struct WideNumber;

/// Text: canonical text, but hyphenated text for a UUID with a prefix.
pub struct Text;

impl Form for Number {
    type Id = i64;
    type Shown = i64n;
    type Many = BigInt64Array;
    const IS_TEXT: bool = false;

    fn id_bytes(_bits: u32) -> u32 {
        0
    }

    fn shown(_ids: &Ids<i64>, id: i64) -> Result<i64n, Error> {
        Ok(i64n(id))
    }

    fn read(ids: &Ids<i64>, call: &FunctionCallContext<'_>, index: usize) -> Result<i64, Failure> {
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

    fn many(ids: &Ids<i64>, count: usize) -> Result<BigInt64Array, Error> {
        ids.generate_many(count).map(BigInt64Array::new)
    }

    fn fill(ids: &Ids<i64>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        let mut array: BigInt64ArraySlice<'_> = call.get(0)?;
        Ok(raw::write_elements(call.env, &mut array, |places| ids.fill(places))??)
    }

    fn of(number: u128) -> i64 {
        number as u64 as i64
    }
}

impl Form for WideNumber {
    type Id = u128;
    type Shown = u128;
    type Many = Vec<u128>;
    const IS_TEXT: bool = false;

    fn id_bytes(bits: u32) -> u32 {
        bits.div_ceil(8)
    }

    fn shown(_ids: &Ids<u128>, id: u128) -> Result<u128, Error> {
        Ok(id)
    }

    fn read(ids: &Ids<u128>, call: &FunctionCallContext<'_>, index: usize) -> Result<u128, Failure> {
        match call.get::<Either<BigInt, String>>(index)? {
            Either::A(id) => Ok(exact_wide(&id, ids.scheme().name())?),
            Either::B(text) => Ok(ids.from_text(&text)?),
        }
    }

    fn many(ids: &Ids<u128>, count: usize) -> Result<Vec<u128>, Error> {
        ids.generate_many(count)
    }

    fn fill(ids: &Ids<u128>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        fill_bytes(ids, call)
    }

    fn of(number: u128) -> u128 {
        number
    }
}

impl Form for Text {
    type Id = u128;
    type Shown = Ascii;
    type Many = Vec<String>;
    const IS_TEXT: bool = true;

    fn id_bytes(bits: u32) -> u32 {
        if bits.is_multiple_of(8) { bits / 8 } else { 0 }
    }

    fn shown(ids: &Ids<u128>, id: u128) -> Result<Ascii, Error> {
        ids.write(id, encoding_of_ids(ids.scheme())).map(Ascii)
    }

    fn read(ids: &Ids<u128>, call: &FunctionCallContext<'_>, index: usize) -> Result<u128, Failure> {
        Ok(read_text(ids, &call.get::<String>(index)?)?)
    }

    fn many(ids: &Ids<u128>, count: usize) -> Result<Vec<String>, Error> {
        texts(ids, ids.generate_many(count)?)
    }

    fn fill(ids: &Ids<u128>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
        fill_bytes(ids, call)
    }

    fn of(number: u128) -> u128 {
        number
    }
}

/// Returns whether the IDs of a scheme are text.
pub fn is_text(scheme: Scheme) -> bool {
    match scheme.info().form {
        IdForm::Integer => false,
        IdForm::Text | IdForm::Uuid => true,
    }
}

/// Returns the encoding of IDs that are text; `None` is canonical text. A UUID is hyphenated text
/// also with a prefix.
pub fn encoding_of_ids(scheme: Scheme) -> Option<Encoding> {
    match scheme.info().form {
        IdForm::Integer | IdForm::Text => None,
        IdForm::Uuid => Some(scheme.encoding()),
    }
}

/// Converts text to an ID: the ID itself, or its canonical text.
fn read_text(ids: &Ids<u128>, text: &str) -> Result<u128, Error> {
    match encoding_of_ids(ids.scheme()) {
        // With a prefix, canonical text is not hyphenated, and the generator accepts any UUID.
        Some(encoding) if encoding != ids.encoding() => {
            let uuid = u128::decode(encoding, text, ids.bits(), None, Leniency::Strict);
            uuid.or_else(|_| ids.from_text(text))
        }
        _ => ids.from_text(text),
    }
}

/// Converts IDs that this generator made to the texts that they are in JavaScript.
pub fn texts(ids: &Ids<u128>, made: Vec<u128>) -> Result<Vec<String>, Error> {
    // A String takes less memory than a `Text`, which has the maximum length.
    let encoding = encoding_of_ids(ids.scheme());
    made.into_iter().map(|id| Ok(ids.write(id, encoding)?.as_str().to_owned())).collect()
}

/// Fills an array of bytes with IDs, the highest byte of each first.
fn fill_bytes(ids: &Ids<u128>, call: &FunctionCallContext<'_>) -> Result<usize, Failure> {
    let bytes = ids.bits().div_ceil(8) as usize;
    let mut array: Uint8ArraySlice<'_> = call.get(0)?;
    if !array.len().is_multiple_of(bytes) {
        return Err(Failure::Core(Error::InvalidArgument {
            what: "the array does not hold a whole number of IDs: give as many bytes for each as its idBytes has, 16 of \
                   128 bits, 12 of 96",
        }));
    }
    Ok(raw::write_bytes(call.env, &mut array, |out| fill_places(ids, out, bytes))??)
}

/// Fills places of this many bytes with IDs, and returns their number.
fn fill_places(ids: &Ids<u128>, out: &mut [u8], bytes: usize) -> Result<usize, Error> {
    let mut written = 0;
    let mut block = [0; BLOCK];
    for places in out.chunks_mut(BLOCK * bytes) {
        let wanted = places.len() / bytes;
        let made = match ids.fill(&mut block[..wanted]) {
            Ok(made) => made,
            Err(_) if written > 0 => break,
            Err(error) => return Err(error),
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
