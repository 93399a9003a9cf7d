use std::{
    cell::Cell,
    convert::Infallible,
    error::Error as _,
    future::{pending, ready},
    time::Duration,
};

use futures::{FutureExt as _, channel::oneshot};

use super::*;
use crate::platform::{FakePlatform, Instant, TimedOut, time_limit};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const SECOND: Duration = Duration::from_secs(1);
const MILLISECOND: Duration = Duration::from_millis(1);

type Never = std::future::Pending<Infallible>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the condition failed")]
struct Failed;

type Answer = Result<Option<&'static str>, Failed>;

/// A clock, and when something was done: milliseconds since its beginning.
struct Bench {
    clock: FakePlatform,
    platform: Arc<dyn Platform>,
    times: Cell<Vec<u128>>,
}

impl Bench {
    fn new() -> Self {
        let clock = FakePlatform::default();
        Self { platform: Arc::new(clock.clone()), clock, times: Cell::default() }
    }

    fn now(&self) -> u128 {
        self.clock.now().since(Instant::default()).as_millis()
    }

    /// Notes that something is done now; gives back how often it was.
    fn note(&self) -> usize {
        let mut times = self.times.take();
        times.push(self.now());
        let count = times.len();
        self.times.set(times);
        count
    }

    /// A condition of which `answer` knows how often it was asked.
    fn asked<'a>(&'a self, answer: impl Fn(usize) -> Answer + 'a) -> impl FnMut() -> std::future::Ready<Answer> + 'a {
        move || ready(answer(self.note()))
    }

    /// What comes of `work`, while time passes.
    fn finish<T>(&self, work: impl Future<Output = T>) -> T {
        let mut work = pin!(work);
        for _ in 0..100_000 {
            // Twice, because what it does can wake it.
            if let Some(answer) = work.as_mut().now_or_never().or_else(|| work.as_mut().now_or_never()) {
                return answer;
            }
            self.clock.advance(MILLISECOND);
        }
        panic!("it never ends")
    }

    /// What comes of `work` within this second; `None` where it goes on.
    fn within_a_second<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let mut work = pin!(work);
        for _ in 0..1000 {
            if let Some(answer) = work.as_mut().now_or_never() {
                return Some(answer);
            }
            self.clock.advance(MILLISECOND);
        }
        None
    }

    fn limit(&self, limit: Duration) -> impl Future<Output = TimedOut> {
        time_limit(&self.platform, limit)
    }
}

fn never() -> Never {
    pending()
}

#[expect(clippy::unnecessary_wraps, reason = "one of several answers")]
const fn no(_: usize) -> Answer {
    Ok(None)
}

#[expect(clippy::unnecessary_wraps, reason = "one of several answers")]
const fn yes(_: usize) -> Answer {
    Ok(Some("yes"))
}

const fn fails(_: usize) -> Answer {
    Err(Failed)
}

#[test]
fn after_a_delay_means_that_nothing_is_asked_before_it() {
    for pace in [Pace::every(SECOND), Pace::every(SECOND).from_end_to_beginning()] {
        let bench = Bench::new();
        assert_eq!(bench.finish(poll_until(&bench.platform, pace.after_a_delay(), never(), bench.asked(yes))), Ok("yes"));
        assert_eq!(bench.times.take(), [1000]);
    }
}

#[test]
fn an_error_of_the_condition_is_the_end() {
    for (pace, times) in [(Pace::every(SECOND), [0]), (Pace::every(SECOND).after_a_delay(), [1000])] {
        let bench = Bench::new();
        let outcome = bench.finish(poll_until(&bench.platform, pace, never(), bench.asked(fails)));
        assert_eq!((outcome, bench.times.take()), (Err(PollError::Failed(Failed)), times.to_vec()));
    }
}

#[test]
fn what_is_there_at_once_is_waited_for_by_no_timer() {
    let bench = Bench::new();
    let pace = Pace::every(SECOND).from_end_to_beginning();
    assert_eq!(poll_until(&bench.platform, pace, never(), bench.asked(yes)).now_or_never(), Some(Ok("yes")));
    assert_eq!((bench.times.take(), bench.clock.pending_timers()), (vec![0], 0));
}

