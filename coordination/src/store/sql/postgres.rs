//! PostgreSQL. The time is the server's, `clock_timestamp()`.
//!
//! Statements use the simple query protocol, with their values written into them. Each takes one
//! round trip, even the first time, and leaves nothing prepared in the server. Settings apply to
//! one transaction. So PgBouncer may be in between, in any pooling mode.

use super::dialect::{Dialect, Quick, Server};
use super::failure::{Failure, Trouble};
use super::options::client_options;
use super::session::{Row, Session, Value, cells, written};
use super::sessions::connected;
use crate::Error;
use crate::store::StoreUrl;
use async_trait::async_trait;
use sqlx::error::DatabaseError;
use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};

/// The settings of each transaction: time limits, and a durable commit (`synchronous_commit`) even
/// if the database's default is `off`.
macro_rules! settings {
    () => {
        "SET LOCAL statement_timeout = '8s'; SET LOCAL lock_timeout = '5s'; \
         SET LOCAL idle_in_transaction_session_timeout = '10s'; \
         SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off'; "
    };
}

/// Several statements in one message run as one transaction.
macro_rules! alone {
    ($statement:expr) => {
        concat!("SET TRANSACTION ISOLATION LEVEL READ COMMITTED; ", settings!(), $statement)
    };
}

macro_rules! now {
    () => {
        "CAST(extract(epoch FROM clock_timestamp()) * 1000000 AS bigint)"
    };
}

/// The bounds of valid records, as in `rows`. For other records the general path returns the error.
macro_rules! sane {
    () => {
        "AND n.nodes >= 1 AND n.max_ttl_us BETWEEN 1 AND 2305843009213693951 \
         AND n.quarantine_until_us BETWEEN 0 AND 2305843009213693951 \
         AND s.fence BETWEEN 0 AND 2305843009213693951 AND s.high_water_us <= 2305843009213693951 \
         AND s.start_us BETWEEN 0 AND s.high_water_us AND s.end_us BETWEEN 0 AND s.high_water_us "
    };
}

pub(super) static DIALECT: Dialect = Dialect {
    begin: concat!("BEGIN ISOLATION LEVEL READ COMMITTED; ", settings!()),
    begin_reading: concat!("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ", settings!()),
    lock: " FOR UPDATE",
    now: Some(concat!("SELECT ", now!())),
    // The advisory lock keeps out concurrent creators. Its number is the text "saiban" in ASCII.
    make_tables: alone!(concat!(
        "SELECT pg_advisory_xact_lock(126862217077102); ",
        include_str!("schema/leases.postgres.sql")
    )),
    make_counters: alone!(concat!(
        "SELECT pg_advisory_xact_lock(126862217077102); ",
        include_str!("schema/counters.postgres.sql")
    )),
    quick: Some(Quick { acquire: ACQUIRE, renew: RENEW, release: RELEASE }),
    quick_counter: Some(|values| with_values(TAKE, values)),
    judge,
    connections: 4,
    keeps: true,
};

