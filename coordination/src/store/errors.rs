//! Constructors for the errors that several stores return.

use super::StoreUrl;
use crate::Error;
use crate::lease::quoted;
use saiban::ErrorKind;

/// Returns `NamespaceUnknown`: the store does not have the namespace.
pub(super) fn unknown(name: &str) -> Error {
    Error::new(
        ErrorKind::NamespaceUnknown,
        format!(
            "the store has no namespace {}. An empty store may mean that data was lost: if the namespace is new, \
             create it (saiban lease init, or create=True); if the store was emptied, restore it, or wait until all \
             leases have ended",
            quoted(name)
        ),
    )
}

/// Returns `StoreUnavailable`: the server could not be reached, or did not reply as it should. A
/// retry may succeed.
pub(super) fn unavailable(url: &StoreUrl, why: &str) -> Error {
    let what = if url.kind().starts_with("saiban") { "service" } else { "store" };
    Error::new(
        ErrorKind::StoreUnavailable,
        format!(
            "the {what} {url} could not be reached: {why}. Check that it runs and can be reached from here, and that \
             the URL is right"
        ),
    )
}

/// Returns a permanent `StoreUnavailable`: the server refused the request, and a retry cannot
/// succeed.
pub(super) fn refused(url: &StoreUrl, why: &str) -> Error {
    unavailable(url, why).permanent()
}

/// The remedy for leases that were restored from a backup, or are corrupt.
pub(super) const MEND_LEASES: &str = "Restore it from a backup (and run saiban lease quarantine), or remove the \
                                      namespace once no lease of it can be in use";

/// The remedy for counters that were restored from a backup, or are corrupt.
pub(super) const MEND_COUNTERS: &str = "Restore it from a backup (and run saiban counter raise, past all numbers \
                                        that were used or are prefetched), or remove the counter and let it begin \
                                        there (saiban counter init --at)";

/// Returns `StoreCorrupt` for lease records that no version of saiban writes.
pub(super) fn corrupt(url: &StoreUrl, place: &str, what: &str) -> Error {
    not_as_written(url, place, what, MEND_LEASES)
}

/// Returns `StoreCorrupt` for records that no version of saiban writes. `mend` is the remedy.
pub(super) fn not_as_written(url: &StoreUrl, place: &str, what: &str, mend: &str) -> Error {
    Error::new(
        ErrorKind::StoreCorrupt,
        format!("in the store {url}, {place} is not as saiban writes it: {what}. Nothing was changed. {mend}"),
    )
}

/// Returns `StoreUnsupported` for records that a newer version of saiban has written.
pub(super) fn newer(url: &StoreUrl, place: &str, version: &str, known: i64) -> Error {
    Error::new(
        ErrorKind::StoreUnsupported,
        format!(
            "in the store {url}, {place} is of version {version}, and this version of saiban knows {known}: a newer \
             version wrote it. Nothing was changed. Update saiban here too"
        ),
    )
}
