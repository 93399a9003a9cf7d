//! From the start of a control plane to the verdict.

use std::{process::ExitCode, time::Duration};

use tokio::{
    runtime::Runtime,
    select,
    signal::unix::{SignalKind, signal},
    time::{Instant, sleep, timeout},
};

use super::{
    Fallible,
    cluster::{Cluster, connector},
    compare::differences,
    disturb::ALL,
    exit,
    figures::Figures,
    memory::{Memory, resident},
    objects::setting,
    options::Options,
    random::Random,
    scene::Scene,
    while_doing,
    writers::Writers,
};
use crate::plan::{NAMESPACES, Plan};

/// How long the caches may take to be live again: a reflector waits for a minute at most.
const HEALING: Duration = Duration::from_secs(180);
/// How long what was written last may be on its way.
const SETTLING: Duration = Duration::from_secs(20);
/// How long anything may take to start.
const STARTING: Duration = Duration::from_secs(180);
const MIB: f64 = 1_048_576.0;
/// More than the noise.
const MOST_GROWTH: f64 = 10.0;

pub(crate) fn run() -> ExitCode {
    let run = || {
        let options = Options::of_environment()?;
        let runtime = while_doing("start", Runtime::new())?;
        runtime.block_on(async {
            let mut end = while_doing("listen to signals", signal(SignalKind::terminate()))?;
            let mut interrupt = while_doing("listen to signals", signal(SignalKind::interrupt()))?;
            // What was started ends with what holds it.
            select! {
                result = soak(&options) => result,
                _ = end.recv() => Err("it was told to end".to_owned()),
                _ = interrupt.recv() => Err("it was interrupted".to_owned()),
            }
        })
    };
    exit(run())
}

async fn soak(options: &Options) -> Fallible<()> {
    eprintln!("soak: {:.1} minutes with seed {}", options.length.as_secs_f64() / 60.0, options.seed);
    let cluster = Cluster::up(options).await?;
    cluster.kubectl(&["apply", "--filename", "-"], &setting(&NAMESPACES)).await?;
    let definition = "customresourcedefinition/gauges.soak.porthole.example";
    cluster.kubectl(&["wait", "--for=condition=Established", definition], "").await?;
    let mut random = Random::new(options.seed);
    let client = while_doing("make a client", connector().client(&cluster.config()?))?;
    let writers = Writers::start(&client, options.rate, &mut random);
    let mut scene = Scene::set(options, cluster, random.split(), &writers).await?;
    let result = watch(options, &mut scene, writers).await;
    if result.is_err() {
        scene.journal.tell();
    }
    result
}

async fn watch(options: &Options, scene: &mut Scene, writers: Writers) -> Fallible<()> {
    until_live(scene, STARTING).await?;
    let start = Instant::now();
    let mut figures = Figures { seed: options.seed, ..Figures::default() };
    let before = while_disturbed(options, scene, start, &mut figures).await?;
    let length = start.elapsed();
    writers.end().await;
    figures.minutes = length.as_secs_f64() / 60.0;
    figures.writes = scene.orders.writes();
    figures.failed_writes = scene.orders.failures();
    figures.writes_per_second = figures.writes as f64 / length.as_secs_f64();
    figures.restarts = scene.restarts;
    figures.healing_seconds = until_live(scene, HEALING).await?.as_secs_f64();
    let after = Memory::take(&scene.browser).await?;
    let (native, page) = after.growth(&before);
    figures.native_memory_growth_percent = native;
    figures.page_memory_growth_percent = page;
    figures.memory_growth_percent = native.max(page);
    figures.native_memory_mib = after.native as f64 / MIB;
    figures.page_memory_mib = after.page as f64 / MIB;
    let wrong = verdict(scene, &mut figures).await?;
    figures.write(&options.figures)?;
    judge(&figures, wrong)
}

/// Disturbs the parts until the time is over. Gives back what memory was after each thing had happened once.
async fn while_disturbed(options: &Options, scene: &mut Scene, start: Instant, figures: &mut Figures) -> Fallible<Memory> {
    let end = start + options.length;
    // In a short run as well there is more than one round.
    let gap = if options.length < Duration::from_secs(300) { 2 } else { 6 };
    let mut before = None;
    let mut told = start;
    while Instant::now() < end || before.is_none() {
        let mut round = ALL;
        scene.random.shuffle(&mut round);
        for disturbance in round {
            if Instant::now() >= end && before.is_some() {
                break;
            }
            disturbance.happen(scene).await?;
            figures.disturbances += 1;
            sleep(Duration::from_millis(1000 * gap + 250 * scene.random.below(9) as u64)).await;
            if told.elapsed() >= Duration::from_secs(60) {
                told = Instant::now();
                progress(scene, start, options).await?;
            }
        }
        if before.is_none() {
            scene.orders.pause(true);
            sleep(Duration::from_secs(2)).await;
            before = Some(Memory::take(&scene.browser).await?);
            scene.orders.pause(false);
        }
    }
    before.ok_or_else(|| "memory was not looked at".to_owned())
}

