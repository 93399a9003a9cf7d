//! Running a command.

use std::{
    ffi::OsString,
    io::Read,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The most that is kept of what a command says on its standard error.
const STDERR_KEPT: usize = 2048;

/// A command to run.
pub(super) struct Call {
    /// The file to run.
    pub(super) program: PathBuf,
    pub(super) arguments: Vec<String>,
    /// All of its variables; those of this process are not added.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// Whether it may read our standard input, and speak to whoever sits there.
    pub(super) interactive: bool,
}

/// How a command ended.
pub(super) struct Outcome {
    /// `None` where a signal ended it.
    pub(super) code: Option<i32>,
    pub(super) stdout: Vec<u8>,
    /// The end of its standard error; empty where it went to a person.
    pub(super) stderr: String,
}

/// Runs a command to its end, handing what it says on standard error to `on_stderr` meanwhile. Blocks.
///
/// # Errors
/// Where it cannot be started.
pub(super) fn run(call: &Call, on_stderr: &(dyn Fn(&[u8]) + Sync)) -> std::io::Result<Outcome> {
    let stdio = |there: bool, otherwise: fn() -> Stdio| if there { Stdio::inherit() } else { otherwise() };
    let mut child = Command::new(&call.program)
        .args(&call.arguments)
        .env_clear()
        .envs(call.environment.iter().map(|(name, value)| (name, value)))
        .stdin(stdio(call.interactive, Stdio::null))
        .stdout(Stdio::piped())
        .stderr(stdio(call.interactive, Stdio::piped))
        .spawn()?;
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    let mut output = Vec::new();
    let said = std::thread::scope(|scope| {
        let reader = scope.spawn(|| stderr.map(|pipe| read_tail(pipe, on_stderr)).unwrap_or_default());
        let read = stdout.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut output));
        // A reader that panicked has nothing to say.
        read.map(|_length| reader.join().unwrap_or_default())
    })?;
    let status = child.wait()?;
    Ok(Outcome { code: status.code(), stdout: output, stderr: said })
}

/// The end of what comes from `pipe`, as text.
fn read_tail(mut pipe: impl Read, on_chunk: &(dyn Fn(&[u8]) + Sync)) -> String {
    let mut tail = Vec::new();
    let mut chunk = [0; 1024];
    // A pipe that breaks is at its end.
    while let Ok(length @ 1..) = pipe.read(&mut chunk) {
        let chunk = chunk.get(..length).unwrap_or_default();
        on_chunk(chunk);
        tail.extend_from_slice(chunk);
        let surplus = tail.len().saturating_sub(STDERR_KEPT);
        tail.drain(..surplus);
    }
    String::from_utf8_lossy(&tail).trim().to_owned()
}

/// The file that `command` names: one with a separator is a path, another is looked for in the folders of `path` (Go
/// `exec.LookPath`).
pub(super) fn look_path(command: &str, path: Option<&OsString>) -> Option<PathBuf> {
    if command.contains(std::path::is_separator) {
        let file = Path::new(command);
        return is_executable(file).then(|| file.to_owned());
    }
    std::env::split_paths(path?).map(|folder| folder.join(command)).find(|file| is_executable(file))
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file() || ["exe", "cmd", "bat", "com"].iter().any(|extension| file.with_extension(extension).is_file())
}
