//! IDs that Redis and PostgreSQL make with saiban's scripts, on real servers: the bits match the
//! core's, and no ID repeats.

mod servers;

use redis::{Connection, RedisResult, Script};
use saiban::Layout;
use servers::Server;
use std::collections::HashSet;
use std::sync::LazyLock;

static REDIS: LazyLock<Server> = LazyLock::new(|| Server::start("redis"));

const NOW_US: i64 = 1_795_305_600_123_000;

fn connect(server: &Server) -> Connection {
    redis::Client::open(server.url()).and_then(|client| client.get_connection()).expect("a connection")
}

fn node(connection: &mut Connection, key: &str, node: i64) {
    redis::cmd("HSET").arg(key).arg("node").arg(node).query::<()>(connection).expect("set");
}

/// Returns IDs of this time, or the script's error.
fn ids(
    connection: &mut Connection,
    script: &str,
    key: &str,
    count: i64,
    now_us: Option<i64>,
) -> Result<Vec<i64>, String> {
    let script = Script::new(script);
    let mut call = script.key(key);
    call.arg(count);
    if let Some(now_us) = now_us {
        call.arg(now_us);
    }
    let answer: RedisResult<Vec<String>> = call.invoke(connection);
    answer
        .map(|texts| texts.iter().map(|text| text.parse().expect("a number")).collect())
        .map_err(|error| error.to_string())
}

/// Layouts of all shapes: fields in other orders, constants, ticks of all lengths, with and without
/// the sign bit.
const LAYOUTS: [&str; 9] = [
    "twitter",
    "discord",
    "instagram",
    "sonyflake",
    "timestamp:42@s,epoch=1970-01-01 sequence:10 node:12",
    "node:6 timestamp:40@10ms,epoch=2000-01-01 constant:4,value=11 sequence:14",
    "constant:8,value=255 timestamp:41,epoch=2020-02-02 node.a:3 node.b:2 sequence:10",
    "timestamp:30@min,epoch=2026-01-01 node:2 sequence:3",
    "timestamp:52@us,epoch=2026-01-01 node:4 sequence:8",
];

fn layout(text: &str) -> Layout {
    Layout::preset(text).or_else(|_| Layout::from_text(text)).expect("a layout")
}

#[test]
fn a_script_makes_the_bits_that_the_core_makes() {
    let mut connection = connect(&REDIS);
    for text in LAYOUTS {
        let layout = layout(text);
        let script = layout.redis_script().expect("a script");
        let max_node = i64::try_from(layout.max_node()).expect("a small number");
        for of in [0, 1, max_node] {
            let key = format!("bits {text} {of}");
            node(&mut connection, &key, of);
            let first =
                ids(&mut connection, &script, &key, 1, Some(NOW_US)).expect_err("the first tick is somebody else's");
            assert!(first.contains("SAIBAN_WAIT"), "{first}");
            let tick_us = i64::try_from(layout.tick_us()).expect("a small number");
            let now_us = NOW_US + 1_000 * tick_us;
            let most = i64::try_from(layout.max_counter().min(4_095)).expect("a small number") + 1;
            let made = ids(&mut connection, &script, &key, most, Some(now_us)).expect("IDs");
            let tick = layout.tick_at_ns(now_us as u64 * 1_000).expect("a tick");
            let expected: Vec<i64> = (0..most)
                .map(|sequence| {
                    let id = layout.compose_ms(layout.tick_start_ms(tick), of, sequence).expect("an ID");
                    assert_eq!(layout.split(id).expect("its fields").tick, tick, "{text}: times in ms tell this tick");
                    id
                })
                .collect();
            assert_eq!(made, expected, "{text}, node {of}");
        }
    }
}

/// A script as articles show it: it uses only Lua's numbers, and does not round milliseconds down.
const IN_DOUBLES: &str = "
local now_us, tick, sequence = tonumber(ARGV[2]), redis.call('HGET', KEYS[1], 'tick'), 0
local now = now_us / 1000
if tick and tonumber(tick) == now then
  sequence = redis.call('HINCRBY', KEYS[1], 'sequence', 1) % 4096
else
  redis.call('HSET', KEYS[1], 'tick', now, 'sequence', 0)
end
return (now - 1288834974657) * 4194304 + redis.call('HGET', KEYS[1], 'node') * 4096 + sequence
";

