//! Keeps the cores from sleeping: one loop at idle priority for each core.

use crate::failure::Failure;
use std::process::{Child, Command, Stdio};
use std::thread::available_parallelism;
use std::time::Duration;

/// The time that the loops need to start.
const BEGIN: Duration = Duration::from_millis(50);

/// The loops end when this is dropped, or when the program ends.
pub struct Awake(Vec<Child>);

impl Awake {
    pub async fn keep() -> Result<Self, Failure> {
        let cores = available_parallelism()?.get();
        let mut awake = Awake(Vec::with_capacity(cores));
        for _ in 0..cores {
            let mut command = Command::new("setpriv");
            command.args(["--pdeathsig=KILL", "chrt", "--idle", "0", "sh", "-c", "while :; do :; done"]);
            awake.0.push(command.stdin(Stdio::null()).spawn()?);
        }
        tokio::time::sleep(BEGIN).await;
        Ok(awake)
    }
}

impl Drop for Awake {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
