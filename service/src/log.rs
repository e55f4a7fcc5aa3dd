//! Structured logs, on stderr.

use crate::config::{LogConfig, LogFormat, LogLevel};
use std::io::{IsTerminal, stderr};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload::{self, Handle};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// The log, whose level may change.
pub(crate) struct Log(Handle<Targets, Registry>);

impl Log {
    pub(crate) fn set_level(&self, level: LogLevel) {
        // It fails where the program has installed another logger, as tests do.
        let _ = self.0.reload(filter(level));
    }
}

/// Begins to log. Where somebody does already, as in tests, they go on.
pub(crate) fn begin(config: &LogConfig) -> Log {
    let (filter, handle) = reload::Layer::new(filter(config.level));
    let layer = fmt::layer().with_writer(stderr).with_target(false);
    let layer = match config.format {
        LogFormat::Text => layer.with_ansi(stderr().is_terminal()).with_filter(filter).boxed(),
        LogFormat::Json => layer.json().flatten_event(true).with_filter(filter).boxed(),
    };
    let _ = tracing_subscriber::registry().with(layer).try_init();
    Log(handle)
}

fn filter(level: LogLevel) -> Targets {
    let level = match level {
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    };
    // What libraries say, of their own work and of what goes over the wire, only when it matters.
    Targets::new().with_target("saiban", level).with_default(level.min(LevelFilter::WARN))
}
