//! Insertion with retry: if the table already contains a generated ID, insert another one.

use core::fmt;

/// Why nothing was inserted.
///
/// `G` is the error of generating an ID, `E` the error of inserting it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InsertError<G, E> {
    /// No ID could be generated.
    Generate(G),
    /// The insert failed for another reason than a conflict, and was not tried again.
    Insert(E),
    /// Every generated ID conflicted with an existing one.
    Conflicts {
        /// The number of attempts.
        attempts: u32,
        /// The error of the last attempt.
        last: E,
    },
    /// `attempts` is 0.
    NoAttempts,
}

impl<G: fmt::Display, E: fmt::Display> fmt::Display for InsertError<G, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InsertError::Generate(error) => error.fmt(f),
            InsertError::Insert(error) => error.fmt(f),
            InsertError::Conflicts { attempts, .. } => write!(
                f,
                "{attempts} generated IDs conflicted with rows that the table has: check that the conflict is about \
                 the ID, and how many IDs the layout has for each time (saiban layout)"
            ),
            InsertError::NoAttempts => f.write_str("attempts is 0: give 1 or more"),
        }
    }
}

impl<G, E> core::error::Error for InsertError<G, E>
where
    G: fmt::Display + fmt::Debug,
    E: core::error::Error + 'static,
{
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            // `Display` shows the insert's own error, so the source is the source of that error.
            InsertError::Insert(error) => error.source(),
            InsertError::Conflicts { last, .. } => Some(last),
            InsertError::Generate(_) | InsertError::NoAttempts => None,
        }
    }
}

/// Generates an ID and inserts it. After a conflict it tries again with another ID, for at most
/// `attempts` attempts.
///
/// Other errors are not tried again. Use this function for IDs that are unique by chance, or only
/// within one partition of a table: those of [`TickIdGenerator`](crate::TickIdGenerator), UUID v4,
/// short codes.
///
/// Within a transaction, a failed insert must not abort the transaction: let `insert` set a
/// savepoint, and roll back to the savepoint if the insert fails.
///
/// How to recognise a conflict with sqlx:
/// ```text
/// |error: &sqlx::Error| error.as_database_error().is_some_and(|error| error.is_unique_violation())
/// ```
/// How to recognise a conflict with rusqlite, by the extended codes of a unique index, a primary
/// key and a row number:
/// ```text
/// |error: &rusqlite::Error| error.sqlite_error().is_some_and(|error| matches!(error.extended_code, 2067 | 1555 | 2579))
/// ```
///
/// ```
/// use saiban::insert_unique;
/// use std::collections::BTreeSet;
/// let mut table = BTreeSet::from([1, 2]);
/// let mut next = 0..;
/// let inserted = insert_unique(
///     5,
///     || next.next().ok_or("no number left"),
///     |id| if table.insert(id + 1) { Ok(id + 1) } else { Err("duplicate key") },
///     |error| *error == "duplicate key",
/// );
/// assert_eq!(inserted, Ok(3));
/// ```
///
/// # Errors
/// - [`Generate`](InsertError::Generate): the error of `generate`.
/// - [`Insert`](InsertError::Insert): an error of `insert` that is no conflict.
/// - [`Conflicts`](InsertError::Conflicts): all attempts conflicted.
/// - [`NoAttempts`](InsertError::NoAttempts): `attempts` is 0.
pub fn insert_unique<I, T, G, E>(
    attempts: u32,
    mut generate: impl FnMut() -> Result<I, G>,
    mut insert: impl FnMut(I) -> Result<T, E>,
    is_conflict: impl Fn(&E) -> bool,
) -> Result<T, InsertError<G, E>> {
    let mut outcome = Err(InsertError::NoAttempts);
    for attempt in 1..=attempts {
        let id = generate().map_err(InsertError::Generate)?;
        match insert(id) {
            Ok(inserted) => return Ok(inserted),
            Err(error) if is_conflict(&error) => {
                outcome = Err(InsertError::Conflicts { attempts: attempt, last: error })
            }
            Err(error) => return Err(InsertError::Insert(error)),
        }
    }
    outcome
}

