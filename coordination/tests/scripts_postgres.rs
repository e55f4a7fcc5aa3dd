//! The default of a column in a real PostgreSQL: the bits that the core makes, and none twice, whoever inserts.

mod servers;

use saiban::Layout;
use servers::Server;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Row};
use std::sync::LazyLock;
use tokio::runtime::Runtime;

static SERVER: LazyLock<Server> = LazyLock::new(|| Server::start("postgres"));

async fn connect() -> PgConnection {
    PgConnection::connect(SERVER.url()).await.expect("a connection")
}

async fn run(connection: &mut PgConnection, sql: &str) -> Result<Vec<i64>, sqlx::Error> {
    let rows = sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).fetch_all(connection).await?;
    Ok(rows.iter().filter_map(|row| row.try_get::<i64, _>(0).ok()).collect())
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    Runtime::new().expect("a runtime").block_on(work)
}

/// Tick and sequence of IDs.
fn positions(layout: &Layout, node: u64, ids: &[i64]) -> Vec<(u64, u64)> {
    ids.iter()
        .map(|id| {
            let fields = layout.split(*id).expect("an ID of this layout");
            assert_eq!(fields.node, node);
            (fields.tick, fields.counter)
        })
        .collect()
}

#[test]
fn a_function_makes_ids_of_any_layout_and_waits_where_a_tick_is_used_up() {
    block_on(async {
        let mut connection = connect().await;
        for (index, (text, node)) in [
            ("unused:1 timestamp:41@ms,epoch=2020-02-02 node:10 sequence:12", 1_023),
            ("timestamp:42,epoch=2015-01-01 node:10 sequence:12", 0),
            ("unused:1 timestamp:39@10ms,epoch=2025-01-01 sequence:2 node:16", 65_535),
            ("constant:4,value=5 node:6 timestamp:41,epoch=2020-02-02 sequence:1", 33),
            ("timestamp:52@us,epoch=2026-01-01 node:4 sequence:3", 9),
        ]
        .into_iter()
        .enumerate()
        {
            let layout = Layout::from_text(text).expect("a layout");
            let name = format!("ids_{index}");
            let sql = layout.postgres_function(&name, node).expect("a function");
            for _ in 0..2 {
                run(&mut connection, &sql).await.expect("made, and once more");
            }
            let before_ms = run(&mut connection, "SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint")
                .await
                .expect("a time")[0];
            let ids = run(&mut connection, &format!("SELECT {name}() FROM generate_series(1, 50)")).await.expect("IDs");
            let positions = positions(&layout, u64::try_from(node).expect("a node"), &ids);
            assert_eq!(ids.len(), 50);
            assert!(positions.is_sorted_by(|a, b| a < b), "{text}: each later than the one before");
            let first = layout.tick_start_ms(positions[0].0);
            assert!(
                (before_ms..before_ms + 60_000).contains(&(first + 10)),
                "{text}: {first} is the server's time, {before_ms}"
            );
        }
    });
}

#[test]
fn a_clock_that_is_behind_is_waited_for_and_no_longer_than_the_function_says() {
    block_on(async {
        let mut connection = connect().await;
        let sql = Layout::TWITTER.postgres_function("behind", 5).expect("a function");
        run(&mut connection, &sql).await.expect("made");
        let last = run(&mut connection, "SELECT behind()").await.expect("an ID")[0];
        // As if the clock had stepped back by an hour, and by half a second: the last tick is used up.
        for (ahead_ms, is_refused) in [(3_600_000_i64, true), (500, false)] {
            let ahead = format!(
                "SELECT setval('behind_position', ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1288834974657 + {ahead_ms}) << 12 | 4094)"
            );
            run(&mut connection, &ahead).await.expect("set");
            let in_the_tick = run(&mut connection, "SELECT behind()").await.expect("what the tick has left")[0];
            assert!(in_the_tick > last);
            match run(&mut connection, "SELECT behind()").await {
                Err(error) if is_refused => assert!(
                    error.to_string().contains("the clock is 3") && error.to_string().contains("us behind"),
                    "{error}"
                ),
                answer => assert!(!is_refused && answer.expect("an ID")[0] > in_the_tick),
            }
        }
        // The lock was let go of.
        let mut another = connect().await;
        assert_eq!(run(&mut another, "SELECT behind()").await.expect("an ID").len(), 1);
    });
}

#[test]
fn a_call_that_is_cancelled_leaves_no_lock() {
    block_on(async {
        let mut connection = connect().await;
        run(&mut connection, &Layout::TWITTER.postgres_function("cancelled", 5).expect("a function"))
            .await
            .expect("made");
        run(&mut connection, "SET statement_timeout = '2ms'").await.expect("set");
        for _ in 0..30 {
            let _ = run(&mut connection, "SELECT max(cancelled()) FROM generate_series(1, 100000)").await;
        }
        let held = run(
            &mut connect().await,
            "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 1935763812",
        )
        .await;
        assert_eq!(held.expect("a count"), [0]);
        assert_eq!(run(&mut connect().await, "SELECT cancelled()").await.expect("an ID").len(), 1);
    });
}

#[test]
fn eight_clients_of_pgbench_and_a_transaction_that_stays_open_repeat_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = folder.path().join("insert.sql");
    std::fs::write(&script, "INSERT INTO orders (client) VALUES (:client_id);\n").expect("written");
    block_on(async {
        let mut connection = connect().await;
        let layout = Layout::TWITTER;
        run(&mut connection, &layout.postgres_function("order_id", 7).expect("a function")).await.expect("made");
        run(
            &mut connection,
            "CREATE TABLE orders (id bigint PRIMARY KEY DEFAULT order_id(), client int NOT NULL, at bigserial)",
        )
        .await
        .expect("made");
        // Somebody has an ID and does not commit: nobody waits for that.
        let mut open = connect().await;
        run(&mut open, "BEGIN; INSERT INTO orders (client) VALUES (99)").await.expect("inserted");
        let programs = std::fs::read_dir("/usr/lib/postgresql")
            .expect("PostgreSQL")
            .flatten()
            .map(|version| version.path().join("bin/pgbench"));
        let pgbench = programs.filter(|program| program.exists()).max().expect("pgbench");
        let done = std::process::Command::new(pgbench)
            .args(["--no-vacuum", "--client=8", "--jobs=2", "--transactions=2500", "--file"])
            .arg(&script)
            .arg(SERVER.url())
            .output()
            .expect("pgbench runs");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        run(&mut open, "COMMIT").await.expect("committed");
        for client in [0, 3, 7] {
            let of_one = run(&mut connection, &format!("SELECT id FROM orders WHERE client = {client} ORDER BY at"))
                .await
                .expect("rows");
            let positions = positions(&layout, 7, &of_one);
            assert!(of_one.len() == 2_500 && positions.is_sorted_by(|a, b| a < b), "a client's IDs grow");
        }
        let counts =
            run(&mut connection, "SELECT count(*) FROM orders UNION ALL SELECT count(DISTINCT id) FROM orders")
                .await
                .expect("counts");
        assert_eq!(counts, [20_001, 20_001]);
    });
}
