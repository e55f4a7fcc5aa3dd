//! The servers, each in a process of its own on a free port of the loopback interface. They end
//! with this program, even if it is killed.

use crate::client::Service;
use crate::failure::Failure;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const START: Duration = Duration::from_secs(20);

/// The workers of ferroid, as in its README. Each makes at most 4096 IDs a millisecond.
const WORKERS: &str = "16";

/// The nodes of saiban's scheme. At these rates, neither saiban nor ferroid uses up a tick.
const NODES: u32 = 64;

pub struct Served {
    pub service: Service,
    pub address: SocketAddr,
    process: Child,
}

impl Served {
    /// Returns the CPU time that the server has used so far, in steps of 10 ms.
    pub fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap_or_default();
        // The program's name, in parentheses, may contain spaces. User and system time are the 12th
        // and 13th word after it.
        let words = stat.rsplit_once(") ").map_or("", |(_, rest)| rest).split(' ').skip(11).take(2);
        let ticks: u64 = words.filter_map(|word| word.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The paths of the programs.
pub struct Programs {
    pub saiban: String,
    pub ferroid: String,
}

/// Starts the requested servers; `folder` contains their files.
pub fn start(programs: &Programs, folder: &Path, is_wanted: impl Fn(Service) -> bool) -> Result<Vec<Served>, Failure> {
    let all = [Service::Saiban, Service::Ferroid, Service::FerroidOfMany, Service::Redis];
    let start = |service| match service {
        Service::Saiban => saiban(&programs.saiban, folder),
        Service::Ferroid => ferroid(&programs.ferroid, service, &[]),
        Service::FerroidOfMany => ferroid(&programs.ferroid, service, &["--num-workers", WORKERS]),
        Service::Redis => redis(folder),
    };
    all.into_iter().filter(|service| is_wanted(*service)).map(start).collect()
}

fn saiban(program: &str, folder: &Path) -> Result<Served, Failure> {
    let address = free()?;
    let file = folder.join("saiban.toml");
    let store = folder.join("ids.db");
    std::fs::write(
        &file,
        format!(
            "listen = [\"{address}\"]\nstore = \"sqlite:{}\"\n[schemes.orders]\nscheme = \"snowflake\"\nnodes = {NODES}\n[log]\nlevel = \"warn\"\n",
            store.display()
        ),
    )?;
    run(
        Service::Saiban,
        address,
        Command::new("setpriv").args(["--pdeathsig=KILL", program, "serve", "--config"]).arg(&file),
    )
}

fn ferroid(program: &str, service: Service, more: &[&str]) -> Result<Served, Failure> {
    let address = free()?;
    let address_text = address.to_string();
    let words = ["--pdeathsig=KILL", program, "--server-addr", &address_text];
    run(service, address, Command::new("setpriv").args(words).args(more))
}

/// Redis writes nothing to the disk, because persistence would slow it down.
fn redis(folder: &Path) -> Result<Served, Failure> {
    let address = free()?;
    let port = address.port().to_string();
    let words = [
        "--pdeathsig=KILL",
        "redis-server",
        "--bind",
        "127.0.0.1",
        "--port",
        &port,
        "--save",
        "",
        "--appendonly",
        "no",
    ];
    run(Service::Redis, address, Command::new("setpriv").args(words).arg("--dir").arg(folder))
}

fn run(service: Service, address: SocketAddr, command: &mut Command) -> Result<Served, Failure> {
    let process = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let mut served = Served { service, address, process };
    let begun = Instant::now();
    while !answers(service, address) {
        if let Some(status) = served.process.try_wait()? {
            return Err(format!("{command:?} ended: {status}").into());
        }
        if begun.elapsed() > START {
            return Err(format!("{command:?} does not answer at {address}").into());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(served)
}

/// Returns whether the server is ready. saiban may listen before it has nodes.
fn answers(service: Service, address: SocketAddr) -> bool {
    let Ok(mut stream) = TcpStream::connect(address) else { return false };
    if service != Service::Saiban {
        return true;
    }
    let mut answer = String::new();
    let asked =
        stream.write_all(format!("GET /readyz HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes());
    asked.is_ok() && stream.read_to_string(&mut answer).is_ok() && answer.starts_with("HTTP/1.1 200")
}

fn free() -> Result<SocketAddr, Failure> {
    Ok(TcpListener::bind("127.0.0.1:0")?.local_addr()?)
}
