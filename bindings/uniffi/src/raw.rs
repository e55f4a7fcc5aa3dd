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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Randflake, UniFfiTag};
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::{AtomicUsize, Ordering};

    const SECRET: [u8; 16] = *b"\xabSECRET-OF-OURS\xef";

    /// Blocks that were freed with some of the secret in them.
    static LEFT: AtomicUsize = AtomicUsize::new(0);

    /// Looks at what is freed.
    struct Watching;

    #[global_allocator]
    static WATCHING: Watching = Watching;

    // SAFETY: the system's allocator does it all. Blocks are zeroed, so that all of them may be read.
    unsafe impl GlobalAlloc for Watching {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: as the caller promises.
            unsafe { System.alloc_zeroed(layout) }
        }

        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            // SAFETY: until it is freed the block is the caller's, who gives it up.
            let bytes = unsafe { std::slice::from_raw_parts(block, layout.size()) };
            if bytes.windows(8).any(|bytes| bytes == &SECRET[..8] || bytes == &SECRET[8..]) {
                LEFT.fetch_add(1, Ordering::Relaxed);
            }
            // SAFETY: as the caller promises.
            unsafe { System.dealloc(block, layout) };
        }
    }

    /// These bytes and the secret's, as they cross.
    fn crossing(before: &[u8]) -> RustBuffer {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(before);
        bytes.extend_from_slice(&16_u32.to_be_bytes());
        bytes.extend_from_slice(&SECRET);
        RustBuffer::from_vec(bytes)
    }

    fn lifted<T: Lift<UniFfiTag, FfiType = RustBuffer> + Zeroize>(before: &[u8]) -> Wiped<T> {
        Wiped::try_lift(crossing(before)).expect("a value")
    }

    #[test]
    fn no_freed_memory_holds_a_secret() {
        assert_eq!(*lifted::<Vec<u8>>(&[]), SECRET);
        assert_eq!(lifted::<Option<Vec<u8>>>(&[1]).as_deref(), Some(&SECRET[..]));
        assert_eq!(*lifted::<Vec<Vec<u8>>>(&1_u32.to_be_bytes()), [SECRET]);
        // Neither none nor some, and more than none.
        for wrong in [7, 0] {
            assert!(<Wiped<Option<Vec<u8>>> as Lift<UniFfiTag>>::try_lift(crossing(&[wrong])).is_err());
        }
        let secret = || lifted(&[]);
        let ids = Randflake::new(secret(), Some(7), None, None, None, None, None, None, None, None, None);
        assert!(ids.is_ok());
        drop(ids);
        assert!(Randflake::new(secret(), Some(-1), None, None, None, None, None, None, None, None, None).is_err());
        let found = crate::inspect(1, lifted(&[1]), lifted(&1_u32.to_be_bytes()), None);
        assert!(found.is_ok());
        assert_eq!(LEFT.load(Ordering::Relaxed), 0);
        // The search finds what is there: the buffer and the value.
        assert!(<Vec<u8> as Lift<UniFfiTag>>::try_lift(crossing(&[])).is_ok());
        assert_eq!(LEFT.load(Ordering::Relaxed), 2);
    }
}
