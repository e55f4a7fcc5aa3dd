//! Three instances over one store. Their clients survive faults without long pauses and without a
//! repeated ID.
//!
//! `SAIBAN_FAULT_ROUNDS=10 cargo test -p saiban-cli --test serve_faults fleet -- --nocapture` runs
//! longer, and prints the longest gaps.

use std::time::{Duration, Instant};
use tempfile::TempDir;

use crate::caller::ask;
use crate::door::{Proxy, Way};
use crate::instance::{Instance, until};
use crate::leases::{Watch, of_randflakes, of_snowflakes};
use crate::servers::Server;
use crate::worker::{Kind, Worker};

/// The duration of the instances' leases, in seconds.
const TTL_S: u64 = 3;

/// The longest time that a client may be without IDs.
const MAX: Duration = Duration::from_secs(10);

const SECRET: &str = "000102030405060708090a0b0c0d0e0f";

/// An instance, and the proxies to it and from it.
struct Member {
    instance: Instance,
    config: String,
    /// The proxy before the instance, for its clients.
    front: Proxy,
    /// The proxy before the store, for the instance.
    back: Proxy,
}

struct Fleet {
    server: Server,
    members: Vec<Member>,
    watch: Watch,
    workers: Vec<Worker>,
    /// The longest gap of each client, by fault.
    gaps: Vec<(String, Duration)>,
    /// IDs that only this test received.
    others: Vec<i64>,
    _folder: TempDir,
}

impl Fleet {
    async fn start(kind: &str) -> Self {
        let server = Server::start(kind);
        let folder = tempfile::tempdir().expect("a folder");
        let secret = folder.path().join("secret");
        std::fs::write(&secret, SECRET).expect("a file");
        let store = server.address().parse().expect("an address");
        let mut members = Vec::new();
        for _ in 0..3 {
            let back = Proxy::before(store).await;
            let url = server.url().replace(server.address(), &back.address().to_string());
            let config = format!(
                "store = \"{url}\"\n\
                [schemes.orders]\nscheme = \"snowflake\"\nttl_s = {TTL_S}\ncreate = true\n\
                [schemes.public]\nscheme = \"randflake\"\nsecret_file = \"{}\"\nttl_s = {TTL_S}\ncreate = true\n",
                secret.display()
            );
            let instance = Instance::start(&config);
            let front = Proxy::before(instance.address()).await;
            members.push(Member { instance, config, front, back });
        }
        for member in &members {
            member.instance.ready().await;
        }
        let watch = Watch::of(server.url(), &["orders", "public"]);
        let doors: Vec<_> = members.iter().map(|member| member.front.address()).collect();
        let kinds = [
            (Kind::Json, "orders"),
            (Kind::Bytes, "public"),
            (Kind::Unary, "public"),
            (Kind::Stream, "orders"),
            (Kind::Unary, "orders"),
            (Kind::Stream, "public"),
            (Kind::Remote, "orders"),
            (Kind::Remote, "public"),
        ];
        let start = |(at, (kind, scheme))| Worker::start(kind, scheme, &doors, at % doors.len());
        let workers = kinds.into_iter().enumerate().map(start).collect();
        Fleet { server, members, watch, workers, gaps: Vec::new(), others: Vec::new(), _folder: folder }
    }

    /// Returns the instance that serves the most clients.
    fn busiest(&self) -> usize {
        let clients = |member: &usize| self.workers.iter().filter(|worker| worker.at() == *member).count();
        (0..self.members.len()).max_by_key(clients).expect("members")
    }

    /// Waits until every client has received new IDs.
    async fn all_go_on(&self) {
        let now = Instant::now();
        until("IDs for every client", async || self.workers.iter().all(|worker| worker.has_since(now))).await;
    }

    /// Records how long each client was without IDs after a fault.
    fn print_gaps(&mut self, fault: &str) {
        for worker in &self.workers {
            let gap = worker.longest_gap();
            self.gaps.push((format!("{fault}: {}", worker.name), gap));
            assert!(gap <= MAX, "{fault}: {} was without IDs for {gap:?}", worker.name);
        }
    }

    async fn killed(&mut self) {
        let at = self.busiest();
        self.members[at].instance.kill();
        self.all_go_on().await;
        let member = &mut self.members[at];
        member.instance = Instance::start(&member.config);
        member.front.lead_to(member.instance.address());
        member.instance.ready().await;
        self.print_gaps("an instance was killed");
    }

