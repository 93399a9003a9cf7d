//! Several candidates on clocks of different rates, over a network that loses, delays and reorders requests and answers, by
//! chance: never do two lead, and once the network is well somebody does.

use std::{
    collections::BTreeSet,
    future::pending,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use futures::channel::oneshot;

use super::{LeaderElectionOptions, LeaderElector, LeaseLock};
use crate::{
    fake::FakeApiServer,
    platform::{BoxFuture, Chance, FakePlatform, Platform as _},
    rest::RestClient,
    transport::{Request, Response, Transport, TransportError},
};
#[cfg(target_family = "wasm")]
use wasm_bindgen_test::wasm_bindgen_test as test;

const CANDIDATES: usize = 3;

/// What a lease of 15 seconds and a deadline of 10 bear: clocks of which one runs nearly half as fast again as another.
const RATES: [u32; 4] = [100, 100, 130, 149];

/// A network between a candidate and the server. What was sent arrives even if nobody waits for the answer any more.
struct Network {
    platform: FakePlatform,
    server: FakeApiServer,
    chance: Mutex<Chance>,
    /// In how many of a hundred cases something is late; from 40 on things get lost, and from 140 on all of them.
    trouble: Arc<AtomicUsize>,
}

impl Network {
    /// How long something takes, and whether it arrives.
    fn leg(&self) -> (Duration, bool) {
        let mut chance = self.chance.lock().unwrap();
        let trouble = self.trouble.load(Ordering::Relaxed) as u64;
        let late = chance.percent(trouble);
        (Duration::from_millis(chance.below(if late { 6000 } else { 30 })), !chance.percent(trouble.saturating_sub(40)))
    }
}

impl Transport for Network {
    fn send(&self, request: Request) -> BoxFuture<'static, Result<Response, TransportError>> {
        let ((there, arrives), (back, returns)) = (self.leg(), self.leg());
        let (platform, server) = (self.platform.clone(), self.server.clone());
        let (sender, receiver) = oneshot::channel();
        self.platform.spawn(Box::pin(async move {
            platform.sleep(there).await;
            if !arrives {
                return;
            }
            let answer = server.send(request).await;
            platform.sleep(back).await;
            if returns {
                // Who gave up does not hear it.
                sender.send(answer).ok();
            }
        }));
        Box::pin(async move {
            match receiver.await {
                Ok(answer) => answer,
                // Nothing tells that a message was lost.
                Err(_lost) => pending().await,
            }
        })
    }
}

struct Candidate {
    platform: FakePlatform,
    rate: u32,
    elector: LeaderElector,
    trouble: Arc<AtomicUsize>,
}

struct Simulation {
    seed: u64,
    server: FakePlatform,
    candidates: Vec<Candidate>,
    /// What work does on each turn: whose it is, and that it was its turn.
    acts: Arc<Mutex<Vec<usize>>>,
    chance: Chance,
    /// Who has led.
    led: BTreeSet<usize>,
    calm: Arc<AtomicBool>,
}

impl Simulation {
    fn new(seed: u64) -> Self {
        let mut chance = Chance(seed);
        let server_clock = FakePlatform::default();
        server_clock.set_seed(seed);
        let server = FakeApiServer::new(Arc::new(server_clock.clone()));
        let calm = Arc::default();
        let acts = Arc::new(Mutex::new(Vec::new()));
        let candidates: Vec<_> = (0..CANDIDATES)
            .map(|number| {
                let platform = FakePlatform::default();
                platform.set_seed(chance.next());
                // What the clocks show does not matter.
                platform.advance(Duration::from_secs(chance.below(100_000)));
                let trouble = Arc::default();
                let network = Network {
                    platform: server_clock.clone(),
                    server: server.clone(),
                    chance: Mutex::new(Chance(chance.next())),
                    trouble: Arc::clone(&trouble),
                };
                let client = RestClient::new(Arc::new(network), Arc::new(platform.clone()));
                let options = LeaderElectionOptions { release_on_cancel: chance.percent(70), ..LeaderElectionOptions::default() };
                let lock = LeaseLock::new(client, "default", "bar", format!("candidate-{number}"));
                let elector = LeaderElector::new(lock, options).unwrap();
                let candidate = Candidate { rate: chance.of(&RATES), platform, elector, trouble };
                candidate.start(number, chance.next(), Arc::clone(&acts), Arc::clone(&calm));
                candidate
            })
            .collect();
        Self { seed, server: server_clock, candidates, acts, chance, led: BTreeSet::new(), calm }
    }

