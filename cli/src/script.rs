//! `saiban sql` and `saiban lua`: generators that run in PostgreSQL and in Redis, as text.

use crate::args::{Lua, Sql};
use crate::failure::Failure;
use crate::output;
use crate::scheme::read_layout;
use saiban::{Error, Layout};

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
    read(&text).map_err(Failure::of(text.trim()))
}