    async fn paused(&mut self) {
        let at = self.busiest();
        let address = self.members[at].instance.address();
        self.members[at].instance.signal("STOP");
        self.all_go_on().await;
        // The request is served when the stopped instance continues, whose lease has ended.
        let late = tokio::spawn(async move { ask(address, "POST", "/v1/schemes/orders/ids?count=100", "").await });
        tokio::time::sleep(Duration::from_secs(TTL_S + 1)).await;
        self.members[at].instance.signal("CONT");
        let late = late.await.expect("a task").expect("an answer");
        if late.status == 200 {
            let ids = late.json()["ids"].as_array().expect("IDs").clone();
            self.others.extend(ids.iter().map(|id| id.as_str().expect("a text").parse::<i64>().expect("a number")));
        } else {
            assert_eq!((late.status, late.code().as_str()), (503, "LEASE_EXPIRED"));
        }
        self.members[at].instance.ready().await;
        self.print_gaps("an instance was paused");
    }

    /// An instance without its store stops issuing when its leases end, and reports the reason; the
    /// others continue.
    async fn cut_off(&mut self) {
        let at = self.busiest();
        let member = &self.members[at];
        let cut = Instant::now();
        member.back.set(Way::Blocked);
        until("an end of its leases", async || !member.instance.readiness().await.0).await;
        // The instance uses the rest of its leases and no more: the check at the end verifies that
        // its IDs are within them.
        assert!(member.instance.readiness().await.1.contains("not_ready\":{\""), "it says which schemes");
        until("why", async || member.instance.readiness().await.1.contains("did not answer")).await;
        until("a refusal that says why", async || {
            let answer = ask(member.instance.address(), "POST", "/v1/schemes/orders/ids", "").await.expect("it lives");
            answer.status == 503 && answer.text().contains("did not answer")
        })
        .await;
        let log = member.instance.log();
        assert!(log.contains("WARN") && log.contains("did not answer"), "{log}");
        println!("cut off: not ready and refusing after {:?}", cut.elapsed());
        self.all_go_on().await;
        let member = &self.members[at];
        member.back.set(Way::Open);
        member.instance.ready().await;
        self.print_gaps("an instance was cut off from its store");
    }

    /// Cuts an instance off from its clients.
    async fn out_of_reach(&mut self, way: Way) {
        let at = self.busiest();
        self.members[at].front.set(way);
        self.all_go_on().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        self.members[at].front.set(Way::Open);
        self.all_go_on().await;
        self.print_gaps(&format!("the way to an instance was {way:?}"));
    }

    /// A short outage of the store goes unnoticed; during a longer one no IDs are issued.
    async fn store_is_killed(&mut self, duration: Duration) {
        self.server.order("kill");
        tokio::time::sleep(duration).await;
        self.server.order("start");
        self.all_go_on().await;
        for member in &self.members {
            member.instance.ready().await;
        }
        self.print_gaps(&format!("the store was killed, and away for {} s", duration.as_secs()));
    }

    /// Ends the clients and then the instances, and compares all IDs.
    async fn end(mut self) {
        let (mut orders, mut public) = (std::mem::take(&mut self.others), Vec::new());
        for worker in self.workers.drain(..) {
            let ids = if worker.scheme == "orders" { &mut orders } else { &mut public };
            ids.extend(worker.stop().await);
        }
        // The clients have gone, but a stream detects this only when it writes.
        for member in &mut self.members {
            assert!(member.instance.end().success(), "it ends in good order");
            assert!(member.instance.log().contains("released nodes"), "and gives its nodes back");
        }
        for namespace in ["orders", "public"] {
            assert_eq!(self.watch.holders(namespace).await, Vec::<String>::new(), "{namespace}: all nodes are free");
        }
        let leases = self.watch.count("orders") + self.watch.count("public");
        self.watch.check("orders", orders.iter().copied().map(of_snowflakes()));
        self.watch.check("public", public.iter().copied().map(of_randflakes(SECRET)));
        for ids in [&mut orders, &mut public] {
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(count - ids.len(), 0, "IDs that came twice, of {count}");
        }
        println!("{} orders and {} public IDs of {leases} leases, none twice", orders.len(), public.len());
        for (what, gap) in &self.gaps {
            println!("{:>6} ms without IDs, {what}", gap.as_millis());
        }
    }
}

async fn faults(kind: &str) {
    let rounds = std::env::var("SAIBAN_FAULT_ROUNDS").map_or(1, |rounds| rounds.parse().expect("a number of rounds"));
    let mut fleet = Fleet::start(kind).await;
    fleet.all_go_on().await;
    for _ in 0..rounds {
        fleet.killed().await;
        fleet.paused().await;
        fleet.cut_off().await;
        fleet.out_of_reach(Way::Blocked).await;
        fleet.out_of_reach(Way::Cut).await;
        fleet.out_of_reach(Way::Slow(Duration::from_secs(3))).await;
        fleet.store_is_killed(Duration::from_secs(1)).await;
        fleet.store_is_killed(Duration::from_secs(TTL_S + 1)).await;
    }
    fleet.end().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_over_etcd_survive_what_happens_to_them() {
    faults("etcd").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn three_instances_over_postgres_survive_what_happens_to_them() {
    faults("postgres").await;
}
