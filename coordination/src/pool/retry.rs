//! When a request to a server is retried.

use crate::Error;
use saiban::ErrorKind;
use std::time::Duration;

/// The first and the longest pause before a server that could not be reached gets a new request.
pub(crate) const FIRST_PAUSE: Duration = Duration::from_millis(100);
pub(crate) const LAST_PAUSE: Duration = Duration::from_secs(3);

/// Returns whether a retry may soon succeed.
pub(crate) fn is_passing(error: &Error) -> bool {
    error.kind() == ErrorKind::StoreUnavailable && !error.is_permanent()
}
