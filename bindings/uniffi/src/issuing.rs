//! The methods of generators, for every scheme and every type of IDs.

use crate::crossing::Crossing;
use crate::error::{Failure, SaibanError, guard};
use crate::layout::Layout;
use crate::lease::Lease;
use crate::number::{id_from_bytes, id_to_bytes, ids_to_bytes};
use crate::parts::Parts;
use crate::range::RangeOf;
use crate::stats::Stats;
use saiban::generator::MAX_AT_ONCE;
use saiban::{Attempt, ComposeParts, Encoding, Error, IdValue, Leniency, UuidVersion};
use saiban_coordination::Issuer;
use std::sync::Arc;

pub(crate) fn generate<T: Crossing>(ids: &Issuer<T::Core>) -> Result<T, SaibanError> {
    guard(|| T::of(ids, explained(ids, ids.generate())?))
}

pub(crate) fn try_generate<T: Crossing>(ids: &Issuer<T::Core>) -> Result<Option<T>, SaibanError> {
    guard(|| match explained(ids, ids.try_generate())? {
        Attempt::Ready(id) => T::of(ids, id).map(Some),
        Attempt::Wait(_) => Ok(None),
    })
}

pub(crate) fn generate_many<T: Crossing, M: From<Vec<T>>>(ids: &Issuer<T::Core>, count: i64) -> Result<M, SaibanError> {
    guard(|| {
        // A negative number becomes the largest one, which core refuses.
        let many = ids.generate_many(usize::try_from(count).unwrap_or(usize::MAX));
        Ok(crossing(ids, explained(ids, many)?)?.into())
    })
}

pub(crate) fn generate_up_to<T: Crossing, M: From<Vec<T>>>(
    ids: &Issuer<T::Core>,
    count: i64,
) -> Result<M, SaibanError> {
    guard(|| Ok(crossing(ids, up_to(ids, count)?)?.into()))
}

pub(crate) fn generate_text<I: IdValue>(ids: &Issuer<I>, encoding: Option<String>) -> Result<String, SaibanError> {
    guard(|| Ok(explained(ids, ids.generate_text(encoding_of(encoding)?))?.into()))
}

pub(crate) fn generate_bytes(ids: &Issuer<u128>) -> Result<Vec<u8>, SaibanError> {
    guard(|| Ok(id_to_bytes(explained(ids, ids.generate())?, ids.bits())))
}

pub(crate) fn generate_bytes_up_to(ids: &Issuer<u128>, count: i64) -> Result<Vec<u8>, SaibanError> {
    guard(|| Ok(ids_to_bytes(&up_to(ids, count)?, ids.bits())))
}

pub(crate) fn to_text<T: Crossing>(
    ids: &Issuer<T::Core>,
    id: T,
    encoding: Option<String>,
) -> Result<String, SaibanError> {
    guard(|| Ok(ids.to_text_as(id.into_core(ids)?, encoding_of(encoding)?)?.into()))
}

pub(crate) fn from_text<T: Crossing>(ids: &Issuer<T::Core>, text: &str, lenient: bool) -> Result<T, SaibanError> {
    guard(|| T::of(ids, ids.from_text_as(text, Leniency::lenient_if(lenient))?))
}

pub(crate) fn to_bytes<T: Crossing<Core = u128>>(ids: &Issuer<u128>, id: T) -> Result<Vec<u8>, SaibanError> {
    guard(|| Ok(id_to_bytes(id.into_core(ids)?, ids.bits())))
}

pub(crate) fn from_bytes<T: Crossing<Core = u128>>(ids: &Issuer<u128>, bytes: &[u8]) -> Result<T, SaibanError> {
    guard(|| {
        let id = id_from_bytes(bytes, ids.bits())?;
        ids.inspect(id)?;
        T::of(ids, id)
    })
}

pub(crate) fn inspect<T: Crossing>(ids: &Issuer<T::Core>, id: T) -> Result<Parts, SaibanError> {
    guard(|| Parts::of(ids, id.into_core(ids)?))
}

