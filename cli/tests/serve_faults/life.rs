//! How a service starts and ends.

use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::caller::{self, ask, get};
use crate::instance::{Instance, command, until};
use crate::servers::Server;
use crate::worker::open;

const BODY: &str = r#"{"ids":["1234567890123456789"]}"#;

/// Begins a request: sends its head and half of its body.
async fn begin(address: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let length = BODY.len();
    let head = format!(
        "POST /v1/inspect HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.expect("a head");
    stream.write_all(&BODY.as_bytes()[..length / 2]).await.expect("half a body");
    stream
}

async fn finish(stream: &mut TcpStream) -> String {
    let _ = stream.write_all(&BODY.as_bytes()[BODY.len() / 2..]).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn requests_in_flight_at_the_end_are_answered() {
    let mut instance = Instance::start("");
    instance.ready().await;
    let address = instance.address();
    let mut requests = Vec::new();
    for _ in 0..20 {
        requests.push(begin(address).await);
    }
    until("all requests", async || instance.metric("saiban_requests_in_flight").await >= 21.0).await;
    let mut ids = caller::ids(address).await.expect("a connection");
    let mut stream = open(&mut ids, "snowflake", 100).await.expect("a stream");
    stream.message().await.expect("a batch");
    let mut idle = TcpStream::connect(address).await.expect("a connection");
    idle.write_all(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n").await.expect("a request");
    let mut answer = [0; 1_024];
    assert!(idle.read(&mut answer).await.expect("an answer") > 0);

    instance.signal("TERM");
    // New connections are refused, idle ones are closed, and streams end with a hint to use another
    // instance.
    until("an end of accepting", async || TcpStream::connect(address).await.is_err()).await;
    assert_eq!(idle.read(&mut answer).await.ok(), Some(0), "an idle connection is closed");
    let status = loop {
        match stream.message().await {
            Ok(Some(_)) => {}
            Ok(None) => panic!("a stream does not end as if it were all"),
            Err(status) => break status,
        }
    };
    assert!(status.message().contains("ending: ask another instance"), "{status}");
    for request in &mut requests {
        let answer = finish(request).await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n") && answer.contains("candidates"), "{answer}");
    }
    assert!(instance.wait().success());
    assert!(instance.log().contains("released nodes"), "{}", instance.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shutdown_keeps_its_time_limit_and_a_second_signal_ends_it_at_once() {
    let mut instance =
        Instance::start("[limits]\nshutdown_timeout_s = 1\nbody_timeout_s = 600\nrequest_timeout_s = 600\n");
    instance.ready().await;
    let _request = begin(instance.address()).await;
    until("the request", async || instance.metric("saiban_requests_in_flight").await >= 2.0).await;
    assert!(instance.end().success());
    let log = instance.log();
    assert!(log.contains("connections were still open") && log.contains("released nodes"), "{log}");

    let patient = "[limits]\nshutdown_timeout_s = 600\nbody_timeout_s = 600\nrequest_timeout_s = 600\n";
    let mut instance = Instance::start(patient);
    instance.ready().await;
    let address = instance.address();
    let _request = begin(address).await;
    until("the request", async || instance.metric("saiban_requests_in_flight").await >= 2.0).await;
    instance.signal("INT");
    until("an end of accepting", async || TcpStream::connect(address).await.is_err()).await;
    instance.signal("TERM");
    let status = instance.wait();
    assert_eq!((status.code(), status.signal()), (Some(1), None));
    let log = instance.log();
    assert!(log.contains("ended at once") && !log.contains("released nodes"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_port_in_use_is_reported_and_no_node_is_leased() {
    let other = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = other.local_addr().expect("an address");
    let ended = Instance::try_start(&[], &format!("listen = [\"{address}\"]\n")).err().expect("an end");
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.log.contains(&address.to_string()) && ended.log.contains("in use"), "{}", ended.log);
    assert!(!ended.log.contains("leased"), "{}", ended.log);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_service_starts_while_its_store_is_down_and_is_ready_when_the_store_is() {
    let mut server = Server::start("etcd");
    server.order("kill");
    let config = format!("store = \"{}\"\n[schemes.orders]\nscheme = \"snowflake\"\ncreate = true\n", server.url());
    let mut instance = Instance::start(&config);
    until("why it is not ready", async || instance.readiness().await.1.contains(server.address())).await;
    assert!(!instance.readiness().await.0);
    assert_eq!(get(instance.address(), "/healthz").await.expect("an answer").status, 200);
    let refused = ask(instance.address(), "POST", "/v1/schemes/orders/ids", "").await.expect("an answer");
    assert_eq!((refused.status, refused.code().as_str()), (503, "STORE_UNAVAILABLE"));
    instance.logs("no lease yet").await;
    server.order("start");
    instance.ready().await;
    let answer = ask(instance.address(), "POST", "/v1/schemes/orders/ids", "").await.expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    // A waiting service ends at the first signal.
    server.order("kill");
    assert!(instance.end().success());
    let mut waiting = Instance::start(&config);
    until("why it is not ready", async || waiting.readiness().await.1.contains(server.address())).await;
    assert!(waiting.end().success());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_service_over_a_store_without_the_namespace_ends_with_a_remedy() {
    let server = Server::start("etcd");
    let config = format!("store = \"{}\"\n[schemes.orders]\nscheme = \"snowflake\"\n", server.url());
    let mut instance = Instance::start(&config);
    assert_eq!(instance.wait().code(), Some(2));
    let log = instance.log();
    assert!(log.contains("no namespace \"orders\"") && log.contains("saiban lease init"), "{log}");
    // An operator creates the namespace with the command in the message.
    let folder = tempfile::tempdir().expect("a folder");
    let init = ["lease", "init", "--store", server.url(), "--namespace", "orders"];
    let made = std::process::Command::new(env!("CARGO_BIN_EXE_saiban"))
        .args(init)
        .env("HOME", folder.path())
        .output()
        .expect("the command");
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let instance = Instance::start(&config);
    instance.ready().await;
}

/// Mistakes are reported before anything is served: by their key, with the remedy.
#[test]
fn an_invalid_configuration_is_refused_by_check_and_by_the_service() {
    const SNOWFLAKE: &str = "[schemes.orders]\nscheme = \"snowflake\"\n";
    let of_scheme = |more: &str| format!("{SNOWFLAKE}{more}\n");
    let wrong: &[(String, &[&str])] = &[
        ("listen = []".into(), &["listen names no address"]),
        ("listen = [\"localhost\"]".into(), &["listen", "localhost"]),
        ("listen = [\"0.0.0.0:0\"]".into(), &["0.0.0.0:0", "tokens"]),
        ("lissten = 3".into(), &["lissten"]),
        ("store = 3".into(), &["store"]),
        ("store = \"memory:\"".into(), &["memory:", "belongs to one process"]),
        ("store = \"saiban://127.0.0.1\"".into(), &["another saiban serve"]),
        ("store = \"ftp://127.0.0.1\"".into(), &["ftp"]),
        ("store = \"sqlite:a\"\nstore_file = \"b\"".into(), &["store and store_file are both given"]),
        ("store_file = \"/nowhere/url\"".into(), &["/nowhere/url"]),
        ("[schemes.\"a b\"]\nscheme = \"ulid\"".into(), &["\"a b\" cannot name a scheme"]),
        ("[schemes.a]".into(), &["scheme"]),
        ("[schemes.a]\nscheme = \"sonyflakes\"".into(), &["schemes.a", "sonyflakes"]),
        (of_scheme("layout = \"timestamp:80\""), &["schemes.orders", "80"]),
        (of_scheme("nodes = 0"), &["schemes.orders", "nodes"]),
        (of_scheme("nodes = 2000"), &["schemes.orders", "nodes"]),
        (of_scheme("ttl_s = 0"), &["schemes.orders", "ttl_s"]),
        (of_scheme("namespace = \"a b\""), &["schemes.orders", "a b"]),
        (of_scheme("rollback = \"never\""), &["schemes.orders", "never"]),
        (of_scheme("secret_file = \"/nowhere/secret\""), &["schemes.orders", "/nowhere/secret"]),
        ("[schemes.a]\nscheme = \"ulid\"\nnodes = 3".into(), &["schemes.a", "leave them out"]),
        ("[schemes.a]\nscheme = \"randflake\"".into(), &["schemes.a", "secret_file"]),
        ("[schemes.a]\nscheme = \"flake\"".into(), &["schemes.a", "layout"]),
        ("[limits]\nmax_connections = 0".into(), &["limits.max_connections is 0", "1 to 1000000"]),
        ("[limits]\nheader_timeout_s = 100000".into(), &["limits.header_timeout_s", "86400"]),
        ("[limits]\nmax_batch = -1".into(), &["max_batch"]),
        ("[log]\nlevel = \"loud\"".into(), &["loud"]),
        ("[tls]\ncertificate_file = \"/nowhere/a\"\nkey_file = \"/nowhere/b\"".into(), &["/nowhere/a"]),
        ("[[tokens]]\nname = \"a\"\nscopes = [\"generate\"]".into(), &["token"]),
        ("[[tokens]]\nname = \"a\"\nscopes = [\"all\"]\ntoken_sha256 = \"00\"".into(), &["a"]),
        ("[[tokens]]\nname = \"a\"\nscopes = [\"lease\"]\ntoken_file = \"/nowhere/token\"".into(), &["/nowhere/token"]),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    for (config, words) in wrong {
        for check in [&["--check"][..], &[]] {
            let output = command(&[], &folder, config).args(check).output().expect("the command");
            let text = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{config}: {text}");
            assert_eq!(text.lines().count(), 1, "{config}: {text}");
            for word in *words {
                assert!(text.contains(word), "{config}: {word:?} is not in {text}");
            }
            assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{config}");
        }
    }
    let right = of_scheme("layout = \"twitter\"\nnodes = 4\nttl_s = 60");
    let output = command(&[], &folder, &right).arg("--check").output().expect("the command");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && text.contains("scheme orders: snowflake, layout unused:1 timestamp:41"),
        "{text}"
    );
}