#[test]
fn it_is_asked_as_long_as_nobody_gives_up_and_never_again_once_it_is_there() {
    let bench = Bench::new();
    let hundredth = |count| Ok((count == 100).then_some("yes"));
    let outcome = bench.finish(poll_until(&bench.platform, Pace::every(SECOND), never(), bench.asked(hundredth)));
    assert_eq!(outcome, Ok("yes"));
    bench.clock.advance(60 * SECOND);
    assert_eq!(bench.times.take(), (0..100).map(|second| second * 1000).collect::<Vec<_>>());
    assert_eq!(bench.clock.pending_timers(), 0);
}

#[test]
fn who_gives_up_between_two_times_ends_it_at_once() {
    let bench = Bench::new();
    let outcome = bench.finish(poll_until(&bench.platform, Pace::every(SECOND), bench.limit(SECOND * 5 / 2), bench.asked(no)));
    assert_eq!(outcome, Err(PollError::Interrupted(TimedOut(SECOND * 5 / 2))));
    assert_eq!((bench.times.take(), bench.now()), (vec![0, 1000, 2000], 2500));
}

#[test]
fn a_time_limit_ends_what_is_due_at_the_same_time() {
    for (limit, times) in [(2, vec![1]), (3, vec![1, 2])] {
        let bench = Bench::new();
        let pace = Pace::every(MILLISECOND).after_a_delay();
        let outcome = bench.finish(poll_until(&bench.platform, pace, bench.limit(limit * MILLISECOND), bench.asked(no)));
        assert!(outcome.unwrap_err().is_interrupted());
        assert_eq!(bench.times.take(), times);
    }
}

#[test]
fn what_was_given_up_before_is_asked_once_where_it_is_asked_at_once_and_else_never() {
    type Case = (fn(usize) -> Answer, bool, usize, Result<&'static str, PollError<Failed, &'static str>>);
    let given_up = Err(PollError::Interrupted("enough"));
    let cases: [Case; 6] = [
        (no, false, 0, given_up),
        (yes, false, 0, given_up),
        (fails, false, 0, given_up),
        (no, true, 1, given_up),
        (yes, true, 1, Ok("yes")),
        (fails, true, 1, Err(PollError::Failed(Failed))),
    ];
    for (answer, at_once, count, expected) in cases {
        for interval in [Duration::ZERO, SECOND] {
            let bench = Bench::new();
            let pace = Pace { immediate: at_once, ..Pace::every(interval) };
            let outcome = poll_until(&bench.platform, pace, ready("enough"), bench.asked(answer)).now_or_never().unwrap();
            assert_eq!((outcome, bench.times.take().len()), (expected, count));
        }
    }
}

#[test]
fn who_gives_up_while_it_is_asked_ends_it_after_the_answer() {
    for at_once in [false, true] {
        for (answer, expected) in [
            (no as fn(usize) -> Answer, Err(PollError::Interrupted("enough"))),
            (yes, Ok("yes")),
            (fails, Err(PollError::Failed(Failed))),
        ] {
            let bench = Bench::new();
            let (sender, receiver) = oneshot::channel();
            let sender = Cell::new(Some(sender));
            let condition = bench.asked(|count| {
                if count < 5 {
                    return Ok(None);
                }
                if let Some(sender) = sender.take() {
                    sender.send("enough").unwrap();
                }
                answer(count)
            });
            let pace = Pace { immediate: at_once, ..Pace::every(Duration::ZERO) };
            let outcome = bench.finish(poll_until(&bench.platform, pace, receiver.map(Result::unwrap), condition));
            assert_eq!((outcome, bench.times.take().len()), (expected, 5));
        }
    }
}

#[test]
fn a_condition_that_waits_is_dropped_when_somebody_gives_up() {
    let bench = Bench::new();
    let dropped = Cell::new(false);
    struct Told<'a>(&'a Cell<bool>);
    impl Drop for Told<'_> {
        fn drop(&mut self) {
            self.0.set(true);
        }
    }
    let hangs = async || {
        let _told = Told(&dropped);
        pending::<Answer>().await
    };
    let outcome = bench.finish(poll_until(&bench.platform, Pace::every(SECOND), bench.limit(SECOND), hangs));
    assert_eq!((outcome, dropped.get()), (Err(PollError::Interrupted(TimedOut(SECOND))), true));
    assert_eq!(bench.clock.pending_timers(), 0);
}

