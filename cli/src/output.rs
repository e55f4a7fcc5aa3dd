//! Writes data to stdout or to a file. All commands print their results with it.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The state of stdout when the command began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stdout {
    Open,
    /// `/dev/null`, opened for reading and writing. Either somebody discards the output, or the
    /// runtime opened it in place of a closed stdout.
    #[cfg_attr(not(unix), expect(dead_code, reason = "other systems have no /dev/null"))]
    MaybeClosed,
    Closed,
}

/// The state of stdout, set once at the start. A file that is opened later may get the descriptor
/// of a closed stdout, and must not be written to in place of stdout.
static STDOUT: OnceLock<Stdout> = OnceLock::new();

/// Records whether stdout is closed. Call it before the command opens anything.
///
/// The runtimes of Rust and Node open `/dev/null` for reading and writing in place of a closed
/// stdout, before any code of ours runs. `is_replaced` is true in such a process.
///
/// Most programs that discard output open `/dev/null` for writing only, as a shell's `> /dev/null`
/// does. Python's `subprocess.DEVNULL` and Node's `stdio: 'ignore'` look like a closed stdout.
pub(crate) fn note_whether_closed(is_replaced: bool) {
    let _ = STDOUT.set(stdout(is_replaced));
}

#[cfg(unix)]
fn stdout(is_replaced: bool) -> Stdout {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let stdout = rustix::stdio::stdout();
    let Ok(flags) = fcntl_getfl(stdout) else { return Stdout::Closed };
    let is_null = |null: rustix::fs::Stat| fstat(stdout).is_ok_and(|stdout| stdout.st_rdev == null.st_rdev);
    let may_be_closed = is_replaced && flags & OFlags::RWMODE == OFlags::RDWR && stat("/dev/null").is_ok_and(is_null);
    if may_be_closed { Stdout::MaybeClosed } else { Stdout::Open }
}

#[cfg(not(unix))]
fn stdout(_is_replaced: bool) -> Stdout {
    Stdout::Open
}

/// A buffered output with a name for error messages.
pub(crate) struct Output {
    name: PathBuf,
    writer: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// Returns stdout, for IDs and other data that the user requested.
    ///
    /// # Errors
    /// `Failure::Io` if stdout may have been closed when the command began. The data would be lost:
    /// the standard library reports a write to a closed stdout as successful.
    pub(crate) fn stdout() -> Result<Self, Failure> {
        Self::unless(|stdout| stdout != Stdout::Open)
    }

    /// Returns stdout, for a report that accompanies an exit code or an effect. Losing the report
    /// loses no ID.
    ///
    /// # Errors
    /// `Failure::Io` only if stdout was certainly closed when the command began.
    pub(crate) fn report() -> Result<Self, Failure> {
        Self::unless(|stdout| stdout == Stdout::Closed)
    }

    fn unless(is_refused: impl FnOnce(Stdout) -> bool) -> Result<Self, Failure> {
        if is_refused(*STDOUT.get().unwrap_or(&Stdout::Open)) {
            let what = "closed (or /dev/null opened for reading and writing, which cannot be distinguished): give it \
                        a file or a pipe; > /dev/null discards the output";
            return Err(Failure::io("stdout")(io::Error::other(what)));
        }
        Ok(Output { name: "stdout".into(), writer: BufWriter::new(Box::new(io::stdout())) })
    }

    /// Creates or overwrites the file at `path`. Without a path it returns stdout.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Self::stdout() };
        let file = File::create(path).map_err(Failure::file(path))?;
        Ok(Output { name: path.into(), writer: BufWriter::new(Box::new(file)) })
    }

    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        let Output { name, writer } = self;
        writer.write_all(line.as_bytes()).and_then(|()| writer.write_all(b"\n")).map_err(Failure::file(name))
    }

    /// Writes the buffered lines, before the command reports something else or waits.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.writer.flush().map_err(Failure::file(&self.name))
    }

    /// Writes the buffered lines, and returns their error. A drop would ignore it.
    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

/// Prints data, with exactly one line break at the end.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(Output::stdout()?, text)
}

/// Prints a report that accompanies an exit code or an effect, with one line break at the end.
#[cfg(feature = "lease")]
pub(crate) fn report(text: &str) -> Result<(), Failure> {
    write(Output::report()?, text)
}

fn write(mut output: Output, text: &str) -> Result<(), Failure> {
    output.line(text.trim_end())?;
    output.finish()
}
