//! Writing data: to stdout or to a file.

use crate::failure::Failure;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What stdout was when the command began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stdout {
    Open,
    /// `/dev/null`, opened for reading and writing: somebody discards the output, or the runtime
    /// has put it in place of a closed stdout.
    MaybeClosed,
    Closed,
}

/// Noted once: a file that is opened later may take the descriptor of a closed stdout, and must not
/// be written to in its place.
static STDOUT: OnceLock<Stdout> = OnceLock::new();

/// Notes whether stdout is closed, before the command opens anything.
///
/// The runtimes of Rust and Node open `/dev/null` for reading and writing in place of a closed
/// stdout, before any code of ours; `is_replaced` says that this is such a process. What discards
/// output on purpose mostly opens it for writing only, as a shell's `> /dev/null` does; Python's
/// `subprocess.DEVNULL` and Node's `stdio: 'ignore'` look like a closed stdout.
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

/// Buffered output that knows its name for error messages.
pub(crate) struct Output {
    name: PathBuf,
    writer: BufWriter<Box<dyn Write>>,
}

impl Output {
    /// Stdout for IDs and other data that the caller asked for. It is refused where it may have been
    /// closed when the command began: the data would be lost, and the standard library reports a
    /// write to a closed stdout as done.
    pub(crate) fn stdout() -> Result<Self, Failure> {
        Self::unless(|stdout| stdout != Stdout::Open)
    }

    /// Stdout for a report beside an exit code or an effect, which loses no ID: it is refused only
    /// where it surely was closed.
    pub(crate) fn report() -> Result<Self, Failure> {
        Self::unless(|stdout| stdout == Stdout::Closed)
    }

    fn unless(is_refused: impl FnOnce(Stdout) -> bool) -> Result<Self, Failure> {
        if is_refused(*STDOUT.get().unwrap_or(&Stdout::Open)) {
            let what = "closed (or /dev/null opened for reading and writing, which looks the same): give it a file \
                        or a pipe; > /dev/null discards the output";
            return Err(Failure::io("stdout")(io::Error::other(what)));
        }
        Ok(Output { name: "stdout".into(), writer: BufWriter::new(Box::new(io::stdout())) })
    }

    /// A file, made new or written over; stdout where there is none.
    pub(crate) fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else { return Self::stdout() };
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

/// Prints data that ends in its own line break.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    write(Output::stdout()?, text)
}

/// Prints a report beside an exit code or an effect.
pub(crate) fn report(text: &str) -> Result<(), Failure> {
    write(Output::report()?, text)
}

fn write(mut output: Output, text: &str) -> Result<(), Failure> {
    output.line(text.trim_end())?;
    output.finish()
}