#[test]
fn a_delay_counts_from_the_beginning_of_a_time_or_from_its_end() {
    for (sliding, immediate, times) in [
        (false, true, [0, 200, 400, 600]),
        (true, true, [0, 350, 700, 1050]),
        (false, false, [200, 400, 600, 800]),
        (true, false, [200, 550, 900, 1250]),
    ] {
        let bench = Bench::new();
        let slow = async || {
            let count = bench.note();
            bench.platform.sleep(Duration::from_millis(150)).await;
            Ok::<_, Failed>((count == 4).then_some("yes"))
        };
        let pace = Pace { immediate, sliding, ..Pace::every(Duration::from_millis(200)) };
        assert_eq!(bench.finish(poll_until(&bench.platform, pace, never(), slow)), Ok("yes"));
        assert_eq!(bench.times.take(), times, "{sliding} {immediate}");
    }
}

#[test]
fn what_takes_longer_than_the_delay_is_done_again_at_once_unless_the_delay_counts_from_its_end() {
    for (sliding, count) in [(false, 5), (true, 3)] {
        let bench = Bench::new();
        let slow = async || {
            bench.note();
            bench.platform.sleep(Duration::from_millis(200)).await;
            Ok::<Option<()>, Failed>(None)
        };
        let pace = Pace { sliding, ..Pace::jittered(Duration::from_millis(200), 0.001) };
        let outcome = bench.finish(poll_until(&bench.platform, pace, bench.limit(SECOND), slow));
        assert_eq!((outcome, bench.times.take().len()), (Err(PollError::Interrupted(TimedOut(SECOND))), count));
    }
}

#[test]
fn each_delay_is_asked_for_when_it_begins_and_waited_for() {
    struct Counted<'a>(BackoffSteps, &'a Cell<usize>);
    impl Delays for Counted<'_> {
        fn next_delay(&mut self, platform: &dyn Platform) -> Duration {
            self.1.set(self.1.get() + 1);
            self.0.next_delay(platform)
        }
    }
    let growing = BackoffSteps { duration: SECOND, factor: 2.0, steps: 2, ..BackoffSteps::default() };
    // How many delays were begun when it is asked for the first time: the one that was waited for, and, where it counts from the
    // beginning, the next.
    for (sliding, immediate, begun, first) in
        [(false, false, 2, 1000), (false, true, 1, 0), (true, true, 0, 0), (true, false, 1, 1000)]
    {
        let (bench, count) = (Bench::new(), Cell::new(0));
        let pace = Pace { immediate, sliding, ..Pace::of(Counted(growing, &count)) };
        assert_eq!(bench.finish(poll_until(&bench.platform, pace, never(), bench.asked(yes))), Ok("yes"));
        assert_eq!((count.get(), bench.times.take()), (begun, vec![first]));
    }
    let bench = Bench::new();
    let fourth = |count| Ok((count == 4).then_some("yes"));
    bench.finish(poll_until(&bench.platform, Pace::of(growing), never(), bench.asked(fourth))).unwrap();
    assert_eq!(bench.times.take(), [0, 1000, 3000, 7000]);
}

#[test]
fn ten_times_take_ten_delays_and_no_more_than_their_jitter() {
    for (jitter, least, most) in [(0.0, 10, 10), (1.0, 10, 20)] {
        for seed in 0..10 {
            let bench = Bench::new();
            bench.clock.set_seed(seed);
            let pace = Pace::jittered(MILLISECOND, jitter).after_a_delay();
            let tenth = |count| Ok((count == 10).then_some("yes"));
            bench.finish(poll_until(&bench.platform, pace, never(), bench.asked(tenth))).unwrap();
            // Time passes by whole milliseconds, so that each delay may end one late.
            assert!((least..=most + 10).contains(&bench.now()), "{}", bench.now());
        }
    }
}

#[test]
fn jitter_makes_a_delay_longer_and_a_negative_one_changes_nothing() {
    for seed in 0..20 {
        let clock = FakePlatform::default();
        clock.set_seed(seed);
        let mut stretched = Pace::jittered(SECOND, 1.0).delays;
        let mut plain = Pace::jittered(SECOND, -30.0).delays;
        for _ in 0..5 {
            assert!((SECOND..2 * SECOND).contains(&stretched.next_delay(&clock)));
            assert_eq!(plain.next_delay(&clock), SECOND);
        }
    }
}

#[test]
fn one_end_can_end_several() {
    let bench = Bench::new();
    let (sender, receiver) = oneshot::channel::<()>();
    let end = receiver.shared();
    let waiting = (0..3).map(|_| poll_until(&bench.platform, Pace::every(SECOND), end.clone(), bench.asked(no)));
    let mut all = pin!(futures::future::join_all(waiting));
    assert!(all.as_mut().now_or_never().is_none());
    sender.send(()).unwrap();
    assert_eq!(all.now_or_never().unwrap(), [Err(PollError::Interrupted(Ok(()))); 3]);
}

