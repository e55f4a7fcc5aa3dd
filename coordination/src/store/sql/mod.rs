//! Leases and counters in a SQL database: SQLite, PostgreSQL, MySQL and MariaDB.
//!
//! All databases have the general path. One transaction locks the namespace's row, reads the slots
//! that matter, asks [`crate::lease::protocol`], writes the changes, and commits. Rows are divided
//! and joined only under this lock.
//!
//! PostgreSQL also has a fast path: a single statement for each common kind of request. The
//! statement locks the one slot that it changes, and the general path locks the slots that it
//! reads. So neither can change a slot between the other's read and write.

mod counters;
mod dialect;
mod failure;
mod holdings;
#[cfg(feature = "mysql")]
mod mysql;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod options;
#[cfg(feature = "postgres")]
mod postgres;
mod rows;
mod session;
mod sessions;
#[cfg(feature = "sqlite")]
mod sqlite;

#[cfg(feature = "sqlite")]
pub(super) use self::sqlite::path_of;

use self::dialect::{Dialect, Server};
use self::failure::{Failure, Topic, Trouble};
use self::holdings::{HeldLease, Holdings};
use self::rows::Which;
use self::session::{Cell, Row, Session, Value};
use self::sessions::{Lent, Sessions};
use super::calls::in_time;
use super::errors::{MEND_LEASES, unknown};
use super::{Listing, Numbers, Store, StoreUrl, draw};
use crate::Error;
use crate::lease::protocol::{self, Acquire, Changes, Decision, Grant, LastSeen, Release, Renew, View};
use crate::lease::{Namespace, Slot, SlotKey, Terms, refusal};
use async_trait::async_trait;
use saiban::{Clock, ErrorKind, SystemClock};
use std::sync::Arc;
use std::time::Duration;

/// Returns the SQL that creates the tables of leases, for manual migrations. `kind` is the kind of
/// store: `sqlite`, `postgres` or `mysql`. Running it again changes nothing.
#[must_use]
pub fn schema(kind: &str) -> Option<&'static str> {
    schemas(kind).map(|(leases, _)| leases)
}

/// Returns the SQL that creates the tables of counters, as [`schema`].
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

/// Opens a database as a store. Connects at the first request.
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

struct SqlStore {
    url: StoreUrl,
    dialect: &'static Dialect,
    sessions: Sessions,
    /// The leases and numbers that live processes of this machine hold from a SQLite file; `None`
    /// for a server.
    holdings: Option<Holdings>,
}

/// The pauses between tries after conflicts, ms.
const PAUSES_MS: [u64; 5] = [5, 20, 60, 150, 400];

/// The slots that a transaction reads.
#[derive(Clone, Copy)]
struct Wanted<'a> {
    /// The slot that contains this node.
    node: Option<i64>,
    /// The slots that fit this request.
    request: Option<&'a Acquire>,
}

