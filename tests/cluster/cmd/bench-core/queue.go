package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/client-go/util/workqueue"
)

const (
	// items is how many go through the queue in one run, singleItems how many one by one.
	items       = 200_000
	singleItems = 20_000
	// known is how many are queued while they are added again, and times how often.
	known = 10_000
	times = 20
)

// through lets producers add items, each another, while workers take them and are done with them.
func through(producers, workers int) (cost, error) {
	queue := workqueue.NewTyped[string]()
	shares := make([][]string, producers)
	for number, key := range keys(items) {
		shares[number%producers] = append(shares[number%producers], key)
	}
	var done atomic.Int64
	var adding, working sync.WaitGroup
	meter := start()
	for range workers {
		working.Go(func() { done.Add(work(queue, nil)) })
	}
	for _, share := range shares {
		adding.Go(func() {
			for _, key := range share {
				queue.Add(key)
			}
		})
	}
	adding.Wait()
	queue.ShutDown()
	working.Wait()
	return allDone(meter.stop(items), done.Load())
}

// oneByOne adds one item after the other, each when the one before it was taken, to a queue whose workers wait.
func oneByOne(workers int) (cost, error) {
	queue := workqueue.NewTyped[string]()
	keys := keys(singleItems)
	taken := make(chan struct{}, workers)
	var done atomic.Int64
	var working sync.WaitGroup
	for range workers {
		working.Go(func() { done.Add(work(queue, taken)) })
	}
	// They begin to wait.
	time.Sleep(10 * time.Millisecond)
	meter := start()
	for _, key := range keys {
		queue.Add(key)
		<-taken
	}
	cost := meter.stop(singleItems)
	queue.ShutDown()
	working.Wait()
	return allDone(cost, done.Load())
}

// again adds items that are queued again, and again, which changes nothing.
func again() (cost, error) {
	queue := workqueue.NewTyped[string]()
	for _, key := range keys(known) {
		queue.Add(key)
	}
	// Whoever hears of an event makes a key for it.
	var equal []string
	for range times {
		equal = append(equal, keys(known)...)
	}
	meter := start()
	for _, key := range equal {
		queue.Add(key)
	}
	cost := meter.stop(known * times)
	if queued := queue.Len(); queued != known {
		return cost, fmt.Errorf("%d of %d items are queued", queued, known)
	}
	return cost, nil
}

// work takes items until there are no more, and says how many there were.
func work(queue workqueue.TypedInterface[string], taken chan<- struct{}) int64 {
	for done := int64(0); ; done++ {
		item, over := queue.Get()
		if over {
			return done
		}
		queue.Done(item)
		if taken != nil {
			taken <- struct{}{}
		}
	}
}

func allDone(cost cost, done int64) (cost, error) {
	if done != int64(cost.items) {
		return cost, fmt.Errorf("%d of %d items were done", done, cost.items)
	}
	return cost, nil
}

// keys are so many keys of pods, each another.
func keys(count int) []string {
	keys := make([]string, count)
	for number := range keys {
		keys[number] = fmt.Sprintf("production/web-server-%07d-x7k2p", number)
	}
	return keys
}
