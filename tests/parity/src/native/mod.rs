//! One measurement, named on the command line.

mod delayed;
mod meter;
mod queue;
mod repeat;

use std::{
    env,
    io::{Write as _, stdout},
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use porthole_client_core::{host::native::NativePlatform, platform::Platform, store::Key, workqueue::WorkQueue};
use tokio::runtime::{self, Handle};

use repeat::{Costs, repeat};

type Fallible<T> = Result<T, String>;

/// As many as the other side has (`GOMAXPROCS`).
const THREADS: usize = 2;

pub(super) fn run() -> ExitCode {
    match measured() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measured() -> Fallible<()> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [measurement, seconds] = arguments.as_slice() else {
        return Err("say a measurement and for how many seconds, or start it with tools/bench-core".to_owned());
    };
    let length = seconds.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let length = length.ok_or_else(|| format!("\"{seconds}\" is no number of seconds"))?;
    let runtime = runtime::Builder::new_multi_thread().worker_threads(THREADS).enable_all().build();
    let runtime = runtime.map_err(|error| format!("start {THREADS} threads: {error}"))?;
    let costs = runtime.block_on(measure(measurement, length))?;
    writeln!(stdout(), "{}", costs.to_json()).map_err(|error| format!("print what it cost: {error}"))
}

async fn measure(measurement: &str, length: Duration) -> Fallible<Costs> {
    match measurement {
        "queue_1" => repeat(length, || queue::through(1, 1)).await,
        "queue_8" => repeat(length, || queue::through(2, 8)).await,
        "queue_idle_1" => repeat(length, || queue::one_by_one(1)).await,
        "queue_idle_8" => repeat(length, || queue::one_by_one(8)).await,
        "queue_again" => repeat(length, queue::again).await,
        "delayed_add" => repeat(length, delayed::add).await,
        "delayed_again" => repeat(length, delayed::again).await,
        "delayed_due" => repeat(length, delayed::due).await,
        "delayed_spread" => repeat(length, delayed::spread).await,
        other => Err(format!("there is no measurement {other}")),
    }
}

/// A new queue on this runtime.
fn queue() -> WorkQueue<Key> {
    let platform: Arc<dyn Platform> = Arc::new(NativePlatform::new(Handle::current()));
    WorkQueue::new(platform)
}

/// So many keys of pods, each another.
fn keys(count: usize) -> Vec<Key> {
    (0..count).map(|number| Key::of_name("production", &format!("web-server-{number:07}-x7k2p"))).collect()
}