#[test]
fn a_tick_has_4096_distinct_ids_where_arithmetic_in_doubles_has_about_17() {
    let mut connection = connect(&REDIS);
    node(&mut connection, "doubles", 5);
    let script = Script::new(IN_DOUBLES);
    let in_doubles: HashSet<i64> = (0..4_096)
        .map(|_| script.key("doubles").arg(1).arg(NOW_US + 123).invoke(&mut connection).expect("a number"))
        .collect();
    assert!((2..=32).contains(&in_doubles.len()), "{} distinct", in_doubles.len());
    eprintln!("numbers in doubles: {} of 4096 distinct", in_doubles.len());

    let ours = Layout::TWITTER.redis_script().expect("a script");
    node(&mut connection, "ours", 5);
    ids(&mut connection, &ours, "ours", 1, Some(NOW_US - 1_000)).expect_err("the first tick is somebody else's");
    let mut made = HashSet::new();
    for _ in 0..4_096 {
        made.extend(ids(&mut connection, &ours, "ours", 1, Some(NOW_US + 123)).expect("an ID"));
    }
    assert_eq!(made.len(), 4_096);
    let error = ids(&mut connection, &ours, "ours", 1, Some(NOW_US + 123)).expect_err("all are used");
    assert!(error.contains("SAIBAN_WAIT") && error.contains("877 the IDs of this tick are used up"), "{error}");
    let next = ids(&mut connection, &ours, "ours", 5_000, Some(NOW_US + 1_000)).expect("the next tick");
    assert_eq!(next.len(), 4_096, "as many as the tick has");
    assert!(next.iter().all(|id| made.insert(*id)));
}

#[test]
fn a_clock_that_steps_back_repeats_nothing_and_is_waited_for_when_the_tick_is_used_up() {
    let mut connection = connect(&REDIS);
    let script = Layout::TWITTER.redis_script().expect("a script");
    node(&mut connection, "back", 5);
    ids(&mut connection, &script, "back", 1, Some(NOW_US - 1_000)).expect_err("the first tick is somebody else's");
    let mut made = ids(&mut connection, &script, "back", 4_000, Some(NOW_US)).expect("IDs");
    made.extend(
        ids(&mut connection, &script, "back", 4_096, Some(NOW_US - 3_600_000_000)).expect("what the tick has left"),
    );
    assert_eq!(made.len(), 4_096);
    assert!(made.is_sorted_by(|a, b| a < b));
    let error = ids(&mut connection, &script, "back", 1, Some(NOW_US - 3_600_000_000)).expect_err("an hour behind");
    assert!(error.contains("SAIBAN_WAIT 3600001000 the clock is behind") || error.contains("3600001000"), "{error}");
    assert!(ids(&mut connection, &script, "back", 1, Some(NOW_US + 1_000)).expect("an ID")[0] > made[4_095]);
}

#[test]
fn a_key_is_for_one_layout_and_for_no_tick_past_its_last() {
    let mut connection = connect(&REDIS);
    let (twitter, seconds) = (Layout::TWITTER, layout("unused:1 timestamp:31@s,epoch=2020-01-01 node:10 sequence:22"));
    let [of_twitter, of_seconds] = [&twitter, &seconds].map(|layout| layout.redis_script().expect("a script"));
    node(&mut connection, "relaid", 5);
    ids(&mut connection, &of_twitter, "relaid", 1, Some(NOW_US)).expect_err("the first tick is somebody else's");
    for (known, later) in [(twitter.to_string().as_str(), 10), ("that nobody knows", 20)] {
        let error = ids(&mut connection, &of_seconds, "relaid", 1, Some(NOW_US)).expect_err("another layout");
        assert!(error.contains("SAIBAN_LAYOUT") && error.contains(known) && error.contains("another key"), "{error}");
        if later == 10 {
            let made = ids(&mut connection, &of_twitter, "relaid", 1, Some(NOW_US + 10_000)).expect("an ID");
            assert_eq!(twitter.split(made[0]).expect("an ID of it").node, 5);
            redis::cmd("HDEL").arg("relaid").arg("layout").query::<()>(&mut connection).expect("deleted");
        }
    }
    node(&mut connection, "past", 5);
    ids(&mut connection, &of_twitter, "past", 1, Some(NOW_US)).expect_err("the first tick is somebody else's");
    let set = redis::cmd("HSET").arg("past").arg("tick").arg(1_u64 << 41).arg("next").arg(0).query(&mut connection);
    let () = set.expect("set");
    let error = ids(&mut connection, &of_twitter, "past", 1, Some(NOW_US)).expect_err("no tick of the layout");
    assert!(error.contains("SAIBAN_TIME") && error.contains("2199023255552"), "{error}");
}

