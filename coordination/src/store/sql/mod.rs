//! Leases in a SQL database: SQLite, PostgreSQL, MySQL and MariaDB.
//!
//! The general way is the same in all: a transaction locks the row of the name space, reads the slots that matter, asks
//! [`crate::lease::protocol`], writes what that says over what was read, and commits. Rows are only divided and joined under that
//! lock. PostgreSQL also has a quick way, a single statement for each usual wish. It locks the one slot that it changes, as the
//! general way locks those that it reads: neither can come between the other's reading and writing.

mod counters;
mod failure;
mod holdings;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
mod session;
mod sessions;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "sqlite")]
pub(super) use self::sqlite::path_of;

use self::failure::{Failure, Judge, Topic, Trouble};
use self::holdings::{HeldLease, Holdings};
use self::rows::Which;
use self::session::{Cell, Row, Session, Value};
use self::sessions::{Lent, Sessions};
use super::{Listing, Numbers, Store, StoreUrl, in_time};
use crate::Error;
use crate::lease::protocol::{self, Acquire, Changes, Decision, Grant, Release, Renew, Seen, View};
use crate::lease::{Namespace, Slot, SlotKey, Terms, refusal};
use async_trait::async_trait;
use saiban::{Clock, ErrorKind, SystemClock};
use std::sync::Arc;
use std::time::Duration;

/// The SQL that makes the tables of leases in a kind of store (`sqlite`, `postgres`, `mysql`), for who makes them by hand. Run twice it
/// changes nothing.
#[must_use]
pub fn schema(kind: &str) -> Option<&'static str> {
    schemas(kind).map(|(leases, _)| leases)
}

/// The SQL that makes the tables of counters, as [`schema`].
#[must_use]
pub fn counter_schema(kind: &str) -> Option<&'static str> {
    schemas(kind).map(|(_, counters)| counters)
}

fn schemas(kind: &str) -> Option<(&'static str, &'static str)> {
    match kind {
        "sqlite" => Some((include_str!("schema/leases.sqlite.sql"), include_str!("schema/counters.sqlite.sql"))),
        "postgres" | "postgresql" => {
            Some((include_str!("schema/leases.postgres.sql"), include_str!("schema/counters.postgres.sql")))
        }
        "mysql" | "mariadb" => {
            Some((include_str!("schema/leases.mysql.sql"), include_str!("schema/counters.mysql.sql")))
        }
        _ => None,
    }
}

/// Opens a database as a store. It is called at the first wish.
pub(super) fn open(url: &StoreUrl) -> Result<Arc<dyn Store>, Error> {
    let (dialect, server, holdings): (_, Box<dyn Server>, _) = match url.kind() {
        #[cfg(feature = "sqlite")]
        "sqlite" => {
            let file = sqlite::File::new(url)?;
            let holdings = Holdings::of(file.path().to_owned());
            (&sqlite::DIALECT, Box::new(file), Some(holdings))
        }
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => (&postgres::DIALECT, Box::new(postgres::Postgres::new(url)?), None),
        #[cfg(feature = "mysql")]
        "mysql" | "mariadb" => (&mysql::DIALECT, Box::new(mysql::Mysql::new(url)?), None),
        kind => return Err(Error::new(ErrorKind::InvalidArgument, format!("{kind:?} names no SQL database"))),
    };
    Ok(Arc::new(SqlStore { url: url.clone(), dialect, sessions: Sessions::new(server, dialect), holdings }))
}

/// How to connect.
#[async_trait]
trait Server: Send + Sync {
    /// A new connection. `create` says whether a database that is not there may be made, where that is a client's to do.
    async fn connect(&self, create: bool) -> Result<Box<dyn Session>, Failure>;
}