pub(crate) fn range<R: RangeOf<Id: Crossing>>(
    ids: &Issuer<<R::Id as Crossing>::Core>,
    start_ms: i64,
    end_ms: i64,
) -> Result<R, SaibanError> {
    guard(|| {
        let (first, last) = ids.range(start_ms, end_ms)?.into_inner();
        Ok(R::of(Crossing::of(ids, first)?, Crossing::of(ids, last)?))
    })
}

pub(crate) fn stats<I: IdValue>(ids: &Issuer<I>) -> Result<Stats, SaibanError> {
    guard(|| Ok(ids.stats()?.into()))
}

pub(crate) fn lease<I: IdValue>(ids: &Issuer<I>) -> Option<Arc<Lease>> {
    ids.lease().map(|lease| Arc::new(Lease::of(lease.clone())))
}

/// Returns the layout of the IDs of a `Flake`, which always has one.
pub(crate) fn layout<I: IdValue>(ids: &Issuer<I>) -> Arc<Layout> {
    Arc::new(Layout::of(*ids.layout().expect("a Flake has a layout")))
}

/// Returns the version of the IDs of a `Uuid`, or 0 for other IDs.
pub(crate) fn version(ids: &Issuer<u128>) -> i32 {
    let version = UuidVersion::ALL.into_iter().find(|version| version.scheme() == ids.scheme());
    version.map_or(0, |version| version.number().into())
}

/// Makes the ID of these parts. The caller runs it within a `guard`, because reading the parts can
/// fail too.
pub(crate) fn compose<T: Crossing>(ids: &Issuer<T::Core>, parts: &ComposeParts) -> Result<T, Failure> {
    T::of(ids, ids.compose(parts)?)
}

/// Returns a generator's result. Explains an error by its lease or service, if it has one.
fn explained<I: IdValue, T>(ids: &Issuer<I>, made: Result<T, Error>) -> Result<T, Failure> {
    made.map_err(|error| ids.explain(error).map_or_else(|| error.into(), Failure::from))
}

fn crossing<T: Crossing>(ids: &Issuer<T::Core>, made: Vec<T::Core>) -> Result<Vec<T>, Failure> {
    made.into_iter().map(|id| T::of(ids, id)).collect()
}

fn up_to<I: IdValue>(ids: &Issuer<I>, count: i64) -> Result<Vec<I>, Failure> {
    let mut buffer = vec![I::default(); number_of(count)?];
    let written = explained(ids, ids.fill(&mut buffer))?;
    buffer.truncate(written);
    Ok(buffer)
}

/// Returns how many IDs to make where fewer are enough.
fn number_of(count: i64) -> Result<usize, Error> {
    let what = "count is negative: ask for 0 or more IDs";
    let count = usize::try_from(count).map_err(|_| Error::InvalidArgument { what })?;
    Ok(count.min(MAX_AT_ONCE))
}

/// Returns how many IDs such a call of [`fill`] makes at most.
pub(crate) fn most(count: i64, is_exact: bool) -> usize {
    let most = number_of(count).unwrap_or(0);
    if is_exact && usize::try_from(count) != Ok(most) { 0 } else { most }
}

/// Makes IDs as `generate_many` does, or if not `is_exact` as `generate_up_to` does, in memory for
/// [`most`] of them. Returns how many it made.
pub(crate) fn fill(ids: &Issuer<i64>, count: i64, is_exact: bool, into: &mut [i64]) -> Result<usize, SaibanError> {
    guard(|| {
        if is_exact {
            // There is no memory for a number that the core refuses.
            let is_all = usize::try_from(count) == Ok(into.len());
            explained(ids, if is_all { ids.fill_all(into) } else { ids.generate_many(usize::MAX).map(drop) })?;
            return Ok(into.len());
        }
        number_of(count)?;
        explained(ids, ids.fill(into))
    })
}

fn encoding_of(name: Option<String>) -> Result<Option<Encoding>, Failure> {
    Ok(name.as_deref().map(Encoding::from_name).transpose()?)
}
