//! MySQL and MariaDB. The time is the server's, `UTC_TIMESTAMP(6)`.
//!
//! Leases take the general path only, at READ COMMITTED, which locks the rows that are read but no
//! gaps between them. The tables use InnoDB. Its commits are durable when the server replies,
//! unless the server is configured otherwise (`innodb_flush_log_at_trx_commit`).

use super::dialect::{Dialect, Server};
use super::failure::{Failure, Trouble};
use super::options::client_options;
use super::session::{Session, Value, session_with_values, written};
use super::sessions::connected;
use crate::Error;
use crate::store::StoreUrl;
use async_trait::async_trait;
use sqlx::error::DatabaseError;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlDatabaseError};
use sqlx::{ConnectOptions, raw_sql};

pub(super) static DIALECT: Dialect = Dialect {
    begin: "START TRANSACTION",
    begin_reading: "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ; START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY",
    lock: " FOR UPDATE",
    now: Some("SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))"),
    make_tables: include_str!("schema/leases.mysql.sql"),
    make_counters: include_str!("schema/counters.mysql.sql"),
    quick: None,
    quick_counter: Some(take),
    judge,
    connections: 4,
    keeps: true,
};

/// The settings of each connection. They override the server's defaults. A single statement is a
/// transaction (`autocommit`), and COMMIT does not begin a new one (`completion_type`). The
/// transaction of a client that disappears ends soon (`wait_timeout`).
const SETTINGS: &str = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; \
                        SET SESSION autocommit = 1, SESSION completion_type = 0, SESSION innodb_lock_wait_timeout = 5, SESSION wait_timeout = 30";

/// The URL parameters that the client supports.
const PARAMETERS: [&str; 14] = [
    "sslmode",
    "ssl-mode",
    "sslca",
    "ssl-ca",
    "sslcert",
    "ssl-cert",
    "sslkey",
    "ssl-key",
    "charset",
    "collation",
    "socket",
    "timezone",
    "time-zone",
    "statement-cache-capacity",
];

pub(super) struct Mysql(MySqlConnectOptions);

impl Mysql {
    pub(super) fn new(url: &StoreUrl) -> Result<Self, Error> {
        client_options(url, &PARAMETERS).map(Mysql)
    }
}

#[async_trait]
impl Server for Mysql {
    async fn connect(&self, _: bool) -> Result<Box<dyn Session>, Failure> {
        let connect = async {
            let mut connection = self.0.connect().await?;
            raw_sql(SETTINGS).execute(&mut connection).await?;
            Ok(connection)
        };
        Ok(Box::new(MysqlSession(connected(connect).await?)))
    }
}

struct MysqlSession(MySqlConnection);

session_with_values!(MysqlSession);

/// Returns the SQL that takes numbers of a counter. `LAST_INSERT_ID(next)` keeps the old next
/// number, for this connection only.
fn take(values: &[Value<'_>]) -> String {
    const TAKE: &str = "UPDATE saiban_counters SET next = LAST_INSERT_ID(next) + ? WHERE name = ? AND version = 1 AND fingerprint = ? \
                        AND incarnation = ? AND next >= ? AND next <= ?; \
                        SELECT CAST(LAST_INSERT_ID() AS SIGNED) FROM DUAL WHERE ROW_COUNT() = 1";
    // Names and fingerprints contain ASCII characters only.
    written(TAKE, values, |number| number.to_string(), |digits| format!("_ascii x'{digits}'"))
}

/// Classifies errors by number: <https://mariadb.com/kb/en/mariadb-error-code-reference/>.
fn judge(error: &dyn DatabaseError) -> Trouble {
    match error.try_downcast_ref::<MySqlDatabaseError>().map_or(0, MySqlDatabaseError::number) {
        // ER_NO_SUCH_TABLE
        1146 => Trouble::MissingTable,
        // ER_BAD_FIELD_ERROR
        1054 => Trouble::Foreign,
        // ER_LOCK_DEADLOCK, ER_CHECKREAD (MariaDB: a row has changed since it was read)
        1213 | 1020 => Trouble::Again,
        // ER_SERVER_SHUTDOWN, ER_NEW_ABORTING_CONNECTION, ER_CONNECTION_KILLED,
        // ER_CLIENT_INTERACTION_TIMEOUT
        1053 | 1184 | 1927 | 4031 => Trouble::Gone,
        // ER_LOCK_WAIT_TIMEOUT
        1205 => Trouble::Busy,
        // ER_OPTION_PREVENTS_STATEMENT, ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION, ER_READ_ONLY_MODE
        1290 | 1792 | 1836 => Trouble::ReadOnly,
        // ER_DISK_FULL, ER_RECORD_FILE_FULL
        1021 | 1114 => Trouble::Full,
        // ER_DBACCESS_DENIED_ERROR, ER_ACCESS_DENIED_ERROR, ER_BAD_DB_ERROR, ER_HOST_IS_BLOCKED,
        // ER_HOST_NOT_PRIVILEGED, ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR,
        // ER_SPECIFIC_ACCESS_DENIED_ERROR, ER_ACCESS_DENIED_NO_PASSWORD_ERROR,
        // ER_MUST_CHANGE_PASSWORD_LOGIN, ER_ACCOUNT_HAS_BEEN_LOCKED (MySQL, MariaDB)
        1044 | 1045 | 1049 | 1129 | 1130 | 1142 | 1143 | 1227 | 1698 | 1862 | 3118 | 4151 => Trouble::Denied,
        // ER_NOT_KEYFILE, ER_CRASHED_ON_USAGE, ER_TABLE_CORRUPT
        1034 | 1194 | 1877 => Trouble::Damaged,
        _ => Trouble::Refused,
    }
}
