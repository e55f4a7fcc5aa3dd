//! Structured logs on stderr. `run` starts them, and a reload may change their level.

use crate::config::{LogConfig, LogFormat, LogLevel};
use std::io::{IsTerminal, stderr};
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::reload::{self, Handle};
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, Registry, fmt};

/// The log, whose level can change.
pub(crate) struct Log(Handle<Targets, Registry>);

impl Log {
    pub(crate) fn set_level(&self, level: LogLevel) {
        // This fails if the program installed another logger, as tests do.
        let _ = self.0.reload(filter(level));
    }
}

/// Starts the log. If the program has installed a logger, as tests do, that one stays.
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
    // Libraries also log what they do and what they send. Only their warnings and errors are
    // logged.
    Targets::new().with_target("saiban", level).with_default(level.min(LevelFilter::WARN))
}