/// The asynchronous form of [`insert_unique`].
///
/// ```
/// use saiban::{InsertError, insert_unique_async};
/// let insert = |id: i64| async move { Err::<(), _>(format!("duplicate key {id}")) };
/// let inserted = insert_unique_async(2, || Ok::<_, String>(7), insert, |error| error.starts_with("duplicate"));
/// # let inserted = {
/// #     let mut work = std::pin::pin!(inserted);
/// #     let mut context = std::task::Context::from_waker(std::task::Waker::noop());
/// #     loop { if let std::task::Poll::Ready(done) = work.as_mut().poll(&mut context) { break done } }
/// # };
/// assert_eq!(inserted, Err(InsertError::Conflicts { attempts: 2, last: "duplicate key 7".to_string() }));
/// ```
///
/// # Errors
/// As [`insert_unique`].
pub async fn insert_unique_async<I, T, G, E>(
    attempts: u32,
    mut generate: impl FnMut() -> Result<I, G>,
    mut insert: impl AsyncFnMut(I) -> Result<T, E>,
    is_conflict: impl Fn(&E) -> bool,
) -> Result<T, InsertError<G, E>> {
    let mut outcome = Err(InsertError::NoAttempts);
    for attempt in 1..=attempts {
        let id = generate().map_err(InsertError::Generate)?;
        match insert(id).await {
            Ok(inserted) => return Ok(inserted),
            Err(error) if is_conflict(&error) => {
                outcome = Err(InsertError::Conflicts { attempts: attempt, last: error })
            }
            Err(error) => return Err(InsertError::Insert(error)),
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::{InsertError, insert_unique};
    use crate::error::Error;
    use alloc::string::{String, ToString};
    use alloc::vec::Vec;

    /// Returns the messages of an error and of its sources, from the outermost to the innermost.
    fn chain(error: &(dyn core::error::Error + 'static)) -> Vec<String> {
        core::iter::successors(Some(error), |error| error.source()).map(ToString::to_string).collect()
    }

    #[test]
    fn a_chain_of_errors_shows_each_error_once() {
        let (last, shown) = (Error::Forked, Error::Forked.to_string());
        let insert = InsertError::<Error, Error>::Insert(last);
        assert_eq!(chain(&insert), [shown.as_str()]);
        let conflicts = InsertError::<Error, Error>::Conflicts { attempts: 3, last };
        let [first, second] = chain(&conflicts).try_into().expect("two errors");
        assert!(first.starts_with("3 generated IDs conflicted") && !first.contains(&shown), "{first}");
        assert_eq!(second, shown);
    }

    fn tried(
        attempts: u32,
        answers: &[Result<(), &'static str>],
    ) -> (Result<(), InsertError<&'static str, &'static str>>, usize) {
        let mut answers = answers.iter();
        let mut made = 0;
        let generate = || {
            made += 1;
            Ok(made)
        };
        let outcome =
            insert_unique(attempts, generate, |_| *answers.next().expect("an answer"), |error| *error == "conflict");
        (outcome, made)
    }

    #[test]
    fn each_conflict_is_followed_by_another_id_and_no_other_error_is() {
        assert_eq!(tried(3, &[Ok(())]), (Ok(()), 1));
        assert_eq!(tried(3, &[Err("conflict"), Err("conflict"), Ok(())]), (Ok(()), 3));
        let conflicts = InsertError::Conflicts { attempts: 2, last: "conflict" };
        assert_eq!(tried(2, &[Err("conflict"), Err("conflict")]), (Err(conflicts), 2));
        assert_eq!(tried(9, &[Err("conflict"), Err("disk full")]), (Err(InsertError::Insert("disk full")), 2));
        assert_eq!(tried(0, &[]), (Err(InsertError::NoAttempts), 0));
        let no_ids = insert_unique(3, || Err::<i32, _>("no clock"), |_| Ok::<_, &str>(()), |_| true);
        assert_eq!(no_ids, Err(InsertError::Generate("no clock")));
    }
}
