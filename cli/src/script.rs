//! `saiban sql` and `saiban lua`: print generators that run in PostgreSQL and in Redis.

use crate::args::{Lua, Sql};
use crate::failure::Failure;
use crate::output;
use crate::scheme::read_layout;
use saiban::{Error, Layout};
use std::time::{SystemTime, UNIX_EPOCH};

pub(crate) fn sql(arguments: &Sql) -> Result<(), Failure> {
    let layout = layout(&arguments.layout)?;
    output::print(layout.postgres_function(&arguments.name, arguments.node)?.trim_end())
}

pub(crate) fn lua(arguments: &Lua) -> Result<(), Failure> {
    let layout = layout(&arguments.layout)?;
    let text = match &arguments.function {
        Some(name) => layout.redis_library(name)?,
        None => layout.redis_script()?,
    };
    output::print(text.trim_end())
}

fn layout(words: &[String]) -> Result<Layout, Failure> {
    let text = words.join(" ");
    let read =
        |text: &str| -> Result<Layout, Error> { if text.is_empty() { Ok(Layout::TWITTER) } else { read_layout(text) } };
    let layout = read(&text).map_err(Failure::of(text.trim()))?;
    let now_ns = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
    // A layout whose time is over makes no more IDs. One whose time has not begun may be set up
    // now.
    match layout.tick_at_ns(u64::try_from(now_ns).unwrap_or(u64::MAX)) {
        Err(error @ Error::TimestampOverflow { .. }) => Err(error).map_err(Failure::of(text.trim())),
        _ => Ok(layout),
    }
}
