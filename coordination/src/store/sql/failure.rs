//! Failures of a database: their classification, and the errors that callers get.

use crate::Error;
use crate::store::StoreUrl;
use crate::store::errors::{newer, not_as_written, unavailable};
use saiban::ErrorKind;
use sqlx::error::DatabaseError;

/// The reason why a try failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// An error of the client or the server.
    Sql(sqlx::Error),
    /// The error for the caller, complete.
    Said(Error),
    /// Records of a newer version of saiban.
    Newer { place: String, version: i64 },
    /// Records that no version of saiban writes.
    Corrupt { place: String, what: String },
    /// The file or the tables do not exist, so there is no such namespace or counter.
    Missing,
    /// A conflict with a concurrent transaction: try again.
    Again,
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Failure::Sql(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Said(error)
    }
}

/// The class of a server's error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A table does not exist.
    MissingTable,
    /// A column does not exist, or has another type: the tables of these names are not saiban's.
    Foreign,
    /// The file is not a database, or the tables are damaged.
    Damaged,
    /// A deadlock, or a conflict with a concurrent transaction.
    Again,
    /// The connection is closed: the server was restarted, or ended an idle connection.
    Gone,
    /// Other transactions held locks for too long.
    Busy,
    /// The database is read-only.
    ReadOnly,
    /// The disk is full, or a quota is used up.
    Full,
    /// The server rejects the login, or the user lacks the right.
    Denied,
    /// Any other error.
    Refused,
}

/// Classifies a server's error by its code.
pub(super) type Judge = fn(&dyn DatabaseError) -> Trouble;

/// Whether the connection can no longer be used.
pub(super) fn is_gone(error: &sqlx::Error, judge: Judge) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => judge(&**error) == Trouble::Gone,
        _ => false,
    }
}

/// Converts database errors after which a retry may succeed to [`Failure::Again`].
pub(super) fn sort(failure: Failure, judge: Judge) -> Failure {
    match failure {
        Failure::Sql(sqlx::Error::Database(error))
            if error.is_unique_violation() || judge(&*error) == Trouble::Again =>
        {
            Failure::Again
        }
        other => other,
    }
}

const REFUSES: &str =
    "refuses the connection or statement: check the user, password, database and rights, and the server's message";

/// What a request was about, for messages.
pub(super) struct Topic {
    /// The error if the record does not exist.
    pub(super) missing: Error,
    /// The tables that hold the records.
    pub(super) tables: &'static str,
    /// The records: `leases` or `counters`.
    pub(super) what: &'static str,
    /// The version of the tables that this program supports.
    pub(super) known: i64,
    /// The remedy for corrupt records.
    pub(super) mend: &'static str,
}

/// Returns the error for the caller.
pub(super) fn explain(failure: Failure, judge: Judge, url: &StoreUrl, topic: Topic) -> Error {
    let Topic { missing, tables, what, known, mend } = topic;
    let error = match failure {
        Failure::Said(error) => return error,
        Failure::Missing => return missing,
        Failure::Newer { place, version } => return newer(url, &place, &version.to_string(), known),
        Failure::Corrupt { place, what } => return not_as_written(url, &place, &what, mend),
        Failure::Again => return unavailable(url, &format!("others kept changing the same {what}")),
        Failure::Sql(error) => error,
    };
    let sqlx::Error::Database(said) = &error else { return unavailable(url, &error.to_string()) };
    let message = said.message();
    let of_kind = |kind, text: &str| Error::new(kind, format!("the store {url} {text} ({message})"));
    let unavailable = |text: &str| of_kind(ErrorKind::StoreUnavailable, text);
    match judge(&**said) {
        Trouble::MissingTable | Trouble::Foreign => of_kind(
            ErrorKind::StoreCorrupt,
            &format!("has tables {tables} that are not saiban's: use another database, or rename them"),
        ),
        Trouble::Damaged => {
            of_kind(ErrorKind::StoreCorrupt, &format!("is not a database, or is damaged: give another one. {mend}"))
        }
        Trouble::ReadOnly => {
            unavailable(&format!("cannot be written: {what} need a database, a file and a folder that may be written"))
                .permanent()
        }
        Trouble::Full => {
            unavailable("is full: the disk is full, or a quota is used up. Free some space; nothing was lost")
        }
        Trouble::Busy => {
            unavailable("was locked by others for too long: end open transactions on its tables, and try again")
        }
        Trouble::Denied => unavailable(REFUSES).permanent(),
        Trouble::Again | Trouble::Gone | Trouble::Refused => unavailable(REFUSES),
    }
}