    /// Lets tasks take turns by chance until none can go on, and looks after each.
    fn turns(&mut self) {
        let mut idle = BTreeSet::new();
        while idle.len() <= CANDIDATES {
            let chosen = self.chance.index(CANDIDATES + 1);
            let turned = match self.candidates.get(chosen) {
                Some(candidate) => candidate.platform.turn(),
                None => self.server.turn(),
            };
            if turned {
                idle.clear();
            } else {
                idle.insert(chosen);
            }
            self.look();
        }
    }

    fn look(&mut self) {
        let leaders: Vec<_> = (0..CANDIDATES).filter(|number| self.candidates[*number].elector.is_leader()).collect();
        assert!(leaders.len() <= 1, "seed {}: {leaders:?} lead", self.seed);
        for act in self.acts.lock().unwrap().drain(..) {
            assert_eq!(leaders.first().copied().unwrap_or(act), act, "seed {}: {act} acts and does not lead", self.seed);
            self.led.insert(act);
        }
    }

    /// So much time passes on the slowest clock.
    fn pass(&mut self, time: Duration) {
        self.server.advance(time);
        for candidate in &self.candidates {
            candidate.platform.advance(time * candidate.rate / 100);
        }
        self.look();
        self.turns();
    }

    fn run(mut self) -> usize {
        self.turns();
        for _ in 0..200 {
            // What was late before may be lost now, and the other way round.
            for candidate in &self.candidates {
                if self.chance.percent(8) {
                    candidate.trouble.store(self.chance.of(&[0, 20, 60, 100, 140]), Ordering::Relaxed);
                }
            }
            // At times all of the machines sleep.
            let most = if self.chance.percent(3) { 40_000 } else { 1500 };
            let time = Duration::from_millis(self.chance.below(most));
            self.pass(time);
        }
        self.candidates.iter().for_each(|candidate| candidate.trouble.store(0, Ordering::Relaxed));
        self.calm.store(true, Ordering::Relaxed);
        // What is late arrives, what hangs is given up, a lease that nobody renews runs out, and the next try follows.
        for _ in 0..300 {
            self.pass(Duration::from_millis(250));
        }
        assert!(self.candidates.iter().any(|candidate| candidate.elector.is_leader()), "seed {}: nobody leads", self.seed);
        self.led.len()
    }
}

impl Candidate {
    /// Leads again and again, for a while each time, or until all is calm and then for ever.
    fn start(&self, number: usize, seed: u64, acts: Arc<Mutex<Vec<usize>>>, calm: Arc<AtomicBool>) {
        let (elector, platform) = (self.elector.clone(), self.platform.clone());
        self.platform.spawn(Box::pin(async move {
            let mut chance = Chance(seed);
            loop {
                let turns = chance.below(60);
                let (own, clock, acts, calm) = (elector.clone(), platform.clone(), Arc::clone(&acts), Arc::clone(&calm));
                let work = || async move {
                    let mut turn = 0;
                    while turn < turns || calm.load(Ordering::Relaxed) {
                        assert!(own.is_leader());
                        acts.lock().unwrap().push(number);
                        clock.sleep(Duration::from_millis(700)).await;
                        turn += 1;
                    }
                };
                let stop = stop_after(&elector, chance.percent(20).then(|| Duration::from_secs(chance.below(60))));
                // However it ends, it begins anew, but gives others a chance.
                drop(elector.run(stop, work).await);
                platform.sleep(Duration::from_millis(chance.below(20_000))).await;
            }
        }));
    }
}

/// Ends after this time, if it is to.
fn stop_after(elector: &LeaderElector, after: Option<Duration>) -> BoxFuture<'static, ()> {
    after.map_or_else(|| Box::pin(pending()) as BoxFuture<'static, ()>, |after| elector.lock().client().platform().sleep(after))
}

#[test]
fn never_do_two_lead_and_when_the_network_is_well_somebody_does() {
    let led: Vec<_> = (0..200).map(|seed| Simulation::new(seed).run()).collect();
    // It is of no use where nobody ever hands over.
    assert!(led.iter().filter(|led| **led > 1).count() > 100, "{led:?}");
}
