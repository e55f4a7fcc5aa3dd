//! What goes wrong with a database, told apart.

use crate::Error;
use crate::store::StoreUrl;
use saiban::ErrorKind;
use sqlx::error::DatabaseError;

/// Why a try came to nothing.
#[derive(Debug)]
pub(super) enum Failure {
    /// The client or the server says so.
    Sql(sqlx::Error),
    /// What the caller is told.
    Said(Error),
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
    /// A file that is no database, or is damaged.
    Damaged,
    /// A deadlock, or rows that others changed meanwhile.
    Again,
    /// The connection is over: the server was restarted, or closed what was idle.
    Gone,
    /// Locks that others held for too long.
    Busy,
    /// Nothing may be written here.
    ReadOnly,
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

/// What the caller is told.
pub(super) fn explain(failure: Failure, judge: Judge, url: &StoreUrl, name: &str) -> Error {
    let unavailable = |text: String| Error::new(ErrorKind::StoreUnavailable, text);
    let error = match failure {
        Failure::Said(error) => return error,
        Failure::Missing => return crate::store::unknown(name),
        Failure::Again => {
            return unavailable(format!("others kept changing the same leases in the store {url}: try again"));
        }
        Failure::Sql(error) => error,
    };
    let sqlx::Error::Database(said) = &error else {
        return unavailable(format!(
            "the store {url} cannot be reached, or has closed the connection ({error}): look whether its server runs, and for host, \
             port and TLS in its URL"
        ));
    };
    let message = said.message();
    match judge(&**said) {
        Trouble::MissingTable | Trouble::Foreign => Error::new(
            ErrorKind::StoreCorrupt,
            format!(
                "the tables saiban_namespaces and saiban_slots in the store {url} are not those of saiban ({message}): take another \
                 database or schema, or rename what is there"
            ),
        ),
        Trouble::Damaged => Error::new(
            ErrorKind::StoreCorrupt,
            format!(
                "the store {url} is no database, or is damaged ({message}): name another file, or put this one back from a copy"
            ),
        ),
        Trouble::ReadOnly => unavailable(format!(
            "nothing can be written to the store {url} ({message}): leases need a database, file and folder that may be written"
        )),
        Trouble::Busy => unavailable(format!(
            "others hold the store {url} for too long ({message}): end what has a transaction open on its tables, and try again"
        )),
        Trouble::Again | Trouble::Gone | Trouble::Refused => {
            unavailable(format!("the store {url} refuses ({message}): look for user, password, database and rights"))
        }
    }
}
