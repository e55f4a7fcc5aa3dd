//! The default of a column in a real PostgreSQL: the bits match the core's, and no ID repeats, for
//! any number of sessions.

mod servers;

use saiban::Layout;
use servers::Server;
use sqlx::postgres::PgConnection;
use sqlx::{AssertSqlSafe, Connection as _, Row};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
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

/// Returns a command that runs a program of PostgreSQL.
fn program(name: &str) -> Command {
    let versions = std::fs::read_dir("/usr/lib/postgresql").expect("PostgreSQL").flatten();
    let programs = versions.map(|version| version.path().join("bin").join(name));
    Command::new(programs.filter(|program| program.exists()).max().expect("the program"))
}

/// Returns the ticks and sequences of IDs.
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
fn a_clock_that_is_behind_is_waited_for_up_to_the_limit_of_the_function() {
    block_on(async {
        let mut connection = connect().await;
        let sql = Layout::TWITTER.postgres_function("behind", 5).expect("a function");
        run(&mut connection, &sql).await.expect("made");
        let last = run(&mut connection, "SELECT behind()").await.expect("an ID")[0];
        // The position is set as if the clock had stepped back by an hour or by half a second, with
        // one ID left in the tick.
        for (ahead_ms, is_refused) in [(3_600_000_i64, true), (500, false)] {
            let ahead = format!(
                "SELECT setval('behind_position', ((extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1288834974657 + {ahead_ms}) << 12 | 4094)"
            );
            run(&mut connection, &ahead).await.expect("set");
            let in_the_tick = run(&mut connection, "SELECT behind()").await.expect("what the tick has left")[0];
            assert!(in_the_tick > last);
            match run(&mut connection, "SELECT behind()").await {
                Err(error) if is_refused => assert!(
                    error.to_string().contains("the clock is behind the last one, whose tick is over in 3"),
                    "{error}"
                ),
                answer => assert!(!is_refused && answer.expect("an ID")[0] > in_the_tick),
            }
        }
        // The lock was released.
        let mut another = connect().await;
        assert_eq!(run(&mut another, "SELECT behind()").await.expect("an ID").len(), 1);
    });
}