#[test]
fn one_call_has_4096_ids_at_most() {
    let mut connection = connect(&REDIS);
    let layout = layout("unused:1 timestamp:31@s,epoch=2020-01-01 node:10 sequence:22");
    let script = layout.redis_script().expect("a script");
    node(&mut connection, "many", 5);
    ids(&mut connection, &script, "many", 1, Some(NOW_US)).expect_err("the first tick is somebody else's");
    for _ in 0..2 {
        let made = ids(&mut connection, &script, "many", i64::MAX, Some(NOW_US + 1_000_000)).expect("IDs");
        assert_eq!(made.len(), 4_096);
    }
}

/// The server restarts as after `kill -9` without an append-only file, and has lost the IDs of this
/// tick.
#[test]
fn a_restarted_server_begins_with_the_next_tick_where_ticks_are_long() {
    let mut server = Server::start("redis");
    let minutes = layout("unused:1 timestamp:30@min,epoch=2020-01-01 node:10 sequence:22");
    let script = minutes.redis_script().expect("a script");
    node(&mut connect(&server), "minutes", 5);
    let take = |server: &Server, minute: i64| {
        ids(&mut connect(server), &script, "minutes", 3, Some(NOW_US + minute * 60_000_000))
    };
    take(&server, 0).expect_err("the first tick is somebody else's");
    let mut made = take(&server, 1).expect("IDs");
    server.order("save a");
    take(&server, 1).expect_err("another process");
    made.extend(take(&server, 2).expect("IDs"));
    made.extend(take(&server, 2).expect("IDs, of the same process"));
    server.order("rewind a");
    for behind in [2, 1] {
        let error = take(&server, behind).expect_err("what was done in this tick is lost");
        assert!(error.contains("SAIBAN_WAIT"), "{error}");
    }
    made.extend(take(&server, 3).expect("IDs"));
    assert_eq!(made.len(), 12);
    assert!(made.is_sorted_by(|a, b| a < b));
}

#[test]
fn invalid_nodes_counts_times_and_keys_are_refused_with_a_remedy() {
    let mut connection = connect(&REDIS);
    let script = Layout::TWITTER.redis_script().expect("a script");
    let refused = |connection: &mut Connection, key: &str, count: &str, time: &str| {
        let answer: RedisResult<Vec<String>> = Script::new(&script).key(key).arg(count).arg(time).invoke(connection);
        answer.expect_err("a refusal").to_string()
    };
    let now = NOW_US.to_string();
    assert!(refused(&mut connection, "unset", "1", &now).contains("not set: HSET unset node N, of 0 to 1023"));
    for wrong in ["1024", "-1", "1.5", "five"] {
        redis::cmd("HSET").arg("wrong").arg("node").arg(wrong).query::<()>(&mut connection).expect("set");
        assert!(refused(&mut connection, "wrong", "1", &now).contains(wrong));
    }
    node(&mut connection, "right", 5);
    for wrong in ["0", "-1", "1.5", "many"] {
        assert!(
            refused(&mut connection, "right", wrong, &now).contains(&format!("is {wrong}: give 1 or more")),
            "{wrong}"
        );
    }
    for time in ["0", "1288834974656999", "3488000000000000"] {
        assert!(refused(&mut connection, "right", "1", time).contains("SAIBAN_TIME"), "{time}");
    }
    for text in [
        "timestamp:41 random:20",
        "timestamp:41 node:10",
        "timestamp:48 sequence:16",
        "timestamp:48 random:80",
        "timestamp:53 node:5 sequence:5",
        "timestamp:41 node:10 rollback:2 sequence:10",
    ] {
        let error = Layout::from_text(text).expect("a layout").redis_script().expect_err("no script of it");
        assert!(error.to_string().contains("made of time, node and sequence"), "{text}: {error}");
    }
    for name in ["", "Ids", "1ids", "ids'", "a b", &"n".repeat(49)] {
        assert!(
            Layout::TWITTER.redis_library(name).is_err() && Layout::TWITTER.postgres_function(name, 1).is_err(),
            "{name:?}"
        );
    }
    assert!(Layout::TWITTER.postgres_function("ids", 1_024).expect_err("no node").to_string().contains("1024"));
}

