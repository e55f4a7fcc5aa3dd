//! A connection, with one interface for all three clients: statements and their values in, rows of
//! cells out.

use async_trait::async_trait;

/// The value for a `?` in a statement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    /// A BIGINT.
    Number(i64),
    /// Text.
    Text(&'a str),
}

impl From<i64> for Value<'_> {
    fn from(number: i64) -> Self {
        Value::Number(number)
    }
}

impl<'a> From<&'a str> for Value<'a> {
    fn from(text: &'a str) -> Self {
        Value::Text(text)
    }
}

/// A value of a row. Rows that other programs have written can have any type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// A BIGINT.
    Number(i64),
    /// Text.
    Text(String),
    /// NULL, or a type that saiban does not write.
    Other,
}

/// Returns the statement with its values in place of the `?`, for protocols without separate
/// values.
///
/// `text` gets each text as hexadecimal digits, so that no character of it can have a meaning in
/// SQL.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(super) fn written(sql: &str, values: &[Value<'_>], number: fn(i64) -> String, text: fn(&str) -> String) -> String {
    let mut parts = sql.split('?');
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for (value, part) in values.iter().zip(parts) {
        whole.push_str(&match value {
            Value::Number(value) => number(*value),
            // PostgreSQL's texts cannot contain NUL.
            Value::Text(value) => {
                let digits: String =
                    value.replace('\0', "\u{fffd}").bytes().map(|byte| format!("{byte:02x}")).collect();
                text(&digits)
            }
        });
        whole.push_str(part);
    }
    whole
}

/// The cells of a row, in the order of its columns.
pub(super) type Row = Vec<Cell>;

/// A connection that one call uses exclusively. Dropping it closes it, which rolls back an open
/// transaction.
#[async_trait]
pub(super) trait Session: Send {
    /// Runs a statement, and returns its rows.
    async fn rows(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, sqlx::Error>;

    /// Runs a statement, and returns how many rows it has changed or matched.
    async fn run(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, sqlx::Error>;

    /// Closes the connection properly.
    async fn close(self: Box<Self>);
}

/// Converts a client's row to cells.
pub(super) fn cells<'r, R>(row: &'r R) -> Row
where
    R: sqlx::Row,
    usize: sqlx::ColumnIndex<R>,
    i64: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
    String: sqlx::Decode<'r, R::Database> + sqlx::Type<R::Database>,
{
    let cell = |index: usize| {
        let number = row.try_get::<Option<i64>, _>(index).ok().map(|number| number.map(Cell::Number));
        let text = || row.try_get::<Option<String>, _>(index).ok().map(|text| text.map(Cell::Text));
        number.or_else(text).flatten().unwrap_or(Cell::Other)
    };
    (0..row.len()).map(cell).collect()
}

/// Implements [`Session`] for a client that sends values separately. A text without values may
/// contain several statements.
#[cfg(any(feature = "sqlite", feature = "mysql"))]
macro_rules! session_with_values {
    ($session:ident) => {
        #[async_trait::async_trait]
        impl crate::store::sql::session::Session for $session {
            async fn rows(
                &mut self,
                sql: &str,
                values: &[crate::store::sql::session::Value<'_>],
            ) -> Result<Vec<crate::store::sql::session::Row>, sqlx::Error> {
                let sql = sqlx::AssertSqlSafe(sql.to_owned());
                let rows = if values.is_empty() {
                    sqlx::raw_sql(sql).fetch_all(&mut self.0).await?
                } else {
                    crate::store::sql::session::bind(sqlx::query(sql), values).fetch_all(&mut self.0).await?
                };
                Ok(rows.iter().map(crate::store::sql::session::cells).collect())
            }

            async fn run(
                &mut self,
                sql: &str,
                values: &[crate::store::sql::session::Value<'_>],
            ) -> Result<u64, sqlx::Error> {
                let sql = sqlx::AssertSqlSafe(sql.to_owned());
                let done = if values.is_empty() {
                    sqlx::raw_sql(sql).execute(&mut self.0).await?
                } else {
                    crate::store::sql::session::bind(sqlx::query(sql), values).execute(&mut self.0).await?
                };
                Ok(done.rows_affected())
            }

            async fn close(self: Box<Self>) {
                // If this fails, the server notices the closed connection, and a file needs no
                // notice.
                let _ = sqlx::Connection::close(self.0).await;
            }
        }
    };
}
#[cfg(any(feature = "sqlite", feature = "mysql"))]
pub(super) use session_with_values;

/// Binds values to a statement.
#[cfg(any(feature = "sqlite", feature = "mysql"))]
pub(super) fn bind<'q, DB>(
    query: sqlx::query::Query<'q, DB, <DB as sqlx::Database>::Arguments>,
    values: &[Value<'_>],
) -> sqlx::query::Query<'q, DB, <DB as sqlx::Database>::Arguments>
where
    DB: sqlx::Database,
    i64: for<'e> sqlx::Encode<'e, DB> + sqlx::Type<DB>,
    String: for<'e> sqlx::Encode<'e, DB> + sqlx::Type<DB>,
{
    values.iter().fold(query, |query, value| match *value {
        Value::Number(number) => query.bind(number),
        Value::Text(text) => query.bind(text.to_owned()),
    })
}
