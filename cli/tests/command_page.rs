//! Runs the command lines of docs/command.md.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The service that a line starts, which runs until the end of the test.
struct Service(Child, String);

impl Service {
    /// Starts the service as the line does, but on a free port, and waits until it issues IDs.
    fn start(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on ").expect("where it listens").to_owned();
        let service = Service(child, address);
        let began = Instant::now();
        while !service.is_ready() {
            assert!(began.elapsed() < Duration::from_secs(60), "it is not ready");
            std::thread::sleep(Duration::from_millis(50));
        }
        service
    }

    fn is_ready(&self) -> bool {
        let mut answer = String::new();
        let mut stream = TcpStream::connect(&self.1).expect("it listens");
        let asked = write!(stream, "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        asked.and_then(|()| stream.read_to_string(&mut answer)).is_ok() && answer.starts_with("HTTP/1.1 200")
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_command_lines_of_the_page_run() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("docs/command.md")).expect("the page is there");
    let lines: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("    $ ")).collect();
    assert!(lines.len() >= 13, "the page shows the command: {lines:?}");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = std::path::PathBuf::from(env!("CARGO_BIN_EXE_saiban"));
    let path =
        format!("{}:{}", program.parent().expect("a folder").display(), std::env::var("PATH").unwrap_or_default());
    let shell = |line: &str| {
        let mut shell = Command::new("sh");
        // The command keeps the user's files in the test's folder.
        shell.args(["-c", line]).current_dir(&folder).env("PATH", &path).env("XDG_DATA_HOME", folder.path());
        shell
    };
    let mut service: Option<Service> = None;
    for line in lines {
        if line.starts_with("saiban serve") && !line.contains("--check") {
            let line = line.replace("saiban serve", "exec saiban serve --listen 127.0.0.1:0");
            service = Some(Service::start(shell(&line)));
            continue;
        }
        let address = service.as_ref().map_or("127.0.0.1:7609", |service| &service.1);
        let output = shell(&line.replace("127.0.0.1:7609", address)).output().expect("a shell starts");
        // Output that is not shown was written to a file.
        let shown = match line.rsplit_once("-o ") {
            Some((_, file)) if output.stdout.is_empty() => std::fs::read(folder.path().join(file)).expect("a file"),
            _ => output.stdout.clone(),
        };
        let is_refused = shown.starts_with(b"{\"error\"");
        assert!(output.status.success() && !shown.is_empty() && !is_refused, "{line}: {output:?}");
    }
    assert!(service.is_some(), "the page shows the service");
}