/// Grants the slot of exactly this width that has been free for longest, if the namespace allows
/// it.
///
/// Slots that other transactions have locked are skipped. The `WITH` chooses the slot once, before
/// anything is written. The slots before and after must be adjacent to it.
const ACQUIRE: &str = alone!(concat!(
    "WITH request AS (SELECT ? AS name, ? AS fingerprint, ? AS nodes, ? AS ttl_us, ? AS holder, ? AS token, ? AS clock_us, ",
    "? AS max_clock_skew_us, ",
    now!(),
    " AS now_us), ",
    "space AS (SELECT n.name, n.nodes, n.incarnation, n.max_ttl_us, n.quarantine_until_us FROM saiban_namespaces n, request w ",
    "WHERE n.name = w.name AND n.version = 1 AND n.fingerprint = w.fingerprint AND w.ttl_us <= n.max_ttl_us ",
    "AND n.quarantine_until_us <= w.now_us AND abs(CAST(w.clock_us AS numeric) - w.now_us) <= w.max_clock_skew_us), ",
    "best AS (SELECT s.nodes_start FROM saiban_slots s WHERE s.namespace = (SELECT name FROM space) ",
    "AND s.nodes_end - s.nodes_start = (SELECT nodes FROM request) AND s.end_us <= (SELECT now_us FROM request) ",
    "AND s.high_water_us <= (SELECT now_us FROM request) ",
    "ORDER BY s.high_water_us, s.nodes_start LIMIT 1 FOR UPDATE OF s SKIP LOCKED) ",
    "UPDATE saiban_slots s SET fence = s.fence + 1, token = w.token, start_us = w.now_us, end_us = w.now_us + w.ttl_us, ",
    "high_water_us = w.now_us + w.ttl_us, holder = w.holder FROM best, request w, space n ",
    "WHERE s.namespace = n.name AND s.nodes_start = best.nodes_start ",
    sane!(),
    "AND coalesce((SELECT o.nodes_end FROM saiban_slots o WHERE o.namespace = n.name AND o.nodes_start < best.nodes_start ",
    "ORDER BY o.nodes_start DESC LIMIT 1), 0) = s.nodes_start ",
    "AND coalesce((SELECT o.nodes_start FROM saiban_slots o WHERE o.namespace = n.name AND o.nodes_start > best.nodes_start ",
    "ORDER BY o.nodes_start LIMIT 1), n.nodes) = s.nodes_end ",
    "RETURNING s.nodes_start, s.nodes_end, s.fence, s.token, s.start_us, s.end_us, w.now_us, n.incarnation"
));

/// Renews a lease before its end, if its end is still the one that the holder knows.
const RENEW: &str = alone!(concat!(
    "WITH request AS (SELECT ? AS name, ? AS incarnation, ? AS nodes_start, ? AS nodes_end, ? AS fence, ? AS token, ? AS end_us, ",
    "? AS ttl_us, ",
    now!(),
    " AS now_us) ",
    "UPDATE saiban_slots s SET end_us = greatest(s.end_us, w.now_us + w.ttl_us), ",
    "high_water_us = greatest(s.end_us, w.now_us + w.ttl_us) FROM request w, saiban_namespaces n ",
    "WHERE n.name = w.name AND n.version = 1 AND n.incarnation = w.incarnation AND w.ttl_us <= n.max_ttl_us ",
    "AND s.namespace = n.name AND s.nodes_start = w.nodes_start AND s.nodes_end = w.nodes_end AND s.fence = w.fence ",
    "AND s.token = w.token AND s.end_us = w.end_us AND w.now_us < s.end_us ",
    sane!(),
    "RETURNING s.nodes_start, s.nodes_end, s.fence, s.token, s.start_us, s.end_us, w.now_us, n.incarnation"
));

/// Releases the lease of exactly this fence and token. Returns no row if the store has lost a
/// renewal of the lease.
const RELEASE: &str = alone!(concat!(
    "WITH request AS (SELECT ? AS name, ? AS nodes_start, ? AS nodes_end, ? AS fence, ? AS token, ? AS high_water_us) ",
    "UPDATE saiban_slots s SET fence = s.fence + 1, end_us = 0, ",
    "high_water_us = greatest(w.high_water_us, s.start_us) ",
    "FROM request w, saiban_namespaces n WHERE n.name = w.name AND n.version = 1 ",
    "AND s.namespace = n.name AND s.nodes_start = w.nodes_start AND s.nodes_end = w.nodes_end AND s.fence = w.fence ",
    "AND s.token = w.token AND w.high_water_us <= s.high_water_us ",
    sane!(),
    "RETURNING s.nodes_start, s.nodes_end, s.fence, s.token, s.start_us, s.end_us, s.high_water_us, n.incarnation"
));

/// Takes numbers of a counter.
const TAKE: &str = alone!(concat!(
    "WITH request AS (SELECT ? AS grown, ? AS name, ? AS fingerprint, ? AS incarnation, ? AS least, ? AS most) ",
    "UPDATE saiban_counters c SET next = c.next + w.grown FROM request w WHERE c.name = w.name AND c.version = 1 ",
    "AND c.fingerprint = w.fingerprint AND c.incarnation = w.incarnation AND c.next >= w.least AND c.next <= w.most ",
    "RETURNING c.next - w.grown"
));

