//! The signals that the service handles: those that end it, and the one that reloads its
//! configuration. `run` waits for them.

/// What a signal asks for.
pub(crate) enum Signal {
    /// Reload the configuration. Windows has no such signal.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has no such signal"))]
    Reload,
    /// End the service. The name of the signal is for the log.
    End(&'static str),
}

pub(crate) use system::Signals;

impl Signals {
    /// Waits for the next signal that ends the service, and returns its name.
    pub(crate) async fn end(&mut self) -> &'static str {
        loop {
            if let Signal::End(signal) = self.next().await {
                return signal;
            }
        }
    }
}

#[cfg(unix)]
mod system {
    use super::Signal;
    use std::io;
    use tokio::signal::unix::{self, SignalKind, signal};

    /// Receives the signals.
    pub(crate) struct Signals {
        terminate: unix::Signal,
        interrupt: unix::Signal,
        hangup: unix::Signal,
    }

    impl Signals {
        /// Catches the signals. From now on they no longer end the process.
        pub(crate) fn catch() -> io::Result<Self> {
            Ok(Signals {
                terminate: signal(SignalKind::terminate())?,
                interrupt: signal(SignalKind::interrupt())?,
                hangup: signal(SignalKind::hangup())?,
            })
        }

        /// Waits for the next signal.
        pub(crate) async fn next(&mut self) -> Signal {
            tokio::select! {
                _ = self.terminate.recv() => Signal::End("SIGTERM"),
                _ = self.interrupt.recv() => Signal::End("SIGINT"),
                _ = self.hangup.recv() => Signal::Reload,
            }
        }
    }
}

#[cfg(windows)]
mod system {
    use super::Signal;
    use std::io;
    use tokio::signal::windows::{self, CtrlBreak, CtrlC, CtrlClose, CtrlShutdown};

    /// Receives the signals.
    pub(crate) struct Signals {
        interrupt: CtrlC,
        stop: CtrlBreak,
        close: CtrlClose,
        shutdown: CtrlShutdown,
    }

    impl Signals {
        /// Catches the signals. From now on they no longer end the process.
        pub(crate) fn catch() -> io::Result<Self> {
            Ok(Signals {
                interrupt: windows::ctrl_c()?,
                stop: windows::ctrl_break()?,
                close: windows::ctrl_close()?,
                shutdown: windows::ctrl_shutdown()?,
            })
        }

        /// Waits for the next signal.
        pub(crate) async fn next(&mut self) -> Signal {
            tokio::select! {
                _ = self.interrupt.recv() => Signal::End("Ctrl+C"),
                _ = self.stop.recv() => Signal::End("Ctrl+Break"),
                _ = self.close.recv() => Signal::End("the console was closed"),
                _ = self.shutdown.recv() => Signal::End("the system shuts down"),
            }
        }
    }
}
