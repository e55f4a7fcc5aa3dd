//! The dimensions of SPARX-64/128: its numbers of steps, rounds and branches, and the types of its
//! subkeys.

pub(super) const STEPS: usize = 8;
pub(super) const ROUNDS: usize = 3;
pub(super) const BRANCHES: usize = 2;
/// The subkeys of one branch for the rounds of one step.
pub(super) type Subkey = [u16; 2 * ROUNDS];

/// The subkeys of all steps, and the final subkey.
pub(super) type Subkeys = [Subkey; BRANCHES * STEPS + 1];