#[test]
fn a_used_up_tick_is_reported_with_the_time_left_and_not_as_a_clock_behind() {
    block_on(async {
        let mut connection = connect().await;
        let days = Layout::from_text("unused:1 timestamp:20@d,epoch=2020-01-01 node:4 sequence:8").expect("a layout");
        run(&mut connection, &days.postgres_function("of_days", 5).expect("a function")).await.expect("made");
        let error = run(&mut connection, "SELECT of_days()").await.expect_err("the first day is somebody else's");
        let text = error.to_string();
        assert!(text.contains("used up") && !text.contains("behind"), "{text}");
        let left_us: u64 = text
            .split("the next begins in ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next()?.parse().ok())
            .unwrap_or_else(|| panic!("{text}"));
        assert!((1..=86_400_000_000).contains(&left_us), "{text}");
        // The position is set as if a new day had begun: its IDs are available at once.
        let yesterday = "SELECT setval('of_days_position', last_value - 256) FROM of_days_position";
        run(&mut connection, yesterday).await.expect("set");
        assert_eq!(run(&mut connection, "SELECT of_days()").await.expect("an ID").len(), 1);
    });
}

#[test]
fn calls_that_are_cancelled_leave_no_lock() {
    block_on(async {
        let sql = Layout::TWITTER.postgres_function("cancelled", 5).expect("a function");
        run(&mut connect().await, &sql).await.expect("made");
        let sessions: Vec<_> = (0..8)
            .map(|session| {
                tokio::spawn(async move {
                    let mut connection = connect().await;
                    for round in 0..120 {
                        let timeout = if session % 2 == 0 { "statement" } else { "lock" };
                        let limit = format!("SET {timeout}_timeout = '{}ms'", 1 + (session + round) % 5);
                        let _ = run(&mut connection, &limit).await;
                        let _ = run(&mut connection, "SELECT max(cancelled()) FROM generate_series(1, 2000)").await;
                    }
                    connection
                })
            })
            .collect();
        let mut open = Vec::new();
        for session in sessions {
            open.push(session.await.expect("a session"));
        }
        // The sessions still exist, and would still hold their locks.
        let held = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE locktype = 'advisory' AND query LIKE '%cancelled()%'";
        assert_eq!(run(&mut connect().await, held).await.expect("a count"), [0]);
        let one = "SET statement_timeout = '30s'; SELECT cancelled()";
        assert_eq!(run(&mut connect().await, one).await.expect("an ID").len(), 1);
    });
}

#[test]
fn a_function_uses_its_own_schema_whatever_the_search_path_and_role_of_the_caller() {
    block_on(async {
        let mut connection = connect().await;
        let layout = Layout::TWITTER;
        for (schema, node) in [("tenant_1", 1), ("\"Tenant '2\"\"\"", 2)] {
            run(&mut connection, &format!("CREATE SCHEMA {schema}; SET search_path = {schema}")).await.expect("made");
            let sql = layout.postgres_function("tenant_id", node).expect("a function");
            run(&mut connection, &sql).await.expect("made");
        }
        let odd = "CREATE ROLE clerk; GRANT USAGE ON SCHEMA tenant_1 TO clerk; CREATE SCHEMA odd;
            CREATE FUNCTION odd.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT timestamptz '2030-01-01'$$;
            CREATE FUNCTION odd.setval(regclass, bigint) RETURNS bigint LANGUAGE sql AS $$SELECT 1::bigint$$";
        run(&mut connection, odd).await.expect("made");
        for (place, is_refused) in [
            ("SET search_path = tenant_1", false),
            ("SET search_path = \"Tenant '2\"\"\"", false),
            ("SET search_path = ''", false),
            ("SET search_path = odd, pg_catalog", false),
            ("RESET search_path; CREATE TEMP SEQUENCE tenant_id_position AS bigint MINVALUE 0 START 0", false),
            ("SET ROLE clerk", false),
            ("RESET ROLE; REVOKE EXECUTE ON FUNCTION tenant_1.tenant_id() FROM PUBLIC; SET ROLE clerk", true),
        ] {
            run(&mut connection, place).await.expect("set");
            let answer = run(&mut connection, "SELECT tenant_1.tenant_id()").await;
            assert_eq!(answer.is_err(), is_refused, "{place}: {answer:?}");
            let Ok(ids) = answer else { continue };
            let (tick, sequence) = positions(&layout, 1, &ids)[0];
            let counted = i64::try_from((tick << 12) | sequence).expect("a position");
            let last = run(&mut connect().await, "SELECT last_value FROM tenant_1.tenant_id_position").await;
            assert_eq!(last.expect("a position"), [counted], "{place}");
        }

        // A dump contains everything, and the script may run again, even for another node.
        let mut another = connect().await;
        let last = run(&mut another, "SELECT tenant_1.tenant_id()").await.expect("an ID");
        let dump = program("pg_dump").args(["--schema=tenant_1", "--inserts"]).arg(SERVER.url()).output();
        let dump = String::from_utf8(dump.expect("pg_dump runs").stdout).expect("text");
        // Lines that begin with a backslash are commands of psql.
        let dump: Vec<&str> = dump.lines().filter(|line| !line.starts_with('\\')).collect();
        run(&mut another, "DROP SCHEMA tenant_1 CASCADE").await.expect("dropped");
        run(&mut another, &dump.join("\n")).await.expect("put back");
        let first = run(&mut connect().await, "SELECT tenant_1.tenant_id()").await.expect("an ID");
        let again = layout.postgres_function("tenant_id", 3).expect("a function");
        run(&mut another, &format!("SET search_path = tenant_1; {again}")).await.expect("made again");
        let second = run(&mut another, "SELECT tenant_1.tenant_id()").await.expect("an ID");
        let [last, first] = [last, first].map(|ids| positions(&layout, 1, &ids));
        assert!(last < first && first < positions(&layout, 3, &second), "{last:?} {first:?} {second:?}");
    });
}

#[test]
fn another_layout_under_the_same_name_is_refused() {
    block_on(async {
        let mut connection = connect().await;
        let made = |layout: &Layout| layout.postgres_function("relaid", 5).expect("a function");
        run(&mut connection, &made(&Layout::TWITTER)).await.expect("made");
        run(&mut connection, &made(&Layout::DISCORD)).await.expect("nothing was handed out yet");
        run(&mut connection, "SELECT relaid()").await.expect("an ID");
        for known in [&Layout::DISCORD.to_string(), "what nobody knows"] {
            let error = run(&mut connection, &made(&Layout::TWITTER)).await.expect_err("another layout").to_string();
            assert!(error.contains("relaid_position counts for") && error.contains(known), "{error}");
            let ids = run(&mut connection, "SELECT relaid()").await.expect("an ID");
            positions(&Layout::DISCORD, 5, &ids);
            run(&mut connection, "COMMENT ON SEQUENCE relaid_position IS NULL").await.expect("set");
        }
    });
}

#[test]
fn a_sequence_that_is_dropped_and_made_again_repeats_nothing() {
    block_on(async {
        let mut connection = connect().await;
        let layout =
            Layout::from_text("unused:1 timestamp:36@100ms,epoch=2020-01-01 node:10 sequence:17").expect("a layout");
        let sql = layout.postgres_function("again", 11).expect("a function");
        run(&mut connection, &format!("{sql}; CREATE TABLE made_again (id bigint)")).await.expect("made");
        let is_over = Arc::new(AtomicBool::new(false));
        let sessions: Vec<_> = (0..8)
            .map(|_| {
                let is_over = is_over.clone();
                tokio::spawn(async move {
                    let mut connection = connect().await;
                    while !is_over.load(Relaxed) {
                        // The call fails while the sequence does not exist.
                        let _ = run(&mut connection, "INSERT INTO made_again VALUES (again())").await;
                    }
                })
            })
            .collect();
        let mut renewed = 0;
        while renewed < 40 {
            tokio::time::sleep(std::time::Duration::from_millis(120)).await;
            match run(&mut connection, &format!("BEGIN; DROP SEQUENCE again_position; {sql}; COMMIT")).await {
                Ok(_) => renewed += 1,
                Err(error) => {
                    assert!(error.to_string().contains("deadlock"), "{error}");
                    run(&mut connection, "ROLLBACK").await.expect("back");
                }
            }
        }
        is_over.store(true, Relaxed);
        for session in sessions {
            session.await.expect("a session");
        }
        let counts = "SELECT count(*) FROM made_again UNION ALL SELECT count(DISTINCT id) FROM made_again";
        let counts = run(&mut connection, &format!("{counts} ORDER BY 1")).await.expect("counts");
        assert!(counts[0] > 1_000 && counts.iter().all(|count| *count == counts[0]), "{counts:?}");
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
        // An open transaction with an ID blocks no other session.
        let mut open = connect().await;
        run(&mut open, "BEGIN; INSERT INTO orders (client) VALUES (99)").await.expect("inserted");
        let done = program("pgbench")
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
