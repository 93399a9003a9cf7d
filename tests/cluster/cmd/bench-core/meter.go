package main

import (
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// cost is what one run of the work cost.
type cost struct {
	items int
	wall  time.Duration
	// processor is what all threads of the process were running for.
	processor time.Duration
}

// meter reads both clocks at the beginning and at the end.
type meter struct {
	wall      time.Time
	processor time.Duration
}

func start() meter {
	processor := runningTime()
	return meter{wall: time.Now(), processor: processor}
}

func (m meter) stop(items int) cost {
	wall := time.Since(m.wall)
	return cost{items: items, wall: wall, processor: runningTime() - m.processor}
}

func runningTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(fmt.Sprintf("ask for the usage of this process: %v", err))
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// costs are medians over all runs, in nanoseconds for an item.
type costs struct {
	WallNS      float64 `json:"wall_ns"`
	ProcessorNS float64 `json:"processor_ns"`
	Runs        int     `json:"runs"`
}

// repeat runs the work until the time has passed, at least once. What one run leaves behind is no burden for the next.
func repeat(length time.Duration, work func() (cost, error)) (costs, error) {
	var walls, processors []float64
	for begin := time.Now(); len(walls) == 0 || time.Since(begin) < length; {
		runtime.GC()
		cost, err := work()
		if err != nil {
			return costs{}, err
		}
		walls = append(walls, float64(cost.wall)/float64(cost.items))
		processors = append(processors, float64(cost.processor)/float64(cost.items))
	}
	return costs{WallNS: median(walls), ProcessorNS: median(processors), Runs: len(walls)}, nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
