//! Secrets as they cross: every copy on this side is wiped. The one use of `unsafe` in this crate.

#![allow(unsafe_code)]

use std::ops::Deref;
use uniffi::{Lift, MetadataBuffer, RustBuffer, TypeId};
use zeroize::{Zeroize, Zeroizing};

/// An argument that is wiped when it is dropped, as is the buffer in which it came.
pub struct Wiped<T: Zeroize>(Zeroizing<T>);

impl<T: Zeroize> Deref for Wiped<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

// SAFETY: to the other languages it is a T, as `TypeId` says, and T reads it; nothing else is done than to wipe what T leaves.
unsafe impl<U, T: Lift<U, FfiType = RustBuffer> + Zeroize> Lift<U> for Wiped<T> {
    type FfiType = RustBuffer;

    fn try_lift(buffer: RustBuffer) -> uniffi::Result<Self> {
        let bytes = Zeroizing::new(buffer.destroy_into_vec());
        let mut rest = bytes.as_slice();
        let value = Self::try_read(&mut rest)?;
        if rest.is_empty() {
            Ok(value)
        } else {
            Err(uniffi::deps::anyhow::anyhow!("the buffer holds more than a value"))
        }
    }

    fn try_read(bytes: &mut &[u8]) -> uniffi::Result<Self> {
        T::try_read(bytes).map(Zeroizing::new).map(Wiped)
    }
}

impl<U, T: TypeId<U> + Zeroize> TypeId<U> for Wiped<T> {
    const TYPE_ID_META: MetadataBuffer = T::TYPE_ID_META;
}
