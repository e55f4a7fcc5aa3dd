//! Inserts that are retried with another ID after a conflict.

use crate::ffi::{Argument, Out, ffi};
use crate::generator::Generator;
use crate::lease::text_of;
use saiban::encoding::Text;
use saiban::{Error, InsertError, insert_unique};
use saiban_coordination::AnyIssuer;
use std::ffi::{c_char, c_void};

/// The result of a saiban_insert that inserted the ID.
pub const SAIBAN_INSERTED: i32 = 0;
/// The result of a saiban_insert if the table already has the ID: sqlite3_extended_errcode() says
/// SQLITE_CONSTRAINT_UNIQUE, _PRIMARYKEY or _ROWID, PQresultErrorField(…, PG_DIAG_SQLSTATE)
/// "23505", mysql_errno() 1062.
pub const SAIBAN_INSERT_CONFLICT: i32 = 1;

/// Inserts an ID: id of up to 64 bits, else 0, and in each case its text, of len bytes and a NUL,
/// which is gone afterwards. It returns SAIBAN_INSERTED, SAIBAN_INSERT_CONFLICT, or its own error
/// code. context is the argument of saiban_insert_unique.
pub type Insert = Option<unsafe extern "C" fn(context: *mut c_void, id: i64, text: *const c_char, len: usize) -> i32>;

/// The context for the caller's function, which alone knows its type. It may be NULL.
pub(crate) struct Context(*mut c_void);

impl Argument for Context {
    type C = *mut c_void;

    fn take(given: Self::C, _: &'static str) -> Result<Self, Error> {
        Ok(Context(given))
    }
}

/// The caller's function, which is not NULL.
pub(crate) struct GivenInsert(unsafe extern "C" fn(*mut c_void, i64, *const c_char, usize) -> i32);

impl Argument for GivenInsert {
    type C = Insert;

    fn take(given: Self::C, null: &'static str) -> Result<Self, Error> {
        given.map(GivenInsert).ok_or(Error::InvalidArgument { what: null })
    }
}

ffi! {
    /// Makes an ID and has it inserted; where the table has one like it, another, and so on,
    /// attempts times in all. For IDs that are unique by chance, or for one partition of a table
    /// only: tick IDs, UUID v4, short codes. No other error is tried again.
    ///
    /// Within a transaction a statement that fails may take the transaction with it (PostgreSQL):
    /// let insert begin a savepoint, and roll back to it where it fails.
    ///
    /// - attempts: 1 or more.
    /// - insert, context: the function that inserts, and what it is given.
    /// - answer: the last result of insert: SAIBAN_INSERTED; SAIBAN_INSERT_CONFLICT if all attempts
    ///   conflicted; or its own error code.
    ///
    /// Errors: as saiban_generate, when no ID could be made; INVALID_ARGUMENT for attempts of 0.
    fn saiban_insert_unique(
        generator: &Generator, attempts: u32, insert: GivenInsert, context: Context, answer: Out<i32>,
    ) {
        let generate = || match &generator.ids {
            AnyIssuer::Narrow(ids) => ids.generate().and_then(|id| Ok((id, ids.write(id, None)?))),
            AnyIssuer::Wide(ids) => ids.generate_text(None).map(|text| (0, text)),
        };
        let insert = |(id, text): (i64, Text)| {
            let (text, len) = (text_of(&text), text.len());
            // SAFETY: the caller's function gets the context that the caller passed for it, and a
            // text that lives as long as the call.
            match unsafe { insert.0(context.0, id, text.as_ptr(), len) } {
                SAIBAN_INSERTED => Ok(()),
                other => Err(other),
            }
        };
        match insert_unique(attempts, generate, insert, |answer| *answer == SAIBAN_INSERT_CONFLICT) {
            Ok(()) => answer.set(SAIBAN_INSERTED),
            Err(InsertError::Insert(last) | InsertError::Conflicts { last, .. }) => answer.set(last),
            Err(InsertError::Generate(error)) => return Err(generator.explain(error)),
            Err(_) => return Err(Error::InvalidArgument { what: "attempts is 0: give 1 or more" }.into()),
        }
    }
}
