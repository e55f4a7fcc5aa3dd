//! What goes wrong with a database, told apart.

use crate::Error;
use crate::store::{self, StoreUrl};
use saiban::ErrorKind;
use sqlx::error::DatabaseError;

/// Why a try came to nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// The client or the server says so.
    Sql(sqlx::Error),
    /// What the caller is told.
    Said(Error),
    /// A newer saiban has written this.
    Newer { place: String, version: i64 },
    /// Saiban cannot have written this.
    Corrupt { place: String, what: String },
    /// The tables, or the file, are not there: so there is no such name space.
    Missing,
    /// Somebody else was at the same rows: try again.
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

/// What a server's own error means here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// A table that is not there.
    MissingTable,
    /// A column that is not there, or is of another type: tables of these names that are not ours.
    Foreign,
    /// A file that is no database, or tables that are damaged.
    Damaged,
    /// A deadlock, or rows that others changed meanwhile.
    Again,
    /// The connection is over: the server was restarted, or closed what was idle.
    Gone,
    /// Locks that others held for too long.
    Busy,
    /// Nothing may be written here.
    ReadOnly,
    /// There is no room for more.
    Full,
    /// A login, or what it has no right to.
    Denied,
    /// Anything else.
    Refused,
}

/// What a server's error means, by its code.
pub(super) type Judge = fn(&dyn DatabaseError) -> Trouble;

/// Whether nothing more can be had from this connection.
pub(super) fn is_gone(error: &sqlx::Error, judge: Judge) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => judge(&**error) == Trouble::Gone,
        _ => false,
    }
}

/// A failure with what can be done about it without telling the caller.
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

const REFUSES: &str = "refuses: look for user, password, database and rights, and at what its server says";

/// What was asked of the database.
pub(super) struct Topic {
    /// What is said where it is not there.
    pub(super) missing: Error,
    /// The tables that it is in.
    pub(super) tables: &'static str,
    /// What is in them.
    pub(super) what: &'static str,
    /// The version of them that this program knows.
    pub(super) known: i64,
    /// What to do where they cannot be read.
    pub(super) mend: &'static str,
}

/// What the caller is told.
pub(super) fn explain(failure: Failure, judge: Judge, url: &StoreUrl, topic: Topic) -> Error {
    let Topic { missing, tables, what, known, mend } = topic;
    let error = match failure {
        Failure::Said(error) => return error,
        Failure::Missing => return missing,
        Failure::Newer { place, version } => return store::newer(url, &place, &version.to_string(), known),
        Failure::Corrupt { place, what } => return store::not_as_written(url, &place, &what, mend),
        Failure::Again => return store::unavailable(url, &format!("others kept changing the same {what}")),
        Failure::Sql(error) => error,
    };
    let sqlx::Error::Database(said) = &error else { return store::unavailable(url, &error.to_string()) };
    let message = said.message();
    let of_kind = |kind, text: &str| Error::new(kind, format!("the store {url} {text} ({message})"));
    let unavailable = |text: &str| of_kind(ErrorKind::StoreUnavailable, text);
    match judge(&**said) {
        Trouble::MissingTable | Trouble::Foreign => of_kind(
            ErrorKind::StoreCorrupt,
            &format!("has tables {tables} that are not those of saiban: take another database, or rename them"),
        ),
        Trouble::Damaged => {
            of_kind(ErrorKind::StoreCorrupt, &format!("is no database, or is damaged: name another one. {mend}"))
        }
        Trouble::ReadOnly => {
            unavailable(&format!("cannot be written: {what} need a database, a file and a folder that may be written"))
                .permanent()
        }
        Trouble::Full => {
            unavailable("has no room: the disk is full, or a quota is used up. Make room; nothing of it is lost")
        }
        Trouble::Busy => {
            unavailable("is held by others for too long: end what has a transaction open on its tables, and try again")
        }
        Trouble::Denied => unavailable(REFUSES).permanent(),
        Trouble::Again | Trouble::Gone | Trouble::Refused => unavailable(REFUSES),
    }
}
