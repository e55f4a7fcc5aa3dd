//! Limits on requests that do not depend on the configuration.

/// The maximum number of IDs of unknown origin in one request. The response lists all that each ID
/// can be, which is a hundred times as long as the ID.
pub(crate) const MAX_INSPECTED: usize = 256;