type Decide<'a, T> = &'a (dyn Fn(&View<'_>) -> Decision<T> + Sync);

impl SqlStore {
    fn explain(&self, failure: Failure, name: &str) -> Error {
        let topic = Topic {
            missing: unknown(name),
            tables: "saiban_namespaces and saiban_slots",
            what: "leases",
            known: rows::VERSION,
            mend: MEND_LEASES,
        };
        failure::explain(failure, self.dialect.judge, &self.url, topic)
    }

    /// Runs a transaction, again if it conflicts with another one.
    async fn retry<T, F: Future<Output = Result<T, Failure>>>(&self, run: impl Fn() -> F) -> Result<T, Failure> {
        let mut pauses_ms = PAUSES_MS.into_iter();
        loop {
            let answer = run().await.map_err(|failure| failure::sort(failure, self.dialect.judge));
            match (&answer, pauses_ms.next()) {
                (Err(Failure::Again), Some(pause_ms)) => tokio::time::sleep(Duration::from_millis(pause_ms)).await,
                _ => return answer,
            }
        }
    }

    /// Takes the general path.
    async fn decide<T: Send>(&self, name: &str, wanted: Wanted<'_>, decide: Decide<'_, T>) -> Result<T, Error> {
        let answer = self.retry(|| self.try_decide(name, wanted, decide)).await;
        answer.map_err(|failure| self.explain(failure, name))?
    }

    async fn try_decide<T: Send>(
        &self,
        name: &str,
        wanted: Wanted<'_>,
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
        let mut slots = match wanted.node {
            Some(node) => rows::slots(session, of, Which::With(node), lock).await?,
            None => Vec::new(),
        };
        let held = if wanted.request.is_some() { self.held(name, now_us) } else { Vec::new() };
        for lease in &held {
            let node = lease.seen.key.nodes.start;
            slots = merge(slots, rows::slots(session, of, Which::With(node), lock).await?);
        }
        let seen = slots.clone();
        if let Some(&Acquire { nodes, ttl_us, .. }) = wanted.request {
            let end_us = now_us.saturating_add(ttl_us);
            let best = rows::slots(session, of, Which::Best { nodes, now_us, end_us }, lock).await?;
            for slot in &best {
                rows::check_neighbours(session, of, slot).await?;
            }
            slots = merge(slots, best);
        }
        let mut decision = decide(&View { name, namespace: &namespace, slots: &slots, now_us });
        let is_full = matches!(&decision.answer, Err(error) if error.kind() == ErrorKind::NamespaceFull);
        if wanted.request.is_some() && is_full {
            // No single slot is wide enough. Neighbours may be together, if all slots are valid.
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

    /// Returns the leases of a namespace that the marks of live processes of this machine record. A
    /// caller that reads the marks before the store, or while it has locked the store, gets marks
    /// that are not newer than the store.
    fn held(&self, name: &str, now_us: i64) -> Vec<HeldLease> {
        let live = self.holdings.iter().flat_map(Holdings::live);
        let leases = live.flat_map(|held| held.leases);
        // A lease that has ended does not conflict with a new one.
        leases.filter(|lease| lease.namespace == name && lease.seen.end_us > now_us).collect()
    }

    /// Makes a call. If the namespace does not exist, but marks record leases of it, returns the
    /// error for a lost store.
    async fn or_lost<T>(&self, name: &str, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
        let now_us = here_us()?;
        let held = self.held(name, now_us);
        match (call.await, held.first()) {
            (Err(error), Some(lease)) if error.kind() == ErrorKind::NamespaceUnknown => Err(self.lost(lease, now_us)),
            (answer, _) => answer,
        }
    }

    /// Refuses to create a namespace of which marks record leases. The caller has locked the store,
    /// or its file does not exist.
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
            let seen = LastSeen { incarnation: *incarnation, key: key.clone(), end_us: *end_us };
            holdings.hold_lease(name, &seen, holder, *now_us);
        }
    }

    /// Removes a lease from this process's mark.
    fn end(&self, name: &str, key: &SlotKey) {
        if let Some(holdings) = &self.holdings {
            holdings.end_lease(name, key);
        }
    }

    /// Returns the namespace, or `None` if it has no row.
    ///
    /// # Errors
    /// `Failure::Missing` if the tables do not exist.
    async fn namespace(&self, session: &mut dyn Session, name: &str, lock: &str) -> Result<Option<Namespace>, Failure> {
        self.or_missing(rows::namespace(session, name, lock).await)
    }

    /// Converts the error for a missing table to `Failure::Missing`.
    fn or_missing<T>(&self, answer: Result<T, impl Into<Failure>>) -> Result<T, Failure> {
        answer.map_err(|error| match error.into() {
            Failure::Sql(sqlx::Error::Database(error)) if (self.dialect.judge)(&*error) == Trouble::MissingTable => {
                Failure::Missing
            }
            other => other,
        })
    }

    async fn now_us(&self, session: &mut dyn Session) -> Result<i64, Failure> {
        let Some(sql) = self.dialect.now else {
            return Ok(here_us()?);
        };
        match session.rows(sql, &[]).await?.first().and_then(|row| row.first()) {
            Some(Cell::Number(now_us)) => Ok(*now_us),
            other => Err(Failure::Said(Error::new(
                ErrorKind::StoreUnavailable,
                format!("the store {} does not return its time as a number: {other:?}", self.url),
            ))),
        }
    }

    /// Tries the fast path. Returns `None` to fall back to the general path.
    async fn quick(&self, name: &str, sql: &str, values: &[Value<'_>]) -> Result<Option<Grant>, Error> {
        let rows = self.quick_rows(sql, values).await.map_err(|failure| self.explain(failure, name))?;
        Ok(rows.and_then(|rows| rows.iter().find_map(grant)))
    }

    /// Runs a single statement. Returns `None` if the server rejects it: the general path then gets
    /// that error too, and classifies it.
    async fn quick_rows(&self, sql: &str, values: &[Value<'_>]) -> Result<Option<Vec<Row>>, Failure> {
        match self.sessions.start(false, sql, values).await {
            Ok((lent, rows)) => {
                lent.give_back().await;
                Ok(Some(rows))
            }
            // A login that was denied is not tried again by the general path.
            Err(Failure::Sql(sqlx::Error::Database(error))) if (self.dialect.judge)(&*error) != Trouble::Denied => {
                Ok(None)
            }
            Err(failure) => Err(failure),
        }
    }

    async fn try_create(&self, terms: &Terms) -> Result<Namespace, Failure> {
        let name = terms.name();
        // A deleted file is not created again while its holders live. The marks are read first:
        // after this check another process may create the file, and take something from it.
        let check = self.check_lost(name);
        if self.is_file_missing() {
            check?;
        }
        let mut lent = self.begin_creating().await?;
        let found = match self.namespace(lent.session(), name, self.dialect.lock).await {
            Err(Failure::Missing) => {
                self.check_lost(name)?;
                // Databases differ in what a failed statement does to its transaction, so begin a
                // new one.
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
            let namespace = Namespace::of(terms, draw()?);
            let first = protocol::first_node(terms.nodes(), draw()?);
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

/// Returns this machine's time, Unix µs.
fn here_us() -> Result<i64, Error> {
    Ok(i64::try_from(SystemClock.now_ns()? / 1_000).unwrap_or(i64::MAX))
}

/// Merges slots, in the order of their nodes, without duplicates.
fn merge(mut slots: Vec<Slot>, others: Vec<Slot>) -> Vec<Slot> {
    slots.extend(others);
    slots.sort_by_key(|slot| slot.nodes.start);
    slots.dedup_by_key(|slot| slot.nodes.start);
    slots
}

/// Returns the grant in a row of the fast path. Rows of another shape come from settings before the
/// statement.
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
            let answer = self.retry(|| self.try_create(terms)).await;
            answer.map_err(|failure| self.explain(failure, terms.name()))
        };
        in_time(&self.url, call).await
    }

    async fn acquire(&self, name: &str, fingerprint: &str, request: &Acquire) -> Result<Grant, Error> {
        if let Some(seen) = &request.seen {
            // The caller stopped using this lease before it asked for another one.
            self.end(name, &seen.key);
        }
        let call = async {
            if let (Some(quick), None) = (&self.dialect.quick, &request.seen) {
                let skew_us = i64::try_from(request.max_clock_skew_us.unsigned_abs()).unwrap_or(i64::MAX);
                let values = [
                    name.into(),
                    fingerprint.into(),
                    request.nodes.into(),
                    request.ttl_us.into(),
                    request.holder.as_str().into(),
                    request.token.into(),
                    request.clock_us.into(),
                    skew_us.into(),
                ];
                let is_sane = protocol::check_request(request.nodes, request.ttl_us).is_ok();
                let quick = if is_sane { self.quick(name, quick.acquire, &values).await? } else { None };
                if let Some(grant) = quick {
                    return Ok(grant);
                }
            }
            let node = request.seen.as_ref().map(|seen| seen.key.nodes.start);
            let wanted = Wanted { node, request: Some(request) };
            self.decide(name, wanted, &|view| protocol::acquire(view, fingerprint, request)).await
        };
        let grant = self.or_lost(name, in_time(&self.url, call)).await?;
        self.hold(name, Some(&request.holder), &grant);
        Ok(grant)
    }

    async fn renew(&self, name: &str, request: &Renew) -> Result<Grant, Error> {
        let call = async {
            let Renew { seen, ttl_us } = request;
            let SlotKey { nodes, fence, token } = &seen.key;
            if let (Some(quick), Ok(())) = (&self.dialect.quick, protocol::check_request(1, *ttl_us)) {
                let numbers = [seen.incarnation, nodes.start, nodes.end, *fence, *token, seen.end_us, *ttl_us];
                let values: Vec<_> = std::iter::once(name.into()).chain(numbers.map(Into::into)).collect();
                if let Some(grant) = self.quick(name, quick.renew, &values).await? {
                    return Ok(grant);
                }
            }
            let wanted = Wanted { node: Some(nodes.start), request: None };
            self.decide(name, wanted, &|view| protocol::renew(view, request)).await
        };
        let grant = in_time(&self.url, call).await?;
        self.hold(name, None, &grant);
        Ok(grant)
    }

    async fn release(&self, name: &str, request: &Release) -> Result<(), Error> {
        let call = async {
            let SlotKey { nodes, fence, token } = &request.key;
            if let Some(quick) = &self.dialect.quick {
                let numbers = [nodes.start, nodes.end, *fence, *token, request.high_water_us];
                let values: Vec<_> = std::iter::once(name.into()).chain(numbers.map(Into::into)).collect();
                if self.quick(name, quick.release, &values).await?.is_some() {
                    return Ok(());
                }
            }
            let wanted = Wanted { node: Some(nodes.start), request: None };
            self.decide(name, wanted, &|view| protocol::release(view, request)).await
        };
        let answer = in_time(&self.url, call).await;
        // The lease's generators are closed, even if the store could not be reached.
        self.end(name, &request.key);
        answer
    }

    async fn list(&self, name: &str) -> Result<Listing, Error> {
        let call = async { self.try_list(name).await.map_err(|failure| self.explain(failure, name)) };
        self.or_lost(name, in_time(&self.url, call)).await
    }

    async fn quarantine(&self, name: &str) -> Result<i64, Error> {
        let call = self.decide(name, Wanted { node: None, request: None }, &protocol::quarantine_by_hand);
        self.or_lost(name, in_time(&self.url, call)).await
    }

    fn numbers(&self) -> Option<&dyn Numbers> {
        Some(self)
    }
}