/// The URL parameters that the client supports.
const PARAMETERS: [&str; 18] = [
    "sslmode",
    "ssl-mode",
    "sslrootcert",
    "ssl-root-cert",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "host",
    "hostaddr",
    "port",
    "dbname",
    "user",
    "password",
    "application_name",
    "options",
    "statement-cache-capacity",
];

pub(super) struct Postgres(PgConnectOptions);

impl Postgres {
    pub(super) fn new(url: &StoreUrl) -> Result<Self, Error> {
        let options: PgConnectOptions = client_options(url, &PARAMETERS)?;
        // A connection pooler may not know this setting, and reject it.
        let options = options.extra_float_digits(None);
        let is_named = url.secret().query_pairs().any(|(key, _)| key == "application_name");
        Ok(Postgres(if is_named { options } else { options.application_name("saiban") }))
    }
}

#[async_trait]
impl Server for Postgres {
    async fn connect(&self, _: bool) -> Result<Box<dyn Session>, Failure> {
        Ok(Box::new(PgSession(connected(self.0.connect()).await?)))
    }
}

struct PgSession(PgConnection);

#[async_trait]
impl Session for PgSession {
    async fn rows(&mut self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, sqlx::Error> {
        let rows = sqlx::raw_sql(AssertSqlSafe(with_values(sql, values))).fetch_all(&mut self.0).await?;
        Ok(rows.iter().map(cells).collect())
    }

    async fn run(&mut self, sql: &str, values: &[Value<'_>]) -> Result<u64, sqlx::Error> {
        let done = sqlx::raw_sql(AssertSqlSafe(with_values(sql, values))).execute(&mut self.0).await?;
        Ok(done.rows_affected())
    }

    async fn close(self: Box<Self>) {
        // If this fails, the server notices the closed connection.
        let _ = self.0.close().await;
    }
}

/// Returns the statement with its values in place of the `?`.
fn with_values(sql: &str, values: &[Value<'_>]) -> String {
    let number = |number| format!("CAST('{number}' AS bigint)");
    written(sql, values, number, |digits| format!("convert_from(decode('{digits}', 'hex'), 'UTF8')"))
}

/// Classifies errors by code: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
fn judge(error: &dyn DatabaseError) -> Trouble {
    match error.code().as_deref().unwrap_or_default() {
        // undefined_table; invalid_schema_name
        "42P01" | "3F000" => Trouble::MissingTable,
        // undefined_column, datatype_mismatch, undefined_function (an operator for other types),
        // wrong_object_type
        "42703" | "42804" | "42883" | "42809" => Trouble::Foreign,
        // serialization_failure, deadlock_detected
        "40001" | "40P01" => Trouble::Again,
        // admin_shutdown, crash_shutdown, cannot_connect_now, idle_in_transaction_session_timeout,
        // idle_session_timeout
        "57P01" | "57P02" | "57P03" | "25P03" | "57P05" => Trouble::Gone,
        // lock_not_available, query_canceled
        "55P03" | "57014" => Trouble::Busy,
        // read_only_sql_transaction
        "25006" => Trouble::ReadOnly,
        // disk_full
        "53100" => Trouble::Full,
        // invalid_authorization_specification, invalid_password, insufficient_privilege,
        // invalid_catalog_name
        "28000" | "28P01" | "42501" | "3D000" => Trouble::Denied,
        // data_corrupted, index_corrupted
        "XX001" | "XX002" => Trouble::Damaged,
        _ => Trouble::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::with_values;

    #[test]
    fn text_in_a_statement_is_digits_and_nothing_else() {
        let text = with_values("SELECT ?, ?;", &["a'; \\\0é".into(), i64::MIN.into()]);
        assert_eq!(
            text,
            "SELECT convert_from(decode('61273b205cefbfbdc3a9', 'hex'), 'UTF8'), CAST('-9223372036854775808' AS bigint);"
        );
    }
}
