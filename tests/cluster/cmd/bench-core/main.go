// Command bench-core is client-go's side of `make bench-core`: it does one piece of work for a while and prints what it cost as a
// line of JSON. The other side is tests/parity, which does the same.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"time"
)

// threads is as many as the other side has.
const threads = 2

var measurements = map[string]func() (cost, error){
	"queue_1":        func() (cost, error) { return through(1, 1) },
	"queue_8":        func() (cost, error) { return through(2, 8) },
	"queue_idle_1":   func() (cost, error) { return oneByOne(1) },
	"queue_idle_8":   func() (cost, error) { return oneByOne(8) },
	"queue_again":    again,
	"delayed_add":    delayedAdd,
	"delayed_again":  delayedAgain,
	"delayed_due":    delayedDue,
	"delayed_spread": delayedSpread,
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(arguments []string) error {
	if len(arguments) != 2 {
		return errors.New("say a measurement and for how many seconds, or start it with tools/bench-core")
	}
	work, known := measurements[arguments[0]]
	if !known {
		return fmt.Errorf("there is no measurement %s", arguments[0])
	}
	seconds, err := strconv.ParseFloat(arguments[1], 64)
	if err != nil {
		return fmt.Errorf("%q is no number of seconds", arguments[1])
	}
	runtime.GOMAXPROCS(threads)
	costs, err := repeat(time.Duration(seconds*float64(time.Second)), work)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(costs)
}
