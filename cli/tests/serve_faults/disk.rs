//! A store in a file, on a disk that is full or has become read-only.

use rustix::process::geteuid;
use serde_json::Value;
use std::collections::HashSet;
use std::fs::{self, Permissions};
use std::io::Write;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;
use tempfile::TempDir;

use crate::caller::{Answer, ask, get};
use crate::instance::{Instance, until};

const ACQUIRE: &str = "/v1/leases/orders/acquire";
const REQUEST: &str = r#"{"scheme":"orders","nodes":1,"ttl_us":600000000,"holder":"somebody"}"#;

fn config(store: &str) -> String {
    format!("store = \"{store}\"\n[schemes.orders]\nscheme = \"snowflake\"\nttl_s = 2\n")
}

/// Requests IDs and checks that they are new, or returns the error.
async fn generate(instance: &Instance, known: &mut HashSet<String>) -> Result<(), Answer> {
    let answer = ask(instance.address(), "POST", "/v1/schemes/orders/ids?count=1000", "").await.expect("it lives");
    if answer.status != 200 {
        return Err(answer);
    }
    for id in answer.json()["ids"].as_array().expect("IDs") {
        assert!(known.insert(id.as_str().expect("a text").to_owned()), "{id} came twice");
    }
    Ok(())
}

/// Returns another holder's lease from the store.
async fn lease_of_somebody(instance: &Instance) -> Value {
    let listing = get(instance.address(), "/v1/leases/orders").await.expect("an answer").json();
    let slots = listing["slots"].as_array().unwrap_or_else(|| panic!("no slots: {listing}"));
    slots.iter().find(|slot| slot["holder"] == "somebody").expect("the lease").clone()
}

/// Checks a service whose store becomes read-only, and writable again. `why` is the expected
/// message.
async fn cannot_write(instance: &mut Instance, why: &str, begin: impl FnOnce(), end: impl FnOnce()) {
    instance.ready().await;
    let mut known = HashSet::new();
    generate(instance, &mut known).await.expect("IDs");
    let granted = ask(instance.address(), "POST", ACQUIRE, REQUEST).await.expect("an answer");
    assert_eq!(granted.status, 200, "{}", granted.text());
    let before = lease_of_somebody(instance).await;

    begin();
    // The service issues until its lease ends, and then reports the reason.
    until("the end of its lease, and why", async || {
        let _ = generate(instance, &mut known).await;
        let (is_ready, reason) = instance.readiness().await;
        !is_ready && reason.contains(why)
    })
    .await;
    let refused = generate(instance, &mut known).await.expect_err("no lease");
    assert_eq!(refused.status, 503, "{}", refused.text());
    let refused = ask(instance.address(), "POST", ACQUIRE, REQUEST).await.expect("an answer");
    assert_eq!((refused.status, refused.code().as_str()), (503, "STORE_UNAVAILABLE"), "{}", refused.text());
    assert!(refused.text().contains(why), "{}", refused.text());
    instance.logs(why).await;
    assert_eq!(get(instance.address(), "/healthz").await.expect("an answer").status, 200);
    assert!(instance.log().len() < 100_000, "and no line for each request that is refused");

    end();
    instance.ready().await;
    generate(instance, &mut known).await.expect("IDs again, all of them new");
    assert_eq!(lease_of_somebody(instance).await, before, "nothing is lost");
    assert!(instance.end().success());
    assert!(instance.log().contains("released nodes"), "{}", instance.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_reported_and_nothing_is_lost() {
    // The starter mounts a private file system of 256 KiB.
    let unshare: &[&str] = if geteuid().is_root() { &["unshare", "-m"] } else { &["unshare", "-rm"] };
    let mount = ["sh", "-c", "mount -t tmpfs -o size=256k none /mnt && exec \"$@\"", "sh"];
    let mut instance = Instance::start_under(&[unshare, &mount].concat(), &config("sqlite:/mnt/ids.db"));
    let filler = instance.root("/mnt/filler");
    cannot_write(&mut instance, "is full", || fill(&filler), || fs::remove_file(&filler).expect("removed")).await;
}

/// Writes until the disk is full.
fn fill(path: &Path) {
    let mut file = fs::File::create(path).expect("a file");
    while file.write_all(&[0; 4_096]).is_ok() {}
    // The last bytes are filled too.
    while file.write_all(&[0]).is_ok() {}
}

/// A folder for a user without privileges, because root may write everywhere.
struct Guarded {
    folder: TempDir,
    starter: &'static [&'static str],
}

impl Guarded {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let is_root = geteuid().is_root();
        if is_root {
            const NOBODY: u32 = 65_534;
            chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("given away");
        }
        let starter: &[&str] =
            if is_root { &["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] } else { &[] };
        Guarded { folder, starter }
    }

    fn start(&self) -> Instance {
        Instance::start_under(self.starter, &self.config())
    }

    fn config(&self) -> String {
        config(&format!("sqlite:{}/ids.db", self.folder.path().display()))
    }

    fn let_write(&self, may: bool) {
        let (of_file, of_folder) = if may { (0o644, 0o755) } else { (0o444, 0o555) };
        let set = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("permissions");
        set(self.folder.path(), of_folder);
        set(&self.folder.path().join("ids.db"), of_file);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_becomes_read_only_is_reported_and_nothing_is_lost() {
    let guarded = Guarded::new();
    let mut instance = guarded.start();
    cannot_write(&mut instance, "cannot be written", || guarded.let_write(false), || guarded.let_write(true)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_without_a_lease_at_its_end_does_not_log_released_nodes() {
    let guarded = Guarded::new();
    let mut instance = guarded.start();
    instance.ready().await;
    guarded.let_write(false);
    until("the end of its lease", async || !instance.readiness().await.0).await;
    instance.end();
    assert!(!instance.log().contains("released nodes"), "{}", instance.log());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_instance_over_a_read_only_file_ends_with_a_remedy() {
    let guarded = Guarded::new();
    let mut instance = guarded.start();
    instance.ready().await;
    assert!(instance.end().success());
    guarded.let_write(false);
    let mut instance = guarded.start();
    assert_eq!(instance.wait().code(), Some(1));
    assert!(instance.log().contains("a file and a folder that may be written"), "{}", instance.log());
    guarded.let_write(true);
    guarded.start().ready().await;
}