#[test]
fn steps_are_the_most_times_it_is_asked() {
    let third = |count| Ok((count == 3).then_some("yes"));
    type Case = (u32, fn(usize) -> Answer, usize, Result<&'static str, PollError<Failed, Infallible>>);
    let cases: [Case; 7] = [
        (0, no, 0, Err(PollError::Exhausted)),
        (1, no, 1, Err(PollError::Exhausted)),
        (1, yes, 1, Ok("yes")),
        (5, no, 5, Err(PollError::Exhausted)),
        (5, third, 3, Ok("yes")),
        (5, fails, 1, Err(PollError::Failed(Failed))),
        (3, third, 3, Ok("yes")),
    ];
    for (steps, answer, count, expected) in cases {
        for duration in [Duration::ZERO, MILLISECOND] {
            let bench = Bench::new();
            let backoff = BackoffSteps { duration, steps, ..BackoffSteps::default() };
            let outcome = bench.finish(poll_steps(&bench.platform, backoff, never(), bench.asked(answer)));
            assert_eq!((outcome, bench.times.take().len()), (expected, count), "{steps}");
        }
    }
}

#[test]
fn steps_end_when_somebody_gives_up_and_do_not_begin_after_it() {
    let backoff = BackoffSteps { duration: SECOND, steps: 5, ..BackoffSteps::default() };
    let bench = Bench::new();
    let outcome = poll_steps(&bench.platform, backoff, ready("enough"), bench.asked(yes)).now_or_never();
    assert_eq!((outcome, bench.times.take().len()), (Some(Err(PollError::Interrupted("enough"))), 0));
    let outcome = bench.finish(poll_steps(&bench.platform, backoff, bench.limit(SECOND * 7 / 2), bench.asked(no)));
    assert!(outcome.unwrap_err().is_interrupted());
    assert_eq!((bench.times.take(), bench.now()), (vec![0, 1000, 2000, 3000], 3500));
}

#[test]
fn after_the_last_step_nothing_is_waited_for_and_after_the_cap_that_delay_alone() {
    let growing = BackoffSteps { duration: SECOND, factor: 2.0, steps: 3, ..BackoffSteps::default() };
    let capped = BackoffSteps { cap: Some(SECOND * 3 / 2), ..growing };
    for (backoff, times, end) in [(growing, vec![0, 1000, 3000], 3000), (capped, vec![0], 1000)] {
        let bench = Bench::new();
        let outcome = bench.finish(poll_steps(&bench.platform, backoff, never(), bench.asked(no)));
        assert_eq!((outcome, bench.now()), (Err(PollError::Exhausted), end));
        assert_eq!(bench.times.take(), times);
    }
}

/// Paces that are different in all but their delay.
fn paces(interval: Duration, jitter: f64) -> [Pace<BackoffSteps>; 2] {
    [Pace::jittered(interval, jitter), Pace::jittered(interval, jitter).from_end_to_beginning()]
}

#[test]
fn what_was_stopped_before_does_not_begin() {
    for jitter in [0.0, 1.0] {
        for pace in paces(Duration::ZERO, jitter) {
            let bench = Bench::new();
            let work = || {
                bench.note();
                ready(())
            };
            assert_eq!(repeat(&bench.platform, pace, ready("stopped"), work).now_or_never(), Some("stopped"));
            assert!(bench.times.take().is_empty());
        }
    }
}

/// How often work was done that stops itself the third time, and when it was over.
fn stopped_from_within(pace: Pace<BackoffSteps>) -> (usize, u128) {
    let bench = Bench::new();
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let work = || {
        if bench.note() == 3
            && let Some(sender) = sender.take()
        {
            sender.send("stopped").unwrap();
        }
        ready(())
    };
    let cause = bench.finish(repeat(&bench.platform, pace, receiver, work));
    assert_eq!(cause, Ok("stopped"));
    (bench.times.take().len(), bench.now())
}

#[test]
fn what_stops_itself_is_not_done_again_and_waits_for_no_delay() {
    for pace in paces(30 * SECOND, 0.0) {
        assert_eq!(stopped_from_within(pace), (3, 60_000));
    }
}

#[test]
fn what_stops_itself_when_its_next_time_has_come_is_not_done_again() {
    let clock = FakePlatform::default();
    let platform: Arc<dyn Platform> = Arc::new(clock.clone());
    for pace in paces(SECOND, 0.0) {
        let (sender, receiver) = oneshot::channel();
        let (mut sender, mut count) = (Some(sender), 0);
        let work = || {
            count += 1;
            clock.advance(2 * SECOND);
            if let Some(sender) = sender.take() {
                sender.send("stopped").unwrap();
            }
            ready(())
        };
        let repeated = repeat(&platform, pace, receiver, work).now_or_never();
        assert_eq!((repeated, count), (Some(Ok("stopped")), 1));
    }
}

#[test]
fn what_stops_itself_is_over_without_the_jitter_of_a_delay() {
    for pace in paces(2 * SECOND, 1.0) {
        // Every random number is one half.
        assert_eq!(stopped_from_within(pace), (3, 6000));
    }
}

#[test]
fn what_is_done_between_stops_when_it_is_told() {
    for jitter in [0.0, 1.0] {
        for pace in paces(2 * MILLISECOND, jitter) {
            let bench = Bench::new();
            let work = || {
                bench.note();
                ready(())
            };
            let cause = bench.finish(repeat(&bench.platform, pace, bench.limit(12 * MILLISECOND), work));
            assert_eq!(cause, TimedOut(12 * MILLISECOND));
            // Every random number is one half.
            assert_eq!(bench.times.take().len(), if jitter > 0.0 { 4 } else { 6 });
            assert_eq!(bench.clock.pending_timers(), 0);
        }
    }
}

#[test]
fn what_nobody_stops_is_done_for_ever_and_ends_where_it_is_dropped() {
    for jitter in [0.0, 1.0] {
        for pace in paces(100 * MILLISECOND, jitter) {
            let bench = Bench::new();
            let work = || {
                bench.note();
                ready(())
            };
            assert_eq!(bench.within_a_second(repeat(&bench.platform, pace, never(), work)), None);
            let count = bench.times.take().len();
            assert!(count == if jitter > 0.0 { 7 } else { 10 }, "{count}");
            assert_eq!(bench.clock.pending_timers(), 0);
        }
    }
}

#[test]
fn work_is_repeated_with_delays_that_grow_and_start_over() {
    use crate::reflector::{Backoff, BackoffOptions};
    let options = BackoffOptions { first: MILLISECOND, factor: 2.0, longest: 10 * MILLISECOND, jitter: 0.0 };
    let bench = Bench::new();
    let work = || {
        bench.note();
        ready(())
    };
    let pace = Pace::of(Backoff::new(options).with_reset_after(3600 * SECOND)).from_end_to_beginning();
    bench.finish(repeat(&bench.platform, pace, bench.limit(46 * MILLISECOND), work));
    assert_eq!(bench.times.take(), [0, 1, 3, 7, 15, 25, 35, 45]);
}

#[test]
fn work_at_a_fixed_pace_is_never_early() {
    let bench = Bench::new();
    let work = || {
        bench.note();
        ready(())
    };
    bench.finish(repeat(&bench.platform, Pace::every(SECOND), bench.limit(SECOND * 9 / 2), work));
    assert_eq!(bench.times.take(), [0, 1000, 2000, 3000, 4000]);
}

#[test]
fn an_end_without_an_answer_is_told_from_a_failure() {
    let failed: PollError<Failed, TimedOut> = PollError::Failed(Failed);
    assert!(!failed.is_interrupted());
    for error in [PollError::Interrupted(TimedOut(SECOND)), PollError::<Failed, TimedOut>::Exhausted] {
        assert!(error.is_interrupted());
    }
}

#[test]
fn an_interruption_keeps_its_cause_and_a_failure_its_words() {
    let interrupted: PollError<Failed, TimedOut> = PollError::Interrupted(TimedOut(SECOND));
    assert_eq!(interrupted.to_string(), "gave up waiting for the condition: timed out after 1s");
    assert_eq!(interrupted.source().unwrap().downcast_ref(), Some(&TimedOut(SECOND)));
    let failed: PollError<Failed, TimedOut> = PollError::Failed(Failed);
    assert_eq!(failed.to_string(), "the condition failed");
    assert!(failed.source().is_none());
    let exhausted: PollError<Failed, TimedOut> = PollError::Exhausted;
    assert!(exhausted.source().is_none() && exhausted.to_string().contains("in any of its steps"));
}
