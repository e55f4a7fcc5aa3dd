//! Tick IDs in a table keyed by partition and row key, inserted with rusqlite, and with sqlx on
//! SQLite and PostgreSQL.
//!
//! The tests imitate twenty programs with manual clocks: a tick has a thousand IDs, so one in a
//! hundred already exists.

mod servers;

use saiban::clock::ManualClock;
use saiban::entropy::PooledEntropy;
use saiban::generator::TickOrder;
use saiban::{Generator, InsertError, Options, TickIdGenerator, insert_unique, insert_unique_async};
use servers::Server;
use sqlx::{AssertSqlSafe, Connection as _};
use tokio::runtime::Runtime;

const EVENTS: usize = 2_000;
const TABLE: &str = "CREATE TABLE events (
    topic VARCHAR(20) NOT NULL, row_key VARCHAR(30) NOT NULL, amount BIGINT NOT NULL CHECK (amount > 0), PRIMARY KEY (topic, row_key)
)";
const INSERT: &str = "INSERT INTO events VALUES ($1, $2, $3)";

/// Many programs, which make IDs in turn.
struct Programs {
    generators: Vec<TickIdGenerator<ManualClock, PooledEntropy>>,
    made: usize,
}

impl Programs {
    fn new() -> Programs {
        let generator = || {
            let clock = ManualClock::new(1_700_000_000_000).expect("a time");
            TickIdGenerator::build(TickOrder::Descending, &Options::default(), clock, PooledEntropy)
                .expect("a generator")
        };
        Programs { generators: std::iter::repeat_with(generator).take(20).collect(), made: 0 }
    }

    fn generate(&mut self) -> Result<String, saiban::Error> {
        let program = &self.generators[self.made % self.generators.len()];
        self.made += 1;
        program.generate_text(None).map(|text| text.as_str().to_owned())
    }
}

type Outcome<E> = Result<String, InsertError<saiban::Error, E>>;

/// Checks a run with any client: all events are inserted, and more IDs than events were made.
fn expect_all(programs: &Programs, rows: i64) {
    assert_eq!(usize::try_from(rows), Ok(EVENTS));
    assert!(programs.made > EVENTS, "{} IDs made: no conflict", programs.made);
}

/// `SQLITE_CONSTRAINT_UNIQUE`, `_PRIMARYKEY` and `_ROWID`.
fn is_conflict(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error(), Some(error) if matches!(error.extended_code, 2067 | 1555 | 2579))
}

#[test]
fn rusqlite() {
    let mut connection = rusqlite::Connection::open_in_memory().expect("a database");
    connection.execute_batch(TABLE).expect("a table");
    let mut programs = Programs::new();
    let mut transaction = connection.transaction().expect("a transaction");
    let mut insert = |topic: &str, amount: i64, programs: &mut Programs| -> Outcome<rusqlite::Error> {
        let attempt = |key: String| {
            let savepoint = transaction.savepoint()?;
            savepoint.execute(INSERT, rusqlite::params![topic, key, amount])?;
            savepoint.commit().map(|()| key)
        };
        insert_unique(5, || programs.generate(), attempt, is_conflict)
    };
    for _ in 0..EVENTS {
        insert("orders", 1, &mut programs).expect("inserted");
    }
    // Another error ends the insertion at the first attempt.
    let before = programs.made;
    let refused = insert("orders", -1, &mut programs);
    assert!(matches!(refused, Err(InsertError::Insert(error)) if error.to_string().contains("CHECK")));
    assert_eq!(programs.made, before + 1);
    transaction.commit().expect("committed");

    programs.made -= 1;
    let rows: i64 = connection.query_row("SELECT count(*) FROM events", [], |row| row.get(0)).expect("a count");
    expect_all(&programs, rows);
    // The newest IDs sort first: keys of later ticks precede those of earlier ones.
    let key: String =
        connection.query_row("SELECT min(row_key) FROM events", [], |row| row.get(0)).expect("the first key");
    let ids = &programs.generators[0];
    let newest = ids.from_text(&key).and_then(|id| ids.inspect(id)).expect("an ID");
    assert!(newest.timestamp_ms.is_some_and(|time_ms| time_ms >= 1_700_000_000_000));
}

macro_rules! with_sqlx {
    ($connection:expr) => {{
        let mut connection = $connection;
        sqlx::query(TABLE).execute(&mut connection).await.expect("a table");
        let mut programs = Programs::new();
        let mut transaction = connection.begin().await.expect("a transaction");
        let is_conflict =
            |error: &sqlx::Error| error.as_database_error().is_some_and(|error| error.is_unique_violation());
        for event in 0..=EVENTS {
            let amount = if event < EVENTS { 1_i64 } else { -1 };
            let before = programs.made;
            // A transaction within a transaction is a savepoint, which is rolled back unless it is
            // committed.
            let attempt = async |key: String| {
                let mut savepoint = transaction.begin().await?;
                sqlx::query(INSERT).bind("orders").bind(&key).bind(amount).execute(&mut *savepoint).await?;
                savepoint.commit().await.map(|()| key)
            };
            let inserted: Outcome<sqlx::Error> =
                insert_unique_async(5, || programs.generate(), attempt, is_conflict).await;
            if event < EVENTS {
                inserted.expect("inserted");
            } else {
                // Another error ends the insertion at the first attempt, and the transaction stays
                // usable.
                let refused = inserted.expect_err("amount is negative");
                assert!(matches!(&refused, InsertError::Insert(sqlx::Error::Database(error)) if error.is_check_violation()));
                assert_eq!(programs.made, before + 1);
            }
        }
        // Every attempt conflicts: their number is bounded, and the last error is kept.
        let again = async |key: String| {
            let mut savepoint = transaction.begin().await?;
            let copy = "INSERT INTO events SELECT * FROM events LIMIT 1".to_owned();
            sqlx::query(AssertSqlSafe(copy)).execute(&mut *savepoint).await?;
            savepoint.commit().await.map(|()| key)
        };
        let refused: Outcome<sqlx::Error> = insert_unique_async(3, || programs.generate(), again, is_conflict).await;
        assert!(matches!(refused, Err(InsertError::Conflicts { attempts: 3, last }) if is_conflict(&last)));
        transaction.commit().await.expect("committed");
        let rows: i64 =
            sqlx::query_scalar("SELECT count(*) FROM events").fetch_one(&mut connection).await.expect("a count");
        programs.made -= 4;
        expect_all(&programs, rows);
    }};
}

#[test]
fn sqlx_on_sqlite() {
    Runtime::new().expect("a runtime").block_on(async {
        with_sqlx!(sqlx::sqlite::SqliteConnection::connect("sqlite::memory:").await.expect("a database"));
    });
}

#[test]
fn sqlx_on_postgresql() {
    let server = Server::start("postgres");
    Runtime::new().expect("a runtime").block_on(async {
        with_sqlx!(sqlx::postgres::PgConnection::connect(server.url()).await.expect("a connection"));
    });
}
