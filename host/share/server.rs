//! Commands to the server, each within a budget of time, and none while the server is in trouble.
//!
//! One background task ([`Server::recover`]) finds out whether the server works again. No visitor waits for the server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::{Notify, OnceCell};
use tokio::time::timeout;
use tokio_rustls::rustls::ClientConfig;

use super::address::ShareAddress;
use super::connection::{ConnectError, Connection, is_unfit, refusal};
use super::counters::{OperationResult, ShareCounters};
use super::pauses::Pauses;
use super::resp::{Reply, RespError};
use super::stored::StoredError;
use super::tls;
use crate::observe::{ErrorChain, LogThrottle};

/// Time for an exchange of short commands.
pub(super) const BUDGET: Duration = Duration::from_millis(150);
/// Limit of the replies to short commands, in bytes.
pub(super) const SHORT: usize = 1 << 10;
/// A server is too far away if a round trip takes this long or longer: a delay that is usual on such a way would then be
/// taken for trouble.
pub(super) const FAR: Duration = Duration::from_millis(50);
/// Time for a connection, which takes up to four round trips.
const CONNECT: Duration = Duration::from_secs(1);
/// Most connections that are kept for the next exchange: orders, the lease and parts of a version are exchanged at once.
const MOST_IDLE: usize = 4;
/// Time between two log lines about the same trouble.
const PERIOD_OF_WARNINGS: Duration = Duration::from_secs(60);

/// Why the server could not be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ShareError {
    #[error("no connection")]
    Connect(#[source] ConnectError),
    #[error("no answer")]
    Exchange(#[source] RespError),
    #[error("no answer within {0:?}")]
    TimedOut(Duration),
    /// The server failed a moment ago.
    #[error("the server is left alone for a while")]
    Skipped,
    #[error("the server refuses: {0}")]
    Refused(String),
    #[error("the server answers something else than was asked for")]
    Unexpected,
}

/// The server and the connections to it.
#[derive(Debug)]
pub(super) struct Server {
    address: ShareAddress,
    /// How connections are encrypted, once it was needed.
    encryption: OnceCell<Arc<ClientConfig>>,
    is_up: AtomicBool,
    /// Whether nothing is known of it yet.
    is_new: AtomicBool,
    /// How often it was found to work.
    recoveries: AtomicU64,
    /// Wakes the task that tries the server again.
    doubt: Notify,
    idle: Mutex<Vec<Connection>>,
    counters: ShareCounters,
    throttle: LogThrottle,
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Connection")
    }
}

impl Server {
    pub(super) fn new(address: ShareAddress) -> Self {
        Self {
            address,
            encryption: OnceCell::new(),
            is_up: AtomicBool::new(false),
            is_new: AtomicBool::new(true),
            recoveries: AtomicU64::new(0),
            doubt: Notify::new(),
            idle: Mutex::default(),
            counters: ShareCounters::default(),
            throttle: LogThrottle::every(PERIOD_OF_WARNINGS),
        }
    }

    pub(super) fn address(&self) -> &ShareAddress {
        &self.address
    }

    pub(super) fn counters(&self) -> &ShareCounters {
        &self.counters
    }

    pub(super) fn is_up(&self) -> bool {
        self.is_up.load(Ordering::Relaxed)
    }

    /// Makes a connection and waits for an answer on it.
    ///
    /// # Errors
    /// When there is no answer within this budget.
    pub(super) async fn probe(&self, budget: Duration) -> Result<Connection, ShareError> {
        // Outside of the budget, which would cut it off each time.
        self.encryption().await?;
        timeout(budget, self.open()).await.map_err(|_| ShareError::TimedOut(budget))?
    }

    async fn open(&self) -> Result<Connection, ShareError> {
        let encryption = self.encryption().await?;
        Connection::open(&self.address, encryption).await.map_err(ShareError::Connect)
    }

    /// How connections are encrypted, if they are.
    async fn encryption(&self) -> Result<Option<&Arc<ClientConfig>>, ShareError> {
        if !self.address.tls {
            return Ok(None);
        }
        let config = self.encryption.get_or_try_init(tls::config).await;
        config.map(Some).map_err(|error| ShareError::Connect(ConnectError::Tls(error)))
    }

    /// Sends commands within `budget`, beside the time for a connection, and returns the reply to each, of at most `limit`
    /// bytes. Before the first attempt to follow the orders the server is asked too: what is older than an order that becomes
    /// known later is recognised then.
    ///
    /// # Errors
    /// When the server does not answer in time or not as it should. It is then left alone for a while.
    pub(super) async fn exchange(
        &self,
        commands: &[&[&[u8]]],
        limit: usize,
        budget: Duration,
    ) -> Result<Vec<Reply>, ShareError> {
        if !self.is_up() && !self.is_new.load(Ordering::Relaxed) {
            self.count(OperationResult::Skipped);
            return Err(ShareError::Skipped);
        }
        let recoveries = self.recoveries();
        let exchanged = self.exchange_on_a_connection(commands, limit, budget).await;
        match &exchanged {
            Ok(_) => self.count(OperationResult::Answered),
            Err(error) => {
                self.count(OperationResult::Failed);
                // Unless it was found to work since.
                if recoveries == self.recoveries() {
                    self.fail(error);
                }
            }
        }
        exchanged
    }

    fn recoveries(&self) -> u64 {
        self.recoveries.load(Ordering::Relaxed)
    }

