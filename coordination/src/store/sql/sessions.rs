//! The connections of a store: few, shared by all calls, opened when they are needed, closed when nobody has needed them for a
//! while.

use super::failure::{self, Failure};
use super::session::{Row, Session, Value};
use super::{Dialect, Server};
#[cfg(any(feature = "postgres", feature = "mysql"))]
use crate::store::CONNECT_LIMIT;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::Instant;

/// How long a connection waits for the next call: leases are renewed every few minutes, and a server has other clients.
const IDLE: Duration = Duration::from_secs(10);

type Idle = Arc<Mutex<Vec<(Instant, Box<dyn Session>)>>>;

pub(super) struct Sessions {
    server: Box<dyn Server>,
    dialect: &'static Dialect,
    turns: Semaphore,
    idle: Idle,
}

/// A connection for one call. Dropped, it is closed.
pub(super) struct Lent<'a> {
    of: &'a Sessions,
    session: Box<dyn Session>,
    _turn: SemaphorePermit<'a>,
}

impl Sessions {
    pub(super) fn new(server: Box<dyn Server>, dialect: &'static Dialect) -> Self {
        Sessions { server, dialect, turns: Semaphore::new(dialect.connections), idle: Idle::default() }
    }

    /// A connection on which this statement, the call's first, has been answered. It may be asked twice, on a new connection,
    /// when the first was closed meanwhile.
    pub(super) async fn start(
        &self,
        create: bool,
        sql: &str,
        values: &[Value<'_>],
    ) -> Result<(Lent<'_>, Vec<Row>), Failure> {
        // Nobody closes it.
        let Ok(turn) = self.turns.acquire().await else { return Err(Failure::Again) };
        let idle = self.lock().pop();
        if let Some((_, mut session)) = idle {
            match session.rows(sql, values).await {
                Ok(rows) => return Ok((Lent { of: self, session, _turn: turn }, rows)),
                // The server was restarted: it has closed the others too.
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

/// A connection to a server, in bounded time.
#[cfg(any(feature = "postgres", feature = "mysql"))]
pub(super) async fn connected<T>(connect: impl Future<Output = Result<T, sqlx::Error>>) -> Result<T, sqlx::Error> {
    let waited = || std::io::Error::new(std::io::ErrorKind::TimedOut, format!("no answer in {CONNECT_LIMIT:?}"));
    tokio::time::timeout(CONNECT_LIMIT, connect).await.unwrap_or_else(|_| Err(sqlx::Error::Io(waited())))
}

impl Lent<'_> {
    pub(super) fn session(&mut self) -> &mut dyn Session {
        &mut *self.session
    }

    /// Ends the transaction, so that all of it is kept.
    pub(super) async fn commit(mut self) -> Result<(), Failure> {
        self.session.run("COMMIT", &[]).await?;
        self.give_back().await;
        Ok(())
    }

    /// Lets the next call have the connection.
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
