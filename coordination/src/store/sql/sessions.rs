//! The connection pool of a store: a few connections, which are opened on demand, shared by all
//! calls, and closed when idle.

use super::dialect::{Dialect, Server};
use super::failure::{self, Failure};
use super::session::{Row, Session, Value};
use crate::store::calls::CONNECT_LIMIT;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// How long an idle connection stays open. Leases are renewed every few minutes, and a server has
/// other clients.
const IDLE: Duration = Duration::from_secs(10);

type Idle = Arc<Mutex<Vec<(Instant, Box<dyn Session>)>>>;

pub(super) struct Sessions {
    server: Box<dyn Server>,
    dialect: &'static Dialect,
    turns: Semaphore,
    idle: Idle,
}

/// A connection that is in use by one call. Dropping it closes the connection.
pub(super) struct Lent<'a> {
    of: &'a Sessions,
    session: Box<dyn Session>,
    _turn: SemaphorePermit<'a>,
}

impl Sessions {
    pub(super) fn new(server: Box<dyn Server>, dialect: &'static Dialect) -> Self {
        Sessions { server, dialect, turns: Semaphore::new(dialect.connections), idle: Idle::default() }
    }

    /// Lends a connection and runs this statement on it, the first of a call. If an idle connection
    /// turns out to be closed, the statement runs again on a new one.
    pub(super) async fn start(
        &self,
        create: bool,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<(Lent<'_>, Vec<Row>), Failure> {
        // Cannot fail: the semaphore is never closed.
        let Ok(turn) = self.turns.acquire().await else { return Err(Failure::Again) };
        let idle = self.lock().pop();
        if let Some((_, mut session)) = idle {
            match session.rows(sql, values).await {
                Ok(rows) => return Ok((Lent { of: self, session, _turn: turn }, rows)),
                // The server was restarted, which closed the other connections too.
                Err(error) if failure::is_gone(&error, self.dialect.judge) => self.lock().clear(),
                Err(error) => return Err(error.into()),
            }
        }
        let mut session = self.server.connect(create).await?;
        let rows = session.rows(sql, values).await?;
        Ok((Lent { of: self, session, _turn: turn }, rows))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<(Instant, Box<dyn Session>)>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Connects to a server within [`CONNECT_LIMIT`].
pub(super) async fn connected<T>(connect: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    let waited = || std::io::Error::new(std::io::ErrorKind::TimedOut, format!("no answer in {CONNECT_LIMIT:?}"));
    tokio::time::timeout(CONNECT_LIMIT, connect).await.unwrap_or_else(|_| Err(sqlx::Error::Io(waited())))
}

impl Lent<'_> {
    pub(super) fn session(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Commits the transaction, and gives the connection back.
    pub(super) async fn commit(mut self) -> Result<(), Failure> {
        self.session.run("COMMIT", &[]).await?;
        self.give_back().await;
        Ok(())
    }

    /// Makes the connection available to the next call.
    pub(super) async fn give_back(self) {
        let Lent { of, session, _turn } = self;
        if !of.dialect.keeps {
            session.close().await;
            return;
        }
        of.lock().push((Instant::now(), session));
        let idle = Arc::downgrade(&of.idle);
        tokio::spawn(async move {
            tokio::time::sleep(IDLE).await;
            if let Some(idle) = idle.upgrade() {
                idle.lock().unwrap_or_else(PoisonError::into_inner).retain(|(since, _)| since.elapsed() < IDLE);
            }
        });
    }
}