/// Where the databases differ.
struct Dialect {
    /// Begins a transaction that writes.
    begin: &'static str,
    /// Begins one that only reads, and reads one state of all tables.
    begin_reading: &'static str,
    /// At the end of a SELECT: keeps others from its rows until the transaction ends.
    lock: &'static str,
    /// Asks for the server's time, Unix µs; `None` where that is this machine's.
    now: Option<&'static str>,
    /// Makes the tables, while nobody else does.
    make_tables: &'static str,
    /// The same for the tables of counters.
    make_counters: &'static str,
    /// The usual wishes in one statement each.
    quick: Option<Quick>,
    /// Takes numbers of a counter, in one round trip; of these values: by how much it grows, name, fingerprint, incarnation, at least and at most the
    /// next number. Answers the first number, or no row where the general way must look.
    quick_counter: Option<fn(&[Value<'_>]) -> String>,
    /// What the server's errors mean.
    judge: Judge,
    /// How many connections there are at most.
    connections: usize,
    /// Whether they are kept for the next calls.
    keeps: bool,
}

/// One statement a wish. Each answers the grant's row (`nodes_start, nodes_end, fence, token, start_us, end_us, now_us,
/// incarnation`), or none where the general way must look.
struct Quick {
    /// name, fingerprint, nodes, ttl, holder, token, clock, skew.
    acquire: &'static str,
    /// name, incarnation, nodes_start, nodes_end, fence, token, end, ttl.
    renew: &'static str,
    /// name, nodes_start, nodes_end, fence, token, high water.
    release: &'static str,
}

/// Reads a client's own reading of the store's URL. `known` are the parameters that it obeys: a misspelt `sslmode` would not be
/// missed otherwise.
#[cfg(any(feature = "postgres", feature = "mysql"))]
fn client_options<O: sqlx::ConnectOptions>(url: &StoreUrl, known: &[&str]) -> Result<O, Error> {
    let invalid = |what: String| Error::new(ErrorKind::InvalidArgument, format!("the store's URL {url} {what}"));
    let unknown = url.secret().query_pairs().map(|(key, _)| key.into_owned()).find(|key| {
        let is_known = known.contains(&key.as_str());
        let is_option = known.contains(&"options") && key.starts_with("options[");
        !is_known && !is_option
    });
    if let Some(key) = unknown {
        let key = super::url::parameter(&key);
        return Err(invalid(format!("has a parameter {key} that is not known: give one of {}", known.join(", "))));
    }
    O::from_url(url.secret()).map_err(|error| invalid(format!("cannot be read ({error}): look at its parameters")))
}

struct SqlStore {
    url: StoreUrl,
    dialect: &'static Dialect,
    sessions: Sessions,
    /// What live processes of this machine hold from a SQLite file. `None` for a server.
    holdings: Option<Holdings>,
}

/// The pauses after tries that others came in the way of, ms.
const PAUSES_MS: [u64; 5] = [5, 20, 60, 150, 400];

/// Tries of one transaction.
struct Tries {
    judge: Judge,
    pauses_ms: std::slice::Iter<'static, u64>,
}

impl Tries {
    /// What a try has come to, or nothing: then it is to be tried again.
    async fn settle<T>(&mut self, answer: Result<T, Failure>) -> Option<Result<T, Failure>> {
        let failure = match answer.map_err(|failure| failure::sort(failure, self.judge)) {
            Ok(answer) => return Some(Ok(answer)),
            Err(failure) => failure,
        };
        match (&failure, self.pauses_ms.next()) {
            (Failure::Again, Some(pause_ms)) => {
                tokio::time::sleep(Duration::from_millis(*pause_ms)).await;
                None
            }
            _ => Some(Err(failure)),
        }
    }
}

/// What a transaction reads of the slots.
#[derive(Clone, Copy)]
struct Look<'a> {
    /// The slot with this node.
    node: Option<i64>,
    /// Those that may do for this wish.
    wish: Option<&'a Acquire>,
}

type Decide<'a, T> = &'a (dyn Fn(&View<'_>) -> Decision<T> + Sync);

impl SqlStore {
    fn explain(&self, failure: Failure, name: &str) -> Error {
        let topic = Topic {
            missing: super::unknown(name),
            tables: "saiban_namespaces and saiban_slots",
            what: "leases",
            known: rows::VERSION,
            mend: super::MEND_LEASES,
        };
        failure::explain(failure, self.dialect.judge, &self.url, topic)
    }

    /// What the general way answers: tried again where others came in between.
    async fn decide<T: Send>(&self, name: &str, look: Look<'_>, decide: Decide<'_, T>) -> Result<T, Error> {
        let mut tries = self.tries();
        loop {
            if let Some(answer) = tries.settle(self.try_decide(name, look, decide).await).await {
                return answer.map_err(|failure| self.explain(failure, name))?;
            }
        }
    }

    fn tries(&self) -> Tries {
        Tries { judge: self.dialect.judge, pauses_ms: PAUSES_MS.iter() }
    }

    async fn try_decide<T: Send>(
        &self,
        name: &str,
        look: Look<'_>,
        decide: Decide<'_, T>,
    ) -> Result<Result<T, Error>, Failure> {
        let lock = self.dialect.lock;
        let mut lent = self.sessions.start(false, self.dialect.begin, &[]).await?.0;
        let session = lent.session();
        let Some(namespace) = self.namespace(session, name, lock).await? else {
            lent.commit().await?;
            return Err(Failure::Missing);
        };
        let now_us = self.now_us(session).await?;
        let of = (name, &namespace);
        let mut slots = match look.node {
            Some(node) => rows::slots(session, of, Which::With(node), lock).await?,
            None => Vec::new(),
        };
        let held = if look.wish.is_some() { self.held(name, now_us) } else { Vec::new() };
        for lease in &held {
            let node = lease.seen.key.nodes.start;
            slots = merge(slots, rows::slots(session, of, Which::With(node), lock).await?);
        }
        let seen = slots.clone();
        if let Some(&Acquire { nodes, ttl_us, .. }) = look.wish {
            let end_us = now_us.saturating_add(ttl_us);
            let best = rows::slots(session, of, Which::Best { nodes, now_us, end_us }, lock).await?;
            for slot in &best {
                rows::check_neighbours(session, of, slot).await?;
            }
            slots = merge(slots, best);
        }
        let mut decision = decide(&View { name, namespace: &namespace, slots: &slots, now_us });
        let is_full = matches!(&decision.answer, Err(error) if error.kind() == ErrorKind::NamespaceFull);
        if look.wish.is_some() && is_full {
            // No slot does by itself: neighbours may do together, where all is in order.
            rows::check_division(session, name, &namespace).await?;
            rows::slots(session, of, Which::Flawed, "").await?;
            slots = merge(seen, rows::slots(session, of, Which::Free { now_us }, lock).await?);
            decision = decide(&View { name, namespace: &namespace, slots: &slots, now_us });
        }
        let view = View { name, namespace: &namespace, slots: &slots, now_us };
        let is_lost = |lease: &&HeldLease| protocol::is_behind(&view, &lease.seen);
        if let (Ok(_), Some(lease)) = (&decision.answer, held.iter().find(is_lost)) {
            decision = Decision { answer: Err(self.lost(lease, now_us)), changes: Changes::default() };
        }
        rows::write(session, name, &slots, &decision.changes).await?;
        lent.commit().await?;
        Ok(decision.answer)
    }

    /// The leases of a namespace that the marks of live processes of this machine record. Read before
    /// the store, or while it is locked, the marks are not newer than the store.
    fn held(&self, name: &str, now_us: i64) -> Vec<HeldLease> {
        let live = self.holdings.iter().flat_map(Holdings::live);
        let leases = live.flat_map(|held| held.leases);
        // An ended lease conflicts with no new one.
        leases.filter(|lease| lease.namespace == name && lease.seen.end_us > now_us).collect()
    }

    /// Reads the store. A namespace that is not there, though the marks record leases of it, was lost.
    async fn or_lost<T>(&self, name: &str, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let now_us = here_us()?;
        let held = self.held(name, now_us);
        match (call.await, held.first()) {
            (Err(error), Some(lease)) if error.kind() == ErrorKind::NamespaceUnknown => Err(self.lost(lease, now_us)),
            (answer, _) => answer,
        }
    }

    /// Refuses to create a namespace of which the marks record leases. The store is locked, or its
    /// file does not exist.
    fn check_lost(&self, name: &str) -> Result<(), Error> {
        let now_us = here_us()?;
        self.held(name, now_us).first().map_or(Ok(()), |lease| Err(self.lost(lease, now_us)))
    }

    fn lost(&self, lease: &HeldLease, now_us: i64) -> Error {
        let HeldLease { namespace, seen, holder } = lease;
        refusal::lost_by_file(&self.url.to_string(), namespace, holder, &seen.key.nodes, seen.end_us - now_us)
    }

    /// Records a lease in this process's mark.
    fn hold(&self, name: &str, holder: Option<&str>, grant: &Grant) {
        if let Some(holdings) = &self.holdings {
            let Grant { incarnation, key, end_us, now_us, .. } = grant;
            let seen = Seen { incarnation: *incarnation, key: key.clone(), end_us: *end_us };
            holdings.hold_lease(name, &seen, holder, *now_us);
        }
    }

    /// Removes a lease from this process's mark.
    fn end(&self, name: &str, key: &SlotKey) {
        if let Some(holdings) = &self.holdings {
            holdings.end_lease(name, key);
        }
    }

    /// The name space, where there are tables and it is in them.
    async fn namespace(&self, session: &mut dyn Session, name: &str, lock: &str) -> Result<Option<Namespace>, Failure> {
        match rows::namespace(session, name, lock).await {
            Err(Failure::Sql(sqlx::Error::Database(error)))
                if (self.dialect.judge)(&*error) == Trouble::MissingTable =>
            {
                Err(Failure::Missing)
            }
            other => other,
        }
    }

    async fn now_us(&self, session: &mut dyn Session) -> Result<i64, Failure> {
        let Some(sql) = self.dialect.now else {
            return Ok(here_us()?);
        };
        match session.rows(sql, &[]).await?.first().and_then(|row| row.first()) {
            Some(Cell::Number(now_us)) => Ok(*now_us),
            other => Err(Failure::Said(Error::new(
                ErrorKind::StoreUnavailable,
                format!("the store {} does not tell its time as a number: {other:?}", self.url),
            ))),
        }
    }

    /// What a single statement answers: `None` where the general way must look.
    async fn quick(&self, name: &str, sql: &str, values: &[Value<'_>]) -> Result<Option<Grant>, Error> {
        let rows = self.quick_rows(sql, values).await.map_err(|failure| self.explain(failure, name))?;
        Ok(rows.and_then(|rows| rows.iter().find_map(grant)))
    }

    /// The rows of a single statement: `None` where the server has something against it. It has that against the general way too, which tells it
    /// apart.
    async fn quick_rows(&self, sql: &str, values: &[Value<'_>]) -> Result<Option<Vec<Row>>, Failure> {
        match self.sessions.start(false, sql, values).await {
            Ok((lent, rows)) => {
                lent.give_back().await;
                Ok(Some(rows))
            }
            // Not a second time, with a wrong password.
            Err(Failure::Sql(sqlx::Error::Database(error))) if (self.dialect.judge)(&*error) != Trouble::Denied => {
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    async fn try_create(&self, terms: &Terms) -> Result<Namespace, Failure> {
        let name = terms.name();
        // A file that was deleted is not made again while its holders live. The marks are read first:
        // another process may make the file now, and take something from it.
        let check = self.check_lost(name);
        if self.is_file_missing() {
            check?;
        }
        let mut lent = self.begin_creating().await?;
        let found = match self.namespace(lent.session(), name, self.dialect.lock).await {
            Err(Failure::Missing) => {
                self.check_lost(name)?;
                // What a failed statement leaves of a transaction differs: begin anew.
                drop(lent);
                self.sessions.start(true, self.dialect.make_tables, &[]).await?.0.give_back().await;
                lent = self.begin_creating().await?;
                self.namespace(lent.session(), name, self.dialect.lock).await?
            }
            found => found?,
        };
        let namespace = if let Some(namespace) = found {
            namespace.check(name, terms.fingerprint())?;
            namespace
        } else {
            self.check_lost(name)?;
            let namespace = Namespace::of(terms, super::draw()?);
            let first = protocol::first_node(terms.nodes(), super::draw()?);
            rows::insert(lent.session(), name, &namespace, &protocol::first_slots(terms.nodes(), first)).await?;
            namespace
        };
        lent.commit().await?;
        Ok(namespace)
    }

    fn is_file_missing(&self) -> bool {
        self.holdings.as_ref().is_some_and(|holdings| !holdings.path().exists())
    }

    async fn begin_creating(&self) -> Result<Lent<'_>, Failure> {
        Ok(self.sessions.start(true, self.dialect.begin, &[]).await?.0)
    }

    async fn try_list(&self, name: &str) -> Result<Listing, Failure> {
        let mut lent = self.sessions.start(false, self.dialect.begin_reading, &[]).await?.0;
        let session = lent.session();
        let namespace = self.namespace(session, name, "").await?.ok_or(Failure::Missing)?;
        let slots = rows::slots(session, (name, &namespace), Which::All, "").await?;
        rows::check_all(&slots, name, &namespace)?;
        let now_us = self.now_us(session).await?;
        lent.commit().await?;
        Ok(Listing { namespace, slots, now_us })
    }
}

/// This machine's time, Unix µs.
fn here_us() -> Result<i64, Error> {
    Ok(i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(i64::MAX))
}

/// All of these, each once, in the order of their nodes.
fn merge(mut slots: Vec<Slot>, others: Vec<Slot>) -> Vec<Slot> {
    slots.extend(others);
    slots.sort_by_key(|slot| slot.nodes.start);
    slots.dedup_by_key(|slot| slot.nodes.start);
    slots
}

/// The grant of a quick statement's row; rows of other shapes are answers of the settings before it.
fn grant(row: &Row) -> Option<Grant> {
    let numbers: Option<Vec<i64>> =
        row.iter().map(|cell| if let Cell::Number(number) = cell { Some(*number) } else { None }).collect();
    let [start, end, fence, token, start_us, end_us, now_us, incarnation] = numbers?.try_into().ok()?;
    let key = SlotKey { nodes: start..end, fence, token };
    Some(Grant { incarnation, key, start_us, end_us, now_us })
}

#[async_trait]
impl Store for SqlStore {
    async fn create(&self, terms: &Terms) -> Result<Namespace, Error> {
        let call = async {
            let mut tries = self.tries();
            loop {
                if let Some(answer) = tries.settle(self.try_create(terms).await).await {
                    return answer.map_err(|failure| self.explain(failure, terms.name()));
                }
            }
        };
        in_time(&self.url, call).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, wish: &Acquire) -> Result<Grant, Error> {
        if let Some(seen) = &wish.seen {
            // The caller has closed this lease before it asks for another one.
            self.end(name, &seen.key);
        }
        let call = async {
            if let (Some(quick), None) = (&self.dialect.quick, &wish.seen) {
                let skew_us = i64::try_from(wish.max_clock_skew_us.unsigned_abs()).unwrap_or(i64::MAX);
                let values = [
                    name.into(),
                    fingerprint.into(),
                    wish.nodes.into(),
                    wish.ttl_us.into(),
                    wish.holder.as_str().into(),
                    wish.token.into(),
                    wish.clock_us.into(),
                    skew_us.into(),
                ];
                let is_sane = protocol::check_wish(wish.nodes, wish.ttl_us).is_ok();
                let quick = if is_sane { self.quick(name, quick.acquire, &values).await? } else { None };
                if let Some(grant) = quick {
                    return Ok(grant);
                }
            }
            let node = wish.seen.as_ref().map(|seen| seen.key.nodes.start);
            let look = Look { node, wish: Some(wish) };
            self.decide(name, look, &|view| protocol::acquire(view, fingerprint, wish)).await
        };
        let grant = self.or_lost(name, in_time(&self.url, call)).await?;
        self.hold(name, Some(&wish.holder), &grant);
        Ok(grant)
    }

    async fn renew(&self, name: &str, wish: &Renew) -> Result<Grant, Error> {
        let call = async {
            let Renew { seen, ttl_us } = wish;
            let SlotKey { nodes, fence, token } = &seen.key;
            if let (Some(quick), Ok(())) = (&self.dialect.quick, protocol::check_wish(1, *ttl_us)) {
                let numbers = [seen.incarnation, nodes.start, nodes.end, *fence, *token, seen.end_us, *ttl_us];
                let values: Vec<_> = std::iter::once(name.into()).chain(numbers.map(Into::into)).collect();
                if let Some(grant) = self.quick(name, quick.renew, &values).await? {
                    return Ok(grant);
                }
            }
            let look = Look { node: Some(nodes.start), wish: None };
            self.decide(name, look, &|view| protocol::renew(view, wish)).await
        };
        let grant = in_time(&self.url, call).await?;
        self.hold(name, None, &grant);
        Ok(grant)
    }

    async fn release(&self, name: &str, wish: &Release) -> Result<(), Error> {
        let call = async {
            let SlotKey { nodes, fence, token } = &wish.key;
            if let Some(quick) = &self.dialect.quick {
                let numbers = [nodes.start, nodes.end, *fence, *token, wish.high_water_us];
                let values: Vec<_> = std::iter::once(name.into()).chain(numbers.map(Into::into)).collect();
                if self.quick(name, quick.release, &values).await?.is_some() {
                    return Ok(());
                }
            }
            let look = Look { node: Some(nodes.start), wish: None };
            self.decide(name, look, &|view| protocol::release(view, wish)).await
        };
        let answer = in_time(&self.url, call).await;
        // Its generators are closed, also where the store could not be reached.
        self.end(name, &wish.key);
        answer
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        let call = async { self.try_list(name).await.map_err(|failure| self.explain(failure, name)) };
        self.or_lost(name, in_time(&self.url, call)).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        let call = self.decide(name, Look { node: None, wish: None }, &protocol::quarantine_by_hand);
        self.or_lost(name, in_time(&self.url, call)).await
    }

    fn numbers(&self) -> Option<&dyn Numbers> {
        Some(self)
    }
}