    async fn exchange_on_a_connection(
        &self,
        commands: &[&[&[u8]]],
        limit: usize,
        budget: Duration,
    ) -> Result<Vec<Reply>, ShareError> {
        let in_time = async |connection: &mut Connection| {
            let exchanged = timeout(budget, connection.exchange(commands, limit)).await;
            exchanged.map_err(|_| ShareError::TimedOut(budget))?.map_err(ShareError::Exchange)
        };
        let idle = self.idle.lock().pop();
        if let Some(mut connection) = idle {
            match in_time(&mut connection).await {
                // Servers close connections that nobody uses. Every command here may be sent twice.
                Err(ShareError::Exchange(RespError::Io(_))) => {}
                Err(error) => return Err(error),
                Ok(replies) => {
                    self.keep(connection);
                    return Ok(replies);
                }
            }
        }
        let mut connection = self.probe(CONNECT).await?;
        let replies = in_time(&mut connection).await?;
        self.keep(connection);
        Ok(replies)
    }

    /// Keeps a connection for the next exchange.
    fn keep(&self, connection: Connection) {
        let mut idle = self.idle.lock();
        if idle.len() < MOST_IDLE {
            idle.push(connection);
        }
    }

    /// [`Self::exchange`] of one command that is answered shortly. A refusal is logged, and is an error.
    ///
    /// # Errors
    /// Those of [`Self::exchange`], and when the server refuses the command.
    pub(super) async fn command(&self, command: &[&[u8]]) -> Result<Reply, ShareError> {
        let replies = self.exchange(&[command], SHORT, BUDGET).await?;
        self.accepted(replies.into_iter().next().ok_or(ShareError::Unexpected)?)
    }

    /// The reply, unless it says that the command is refused. A server that says that it is unfit is left alone
    /// for a while.
    ///
    /// # Errors
    /// When the command is refused.
    pub(super) fn accepted(&self, reply: Reply) -> Result<Reply, ShareError> {
        let Reply::Error(message) = reply else { return Ok(reply) };
        self.count(OperationResult::Refused);
        let error = ShareError::Refused(refusal(&self.address, &message));
        if is_unfit(&message) {
            self.fail(&error);
        } else if self.throttle.allows("refused") {
            tracing::warn!(
                server = %self.address, error = %ErrorChain(&error),
                "the shared server refuses a command; this replica goes on alone"
            );
        }
        Err(error)
    }

    /// Logs that a stored value cannot be used.
    pub(super) fn warn_of_value(&self, error: Option<&StoredError>) {
        if self.throttle.allows("value") {
            let error = error
                .map_or_else(|| ShareError::Unexpected.to_string(), |error| ErrorChain(error).to_string());
            tracing::warn!(
                server = %self.address, error,
                "a value of the shared server cannot be used; this replica goes on alone"
            );
        }
    }

    /// Logs that orders of other replicas may be lost.
    pub(super) fn warn_of_lost_orders(&self) {
        if self.throttle.allows("lost") {
            tracing::warn!(
                server = %self.address, "other replicas' orders were lost; everything is purged softly"
            );
        }
    }

    pub(super) fn count(&self, result: OperationResult) {
        self.counters.operations(result).increment();
    }

    /// Leaves the server alone until it has been tried again.
    pub(super) fn fail(&self, error: &ShareError) {
        self.idle.lock().clear();
        self.is_new.store(false, Ordering::Relaxed);
        if self.is_up.swap(false, Ordering::Relaxed) {
            self.doubt.notify_one();
        }
        if self.throttle.allows("down") {
            tracing::warn!(
                server = %self.address, error = %ErrorChain(error),
                "the shared server is in trouble; this replica goes on alone"
            );
        }
    }

    /// Completes when an exchange has failed.
    pub(super) async fn doubted(&self) {
        loop {
            self.doubt.notified().await;
            // The signal may be about an exchange before the last attempt.
            if !self.is_up() {
                return;
            }
        }
    }

    /// Tries the server until it works, and returns a connection to it. Calls `failed` after each failure.
    pub(super) async fn recover(&self, pauses: &mut Pauses, mut failed: impl FnMut()) -> Connection {
        loop {
            match self.probe(CONNECT).await {
                Ok(connection) => {
                    pauses.works();
                    return connection;
                }
                Err(error) => {
                    self.fail(&error);
                    failed();
                    tokio::time::sleep(pauses.next()).await;
                }
            }
        }
    }

    /// Asks the server from now on.
    pub(super) fn trust(&self) {
        self.recoveries.fetch_add(1, Ordering::Relaxed);
        self.is_new.store(false, Ordering::Relaxed);
        if !self.is_up.swap(true, Ordering::Relaxed) && self.throttle.allows("up") {
            tracing::info!(server = %self.address, "sharing with other replicas");
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    #[tokio::test]
    async fn a_server_that_works_again_is_not_marked_down_by_an_older_command() {
        // It accepts connections and never answers.
        let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("redis://{}", silent.local_addr().unwrap());
        let server = Server::new(address.parse().unwrap());
        for is_older in [true, false] {
            server.trust();
            let failing = server.command(&[b"TIME"]);
            let recovering = async {
                tokio::time::sleep(CONNECT / 3).await;
                if is_older {
                    server.fail(&ShareError::Unexpected);
                    server.trust();
                }
            };
            let (failed, ()) = tokio::join!(failing, recovering);
            assert!(failed.is_err());
            assert_eq!(server.is_up(), is_older);
        }
    }
}
