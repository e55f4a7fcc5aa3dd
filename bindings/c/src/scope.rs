//! Which generators of the same nodes share a cursor.

use crate::ffi::{Chars, Out, ffi};
use crate::names::{name_of, names, number_of, value_of};
use saiban::{Error, Scope};
use std::ffi::c_char;

/// All generators of this process. A copy that fork makes is FORKED.
pub const SAIBAN_SCOPE_PROCESS: i32 = 1;
/// All generators of this user's processes on this machine, also of those that were started again
/// or made by fork: they share memory in
/// /dev/shm/saiban-UID, or in the folder that the environment variable SAIBAN_RUN_DIR names.
pub const SAIBAN_SCOPE_MACHINE: i32 = 2;

const NUMBERS: [(i32, Scope); Scope::ALL.len()] =
    [(SAIBAN_SCOPE_PROCESS, Scope::Process), (SAIBAN_SCOPE_MACHINE, Scope::Machine)];

names!(NAMES: 8 = |row| row.1.name(), NUMBERS);

/// Returns the scope of a SAIBAN_SCOPE_….
pub(crate) fn scope(number: i64) -> Result<Scope, Error> {
    // Core returns the error for an unknown number.
    value_of(&NUMBERS, number).map_or_else(|| Scope::from_name(&number.to_string()), Ok)
}

/// Returns the number of a scope. An unknown scope becomes the one with the weakest promise.
pub(crate) fn number(scope: Scope) -> i32 {
    number_of(&NUMBERS, &scope).unwrap_or(SAIBAN_SCOPE_PROCESS)
}

ffi! {
    /// The name of a SAIBAN_SCOPE_…: process or machine; "" for another number. Constant: not to be
    /// freed.
    fn saiban_scope_name(scope: i32) -> *const c_char {
        name_of(&NUMBERS, &NAMES, scope)
    }

    /// Finds the SAIBAN_SCOPE_… of this name: process or machine.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_scope_from_name(name: Chars, name_len: usize, scope: Out<i32>) {
        scope.set(number(Scope::from_name(&name.get(name_len)?)?));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scope_has_a_number() {
        for known in Scope::ALL {
            assert_eq!(scope(number(known).into()), Ok(known));
        }
    }
}
