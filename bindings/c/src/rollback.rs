//! What a generator does when the clock steps back.

use crate::ffi::{Chars, Out, ffi};
use crate::names::{name_of, names, number_of, value_of};
use saiban::{Error, Rollback};
use std::ffi::c_char;

/// Continues within the tick that was reached; when the tick is used up, waits for the clock to
/// return, at most max_wait_ms, and then returns CLOCK_BACKWARD.
pub const SAIBAN_ROLLBACK_HOLD: i32 = 1;
/// Returns CLOCK_BACKWARD at once, until the clock has returned.
pub const SAIBAN_ROLLBACK_ERROR: i32 = 2;
/// Counts the step in the layout's rollback bits and continues at the clock's time. If the clock is
/// also behind the last ID of the next value, for example after 2^bits - 1 steps within the
/// replayed time, it holds.
pub const SAIBAN_ROLLBACK_BITS: i32 = 3;

const NUMBERS: [(i32, Rollback); Rollback::ALL.len()] = [
    (SAIBAN_ROLLBACK_HOLD, Rollback::Hold),
    (SAIBAN_ROLLBACK_ERROR, Rollback::Error),
    (SAIBAN_ROLLBACK_BITS, Rollback::Bits),
];

names!(NAMES: 8 = |row| row.1.name(), NUMBERS);

/// Returns the policy of a SAIBAN_ROLLBACK_….
pub(crate) fn policy(number: i64) -> Result<Rollback, Error> {
    // Core returns the error for an unknown number.
    value_of(&NUMBERS, number).map_or_else(|| Rollback::from_name(&number.to_string()), Ok)
}

ffi! {
    /// The name of a SAIBAN_ROLLBACK_…: hold, error or bits; "" for another number. Constant: not
    /// to be freed.
    fn saiban_rollback_name(rollback: i32) -> *const c_char {
        name_of(&NUMBERS, &NAMES, rollback)
    }

    /// Finds the SAIBAN_ROLLBACK_… of this name: hold, error or bits.
    ///
    /// Errors: UNKNOWN_NAME.
    fn saiban_rollback_from_name(name: Chars, name_len: usize, rollback: Out<i32>) {
        let policy = Rollback::from_name(&name.get(name_len)?)?;
        rollback.set(number_of(&NUMBERS, &policy).unwrap_or(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_has_a_number() {
        for known in Rollback::ALL {
            let number = number_of(&NUMBERS, &known).expect("a number");
            assert_eq!(policy(number.into()), Ok(known));
        }
    }
}
