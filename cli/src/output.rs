//! Writing data: to stdout or to a file.

use crate::failure::Failure;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// Buffered output that knows its name for error messages.
pub(crate) struct Output {
    name: PathBuf,
    writer: BufWriter<Box<dyn Write>>,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Output { name: "stdout".into(), writer: BufWriter::new(Box::new(std::io::stdout())) }
    }

    /// A file, made new or written over; stdout where there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Ok(Self::stdout()) };
        let file = File::create(path).map_err(Failure::file(path))?;
        Ok(Output { name: path.into(), writer: BufWriter::new(Box::new(file)) })
    }

    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        let Output { name, writer } = self;
        writer.write_all(line.as_bytes()).and_then(|()| writer.write_all(b"\n")).map_err(Failure::file(name))
    }

    /// Writes what is still buffered, before something else is said or waited for.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(Failure::file(&self.name))
    }

    /// Writes what is still buffered: errors of the last lines would be lost without it.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

/// Prints text that ends in its own line break.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut output = Output::stdout();
    output.line(text.trim_end())?;
    output.finish()
}
