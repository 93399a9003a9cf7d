package main

import (
	"fmt"
	"time"

	"k8s.io/client-go/util/workqueue"
)

const (
	// waiting is how many wait.
	waiting = 100_000
	// far is when the first of those is due that nobody waits for.
	far = 600 * time.Second
	// spread is by how much the last is due after the first.
	spread = time.Second
	// lead is for how long items are added before the first is due.
	lead = 500 * time.Millisecond
)

// delayedAdd adds items while so many wait.
func delayedAdd() (cost, error) {
	queue := newDelayed()
	defer queue.ShutDown()
	keys := keys(2 * waiting)
	distant := func(number int) time.Duration { return far + offset(number) }
	addAll(queue, keys[:waiting], distant)
	meter := start()
	addAll(queue, keys[waiting:], distant)
	return meter.stop(waiting), nil
}

// delayedAgain adds items that wait again: every other one for a later time, which changes nothing, the rest for an earlier one.
func delayedAgain() (cost, error) {
	queue := newDelayed()
	defer queue.ShutDown()
	keys := keys(waiting)
	addAll(queue, keys, func(number int) time.Duration { return far + offset(number) })
	meter := start()
	addAll(queue, keys, func(number int) time.Duration {
		if number%2 == 0 {
			return 2 * far
		}
		return far/2 + offset(number)
	})
	return meter.stop(waiting), nil
}

// delayedDue has all due at the same time: from then until the last is done.
func delayedDue() (cost, error) {
	queue := newDelayed()
	defer queue.ShutDown()
	keys := keys(waiting)
	due := time.Now().Add(lead)
	addAll(queue, keys, func(int) time.Duration { return time.Until(due) })
	taken := make(chan struct{})
	go take(queue, waiting, taken)
	time.Sleep(time.Until(due.Add(-10 * time.Millisecond)))
	meter := start()
	early := time.Until(due)
	if early <= 0 {
		return cost{}, fmt.Errorf("%d items took longer than %v to add", waiting, lead)
	}
	<-taken
	cost := meter.stop(waiting)
	cost.wall -= early
	return cost, nil
}

// delayedSpread has them due one after the other, in another order than they are added in, while a worker takes them: what adding,
// waiting and taking costs the processor, and how long after the last was due the last is done.
func delayedSpread() (cost, error) {
	queue := newDelayed()
	defer queue.ShutDown()
	keys := keys(waiting)
	taken := make(chan struct{})
	go take(queue, waiting, taken)
	first := time.Now().Add(lead)
	meter := start()
	for number, key := range keys {
		queue.AddAfter(key, time.Until(first.Add(offset(number))))
	}
	if time.Until(first) <= 0 {
		return cost{}, fmt.Errorf("%d items took longer than %v to add", waiting, lead)
	}
	<-taken
	late := time.Since(first) - spread
	cost := meter.stop(waiting)
	cost.wall = late
	return cost, nil
}

func newDelayed() workqueue.TypedDelayingInterface[string] {
	return workqueue.NewTypedDelayingQueue[string]()
}

// addAll adds items and waits until all of them are known to wait. The queue takes them from a channel in their order, so the last
// to be added, which is due at once, comes out when those before it are in.
func addAll(queue workqueue.TypedDelayingInterface[string], keys []string, delay func(number int) time.Duration) {
	for number, key := range keys {
		queue.AddAfter(key, delay(number))
	}
	queue.AddAfter("last", 1)
	last, _ := queue.Get()
	queue.Done(last)
}

// offset is how long after the first an item is due: each at another time, and none beside the one that was added before it.
func offset(number int) time.Duration {
	return spread * time.Duration(number*7919%waiting) / waiting
}

func take(queue workqueue.TypedDelayingInterface[string], count int, taken chan<- struct{}) {
	for range count {
		item, _ := queue.Get()
		queue.Done(item)
	}
	close(taken)
}
