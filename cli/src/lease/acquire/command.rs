//! Starts, signals and kills the command that runs under a lease.

use super::super::args::Exec;
use crate::failure::Failure;
use rustix::fs::{Access, access};
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::process::{Child, Command};

/// The path at which Linux shows a process the file of its own program, even after that file was
/// replaced.
const OWN_FILE: &str = "/proc/self/exe";

/// Whether the file is the program `saiban`. In the Python and Node packages it is the interpreter.
static IS_PROGRAM: AtomicBool = AtomicBool::new(false);

/// Records that this process is the program `saiban`.
pub(crate) fn is_program() {
    IS_PROGRAM.store(true, Ordering::Relaxed);
}

/// A command that was started.
pub(super) struct Running {
    pub(super) child: Child,
    /// The command's own process group, if it has one. The processes that it starts belong to it
    /// too.
    group: Option<Pid>,
}

impl Running {
    /// Kills the command and its process group at once. This also applies to a command that has
    /// ended because its lease was lost: the processes that it started may still run.
    pub(super) fn kill(&self) {
        send(Signal::KILL, &self.child);
        if let Some(group) = self.group {
            // The group may be empty already.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}

/// Sends a signal to the command, if it still runs.
pub(super) fn send(signal: Signal, command: &Child) {
    let pid = command.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        // The command may have ended just now.
        let _ = kill_process(pid, signal);
    }
}

/// Checks, before there is a lease, that the program exists and is executable. The start of the
/// command reports all other problems.
///
/// # Errors
/// The failure, and the exit code as shells define it: 126 or 127.
pub(super) fn check(words: &[OsString]) -> Result<(), (Failure, u8)> {
    let program = words.first().map_or(OsStr::new(""), OsString::as_os_str);
    let found: Vec<PathBuf> = if program.as_bytes().contains(&b'/') {
        vec![program.into()]
    } else {
        let path = std::env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
        std::env::split_paths(&path).map(|folder| folder.join(program)).collect()
    };
    let is_program = |path: &&PathBuf| path.is_file() && access(path.as_path(), Access::EXEC_OK).is_ok();
    if found.iter().any(|path| is_program(&path)) {
        return Ok(());
    }
    let kind =
        if found.iter().any(|path| path.exists()) { io::ErrorKind::PermissionDenied } else { io::ErrorKind::NotFound };
    Err(refused(program, kind.into()))
}

/// Starts the command.
///
/// On Linux the program `saiban` starts its own file first. That process asks the kernel to end it
/// together with this one, and then becomes the command. Only the process itself can ask for that.
///
/// # Errors
/// The failure, and the exit code as shells define it: 126 or 127.
pub(super) fn start(words: &[OsString], environment: &[(&str, String)]) -> Result<Running, (Failure, u8)> {
    let variables = environment.iter().map(|(name, value)| (name, value));
    let (program, arguments) = of(words);
    let ends_with_us = cfg!(target_os = "linux") && IS_PROGRAM.load(Ordering::Relaxed) && Path::new(OWN_FILE).exists();
    let mut command = if ends_with_us {
        let mut command = Command::new(OWN_FILE);
        let parent = std::process::id().to_string();
        command.arg0("saiban").args(["lease", "exec", "--parent", &parent, "--"]).args(words);
        command
    } else {
        let mut command = Command::new(program);
        command.args(arguments);
        command
    };
    // A terminal sends signals and input to the foreground group, which the shell made. With a
    // terminal, the command therefore stays in our process group.
    let has_group = ends_with_us && File::open("/dev/tty").is_err();
    if has_group {
        command.process_group(0);
    }
    let child = command.envs(variables).spawn().map_err(|error| refused(program, error))?;
    let group = child.id().filter(|_| has_group).and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    Ok(Running { child, group })
}

/// Replaces this process by the command, which gets SIGTERM when its parent ends. Returns the exit
/// code if the command cannot be started, or if the parent has already ended.
pub(crate) fn exec(arguments: &Exec) -> u8 {
    use std::os::unix::process::CommandExt;
    #[cfg(target_os = "linux")]
    {
        // If the kernel refuses, the command runs without the signal.
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
        // The parent may have ended before the call above.
        if rustix::process::getppid().map(|parent| parent.as_raw_nonzero().get()) != Some(arguments.parent) {
            return exit_code_of(Signal::TERM);
        }
    }
    let (program, rest) = of(&arguments.command);
    let (failure, code) = refused(program, std::process::Command::new(program).args(rest).exec());
    failure.print();
    code
}

fn of(words: &[OsString]) -> (&OsStr, &[OsString]) {
    words.split_first().map_or((OsStr::new(""), &[]), |(program, arguments)| (program.as_os_str(), arguments))
}

fn refused(program: &OsStr, error: io::Error) -> (Failure, u8) {
    let code = if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 };
    (Failure::Io { what: program.to_string_lossy().into_owned(), error }, code)
}

/// Returns the exit code of a command that has ended, as shells define it.
pub(super) fn exit_code(status: ExitStatus) -> u8 {
    let code = status.code().or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}

/// Returns the exit code, as shells define it, of a process that this signal ended.
pub(super) fn exit_code_of(signal: Signal) -> u8 {
    u8::try_from(128 + signal.as_raw()).unwrap_or(1)
}
