// Package process starts, recognises and ends the processes of a cluster.
package process

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
)

// Identity names one process for good: a pid alone is reused after the process has ended, a pid together
// with its start time is not. Nothing is ever signalled on a pid alone.
type Identity struct {
	PID int `json:"pid"`
	// StartTicks is the process's start, in clock ticks since boot (field 22 of /proc/PID/stat).
	StartTicks uint64 `json:"startTicks"`
}

// Of returns the identity of the process that has the pid now.
func Of(pid int) (Identity, error) {
	_, ticks, err := stat(pid)
	if err != nil {
		return Identity{}, err
	}
	return Identity{PID: pid, StartTicks: ticks}, nil
}

// Alive says whether this very process still runs. A zombie (ended, not yet waited for) does not, unless other threads
// of it are still ending: until they have, its ports are in use.
func (id Identity) Alive() bool {
	if id.PID <= 0 {
		return false
	}
	status, ticks, err := stat(id.PID)
	if err != nil || ticks != id.StartTicks {
		return false
	}
	return status != 'Z' && status != 'X' || threads(id.PID) > 1
}

// threads counts the threads of a process; none where it is gone.
func threads(pid int) int {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return 0
	}
	return len(entries)
}

// stat reads a process's state letter and start time.
func stat(pid int) (status byte, ticks uint64, err error) {
	path := fmt.Sprintf("/proc/%d/stat", pid)
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, 0, err
	}
	status, ticks, err = parseStat(text)
	if err != nil {
		return 0, 0, fmt.Errorf("read %s: %w", path, err)
	}
	return status, ticks, nil
}

// parseStat takes the fields behind the program's name, which is in brackets and may itself hold spaces and
// brackets: only what follows the last closing one can be split.
func parseStat(text []byte) (status byte, ticks uint64, err error) {
	end := bytes.LastIndexByte(text, ')')
	if end < 0 {
		return 0, 0, fmt.Errorf("no program name in %q", text)
	}
	fields := bytes.Fields(text[end+1:])
	const first, state, start = 3, 3, 22 // the numbers proc(5) gives the fields
	if len(fields) <= start-first {
		return 0, 0, fmt.Errorf("only %d fields in %q", len(fields), text)
	}
	ticks, err = strconv.ParseUint(string(fields[start-first]), 10, 64)
	if err != nil {
		return 0, 0, fmt.Errorf("start time: %w", err)
	}
	return fields[state-first][0], ticks, nil
}
