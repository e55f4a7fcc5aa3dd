//! Converts IDs between their types in Kotlin and Swift and the two types of the core.

use crate::error::Failure;
use crate::number::{UuidValue, id_from_bytes, id_to_bytes};
use saiban::{Error, IdValue, LayoutProblem};
use saiban_coordination::{AnyIssuer, Issuer};

/// An ID as Kotlin and Swift have it: a signed integer or, with more than 64 bits, text, a UUID or
/// bytes.
pub(crate) trait Crossing: Sized {
    /// The type of the ID in the core.
    type Core: Width;

    fn of(ids: &Issuer<Self::Core>, id: Self::Core) -> Result<Self, Failure>;

    fn into_core(self, ids: &Issuer<Self::Core>) -> Result<Self::Core, Failure>;
}

impl Crossing for i64 {
    type Core = i64;

    fn of(_ids: &Issuer<i64>, id: i64) -> Result<Self, Failure> {
        Ok(id)
    }

    fn into_core(self, _ids: &Issuer<i64>) -> Result<i64, Failure> {
        Ok(self)
    }
}

/// The canonical text of an ID.
impl Crossing for String {
    type Core = u128;

    fn of(ids: &Issuer<u128>, id: u128) -> Result<Self, Failure> {
        Ok(ids.write(id, None)?.into())
    }

    fn into_core(self, ids: &Issuer<u128>) -> Result<u128, Failure> {
        Ok(ids.from_text(&self)?)
    }
}

impl Crossing for UuidValue {
    type Core = u128;

    fn of(_ids: &Issuer<u128>, id: u128) -> Result<Self, Failure> {
        Ok(UuidValue(id))
    }

    fn into_core(self, _ids: &Issuer<u128>) -> Result<u128, Failure> {
        Ok(self.0)
    }
}

/// The bytes of an ID, highest first, as many as its bits need.
impl Crossing for Vec<u8> {
    type Core = u128;

    fn of(ids: &Issuer<u128>, id: u128) -> Result<Self, Failure> {
        Ok(id_to_bytes(id, ids.bits()))
    }

    fn into_core(self, ids: &Issuer<u128>) -> Result<u128, Failure> {
        id_from_bytes(&self, ids.bits())
    }
}

/// The type of an ID in the core.
pub(crate) trait Width: IdValue {
    /// Whether it has more than 64 bits.
    const IS_WIDE: bool;

    /// Returns the generator if its IDs have this type.
    fn of_width(ids: AnyIssuer) -> Result<Issuer<Self>, saiban_coordination::Error>;
}

impl Width for i64 {
    const IS_WIDE: bool = false;

    fn of_width(ids: AnyIssuer) -> Result<Issuer<Self>, saiban_coordination::Error> {
        ids.try_into()
    }
}

impl Width for u128 {
    const IS_WIDE: bool = true;

    fn of_width(ids: AnyIssuer) -> Result<Issuer<Self>, saiban_coordination::Error> {
        ids.try_into()
    }
}

/// Returns the error for a layout of the other width. Other schemes have a fixed width.
pub(crate) fn other_width(bits: u32) -> Error {
    Error::InvalidLayout { reason: LayoutProblem::OtherWidth { bits } }
}
