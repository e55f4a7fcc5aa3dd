//! Checks that no ID repeats.

use crate::failure::Failure;

/// # Errors
/// Reports the number of repeated IDs, and one of them.
pub fn check(mut ids: Vec<i64>) -> Result<(), Failure> {
    // A stable sort is fast for input in sorted runs, such as the IDs of one connection.
    ids.sort();
    let twice = |pair: &&[i64]| pair[0] == pair[1];
    match ids.windows(2).filter(twice).count() {
        0 => Ok(()),
        repeated => {
            let one = ids.windows(2).find(twice).map_or(0, |pair| pair[0]);
            Err(format!("{repeated} of {} IDs were repeated, {one} among them", ids.len()).into())
        }
    }
}
