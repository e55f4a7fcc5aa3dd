//! Lists of IDs for Swift, in the memory of its own array. UniFFI would copy each number by itself.
//!
//! `../fast-paths` makes the generated Swift classes call these functions.

#![allow(unsafe_code)]

use crate::error::SaibanError;
use crate::{UniFfiTag, issuing};
use saiban_coordination::Issuer;
use std::ptr;
use uniffi::{LowerError, RustCallError, RustCallStatus};

/// Returns for how many IDs the array needs room.
#[unsafe(no_mangle)]
pub extern "C" fn saiban_swift_room(count: i64, is_exact: bool) -> i64 {
    issuing::most(count, is_exact) as i64
}

/// Makes IDs as `generate_many` does, or if not `is_exact` as `generate_up_to` does. Writes them to
/// `into`, and returns how many it made.
///
/// # Safety
/// `handle` must be UniFFI's handle of a generator whose IDs have up to 64 bits, and the generator
/// must live until the call returns. `into` must have room for as many IDs as
/// `saiban_swift_room` says, and nobody else may use it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn saiban_swift_fill(
    handle: u64,
    count: i64,
    is_exact: bool,
    into: *mut i64,
    status: &mut RustCallStatus,
) -> i64 {
    uniffi::rust_call(status, || {
        let room = issuing::most(count, is_exact);
        // An empty array may have no memory.
        let ids = if room == 0 {
            &mut []
        } else {
            // SAFETY: the caller promises the memory, which may be uninitialized until here.
            unsafe {
                ptr::write_bytes(into, 0, room);
                std::slice::from_raw_parts_mut(into, room)
            }
        };
        // SAFETY: the handle is the object's address, and its first field is the generator, as
        // `generator!` checks; the caller keeps the object alive.
        let issuer = unsafe { &*(handle as usize as *const Issuer<i64>) };
        let made = issuing::fill(issuer, count, is_exact, ids);
        let lower = <SaibanError as LowerError<UniFfiTag>>::lower_error;
        made.map(|made| made as i64).map_err(|error| RustCallError::Error(lower(error)))
    })
}