async fn progress(scene: &Scene, start: Instant, options: &Options) -> Fallible<()> {
    let reports = scene.reports(false).await?;
    let sum = |count: fn(&crate::subject::Report) -> u64| reports.iter().map(|(_, report)| count(report)).sum::<u64>();
    let live = reports.iter().filter(|(_, report)| report.live).count();
    let (elapsed, writes) = (start.elapsed().as_secs_f64(), scene.orders.writes());
    eprintln!(
        "{:5.1} of {:.1} min: {writes} writes ({:.0}/s), {} events, {} restarts, {} relists, {} reconnects, {live} of {} live, {:.0} MiB",
        elapsed / 60.0,
        options.length.as_secs_f64() / 60.0,
        writes as f64 / elapsed,
        sum(|report| report.events),
        scene.restarts,
        sum(|report| report.relists),
        sum(|report| report.reconnects),
        reports.len(),
        resident()? as f64 / MIB,
    );
    Ok(())
}

/// Waits until all informers are live; gives back how long that took.
async fn until_live(scene: &Scene, limit: Duration) -> Fallible<Duration> {
    let start = Instant::now();
    loop {
        let reports = while_doing("ask the page", timeout(limit, scene.reports(false)).await)??;
        let late: Vec<_> = reports.iter().filter(|(_, report)| !report.live).collect();
        if late.is_empty() {
            return Ok(start.elapsed());
        }
        if start.elapsed() > limit {
            let late: Vec<_> = late.iter().map(|(plan, report)| format!("{}: {}", plan.name, report.health)).collect();
            return Err(format!("not live after {} seconds:\n  {}", limit.as_secs(), late.join("\n  ")));
        }
        sleep(Duration::from_millis(250)).await;
    }
}

/// What is wrong with each informer in the end. What was written last may be on its way for a while.
async fn verdict(scene: &Scene, figures: &mut Figures) -> Fallible<Vec<(&'static Plan, Vec<String>)>> {
    let start = Instant::now();
    loop {
        let late = start.elapsed() > SETTLING;
        let mut wrong = Vec::new();
        let reports = scene.reports(true).await?;
        let sum = |count: fn(&crate::subject::Report) -> u64| reports.iter().map(|(_, report)| count(report)).sum::<u64>();
        figures.events = sum(|report| report.events);
        figures.relists = sum(|report| report.relists);
        figures.reconnects = sum(|report| report.reconnects);
        figures.caches = reports.len();
        figures.objects = reports.iter().map(|(_, report)| report.entries.len()).sum();
        for (plan, report) in reports {
            let mut faults = differences(&scene.cluster, plan, &report).await?;
            faults.extend(report.complaints);
            if !faults.is_empty() {
                wrong.push((plan, faults));
            }
        }
        figures.unequal_caches = wrong.len();
        if wrong.is_empty() || late {
            return Ok(wrong);
        }
        sleep(Duration::from_secs(1)).await;
    }
}

fn judge(figures: &Figures, wrong: Vec<(&'static Plan, Vec<String>)>) -> Fallible<()> {
    eprintln!(
        "{:.1} min: {} writes ({:.0}/s), {} events, {} restarts, {} relists, {} reconnects; {} of {} caches of {} objects are equal; memory {:+.1} % natively ({:.0} MiB), {:+.1} % in the page ({:.0} MiB)",
        figures.minutes,
        figures.writes,
        figures.writes_per_second,
        figures.events,
        figures.restarts,
        figures.relists,
        figures.reconnects,
        figures.caches - figures.unequal_caches,
        figures.caches,
        figures.objects,
        figures.native_memory_growth_percent,
        figures.native_memory_mib,
        figures.page_memory_growth_percent,
        figures.page_memory_mib,
    );
    let mut faults: Vec<_> =
        wrong.into_iter().map(|(plan, faults)| format!("{}:\n    {}", plan.name, faults.join("\n    "))).collect();
    if figures.memory_growth_percent > MOST_GROWTH {
        faults.push(format!("memory grew by {:.1} %, noise is below {MOST_GROWTH} %", figures.memory_growth_percent));
    }
    if faults.is_empty() { Ok(()) } else { Err(format!("what is wrong:\n  {}", faults.join("\n  "))) }
}