#[test]
fn a_redis_function_makes_the_ids_of_the_script() {
    let mut connection = connect(&REDIS);
    let library = Layout::TWITTER.redis_library("saiban_snowflake").expect("a library");
    redis::cmd("FUNCTION").arg("LOAD").arg("REPLACE").arg(&library).query::<String>(&mut connection).expect("loaded");
    node(&mut connection, "function", 7);
    let call = |connection: &mut Connection, time: i64| -> RedisResult<Vec<String>> {
        redis::cmd("FCALL").arg("saiban_snowflake").arg(1).arg("function").arg(2).arg(time).query(connection)
    };
    call(&mut connection, NOW_US - 1_000).expect_err("the first tick is somebody else's");
    let made = call(&mut connection, NOW_US).expect("IDs");
    let expected: Vec<String> = (0..2)
        .map(|sequence| Layout::TWITTER.compose_ms(NOW_US / 1_000, 7, sequence).expect("an ID").to_string())
        .collect();
    assert_eq!(made, expected);
}

/// Requests IDs repeatedly, and checks that each is greater than the previous one.
fn ask(url: &str, script: &str, key: &str, many: usize) -> Vec<i64> {
    let client = redis::Client::open(url).expect("a URL");
    let mut connection = client.get_connection().expect("a connection");
    let mut made: Vec<i64> = Vec::with_capacity(many);
    let mut waits = 0;
    while made.len() < many {
        match ids(&mut connection, script, key, 1_000.min((many - made.len()) as i64), None) {
            Ok(some) => made.extend(some),
            Err(error) => {
                let wait = error.split("SAIBAN_WAIT").nth(1).map(|rest| rest.trim_start_matches(['"', ':', ' ']));
                let wait_us =
                    wait.and_then(|rest| rest.split(' ').next()?.parse().ok()).unwrap_or_else(|| panic!("{error}"));
                std::thread::sleep(std::time::Duration::from_micros(wait_us));
                waits += 1;
                assert!(waits < 100_000, "{key}: {error}");
            }
        }
    }
    assert!(made.is_sorted_by(|a, b| a < b), "{key}");
    made
}

fn server_time(server: &Server) -> i64 {
    let (seconds, _): (i64, i64) = redis::cmd("TIME").query(&mut connect(server)).expect("a time");
    seconds
}

#[test]
fn eight_clients_and_a_server_whose_clock_is_set_back_at_each_restart_have_each_id_once() {
    // 250,000 rounds are the eight million IDs in docs/numbers.md.
    let each = std::env::var("SAIBAN_TEST_IDS").map_or(40_000, |count| count.parse().expect("a number"));
    let folder = tempfile::tempdir().expect("a folder");
    let (clock, library) = (folder.path().join("clock"), folder.path().join("clock.so"));
    std::fs::write(&clock, "0").expect("written");
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/servers/clock.c");
    let compiled = std::process::Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", source, "-o"])
        .arg(&library)
        .status();
    assert!(compiled.expect("a C compiler").success());
    let environment = [format!("LD_PRELOAD={}", library.display()), format!("SAIBAN_TEST_CLOCK={}", clock.display())];
    let mut server = Server::start_in("redis", &environment);
    let script = Layout::TWITTER.redis_script().expect("a script");
    for key in [3, 4] {
        node(&mut connect(&server), &key.to_string(), key);
    }
    let mut all = Vec::new();
    let mut last = 0;
    for step in 0..4 {
        let url = server.url().to_owned();
        let made: Vec<Vec<i64>> = std::thread::scope(|scope| {
            let clients = [3, 3, 3, 3, 4, 4, 4, 4].map(|key| (key.to_string(), url.clone()));
            let clients = clients.map(|(key, url)| {
                let script = &script;
                scope.spawn(move || ask(&url, script, &key, each))
            });
            clients.into_iter().map(|client| client.join().expect("a client")).collect()
        });
        assert!(made.iter().all(|ids| ids[0] > last), "later than before the restart");
        last = made.iter().filter_map(|ids| ids.last()).copied().min().expect("IDs");
        all.extend(made.into_iter().flatten());
        std::fs::write(&clock, format!("-{}", 3 * (step + 1))).expect("written");
        let before = server_time(&server);
        server.order("restart");
        assert!(server_time(&server) < before, "it was set back");
    }
    let count = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!((count, all.len()), (8 * 4 * each, 8 * 4 * each));
    assert!(all.iter().all(|id| matches!(Layout::TWITTER.split(*id).expect("an ID").node, 3 | 4)));
}
