package process

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func run(t *testing.T, script string) (Identity, string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	id, err := Start([]string{"/bin/sh", "-c", script}, log, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = Stop(id, 0) })
	return id, log
}

func TestStopEndsTheProcess(t *testing.T) {
	id, _ := run(t, "exec sleep 60")
	if running, err := Stop(id, 5*time.Second); err != nil || !running {
		t.Errorf("got %v, %v", running, err)
	}
	if id.Alive() {
		t.Error("it still runs")
	}
	if running, err := Stop(id, time.Second); err != nil || running {
		t.Errorf("the second time: got %v, %v", running, err)
	}
}

func TestStopKillsWhatDoesNotListen(t *testing.T) {
	id, log := run(t, "trap '' TERM; echo deaf; while :; do sleep 0.05; done")
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if text, _ := os.ReadFile(log); strings.Contains(string(text), "deaf") {
			break
		}
	}
	if _, err := Stop(id, 100*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if id.Alive() {
		t.Error("it still runs")
	}
}

// stateOf is the letter of a process's state, once it is the wanted one.
func stateOf(t *testing.T, id Identity, wanted byte) byte {
	t.Helper()
	var state byte
	for end := time.Now().Add(5 * time.Second); state != wanted && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		state, _, _ = stat(id.PID)
	}
	return state
}

func TestPauseAndResume(t *testing.T) {
	id, _ := run(t, "exec sleep 60")
	for _, step := range []struct {
		do     func(Identity) (bool, error)
		wanted byte
	}{{Pause, 'T'}, {Resume, 'S'}, {Pause, 'T'}} {
		if running, err := step.do(id); err != nil || !running {
			t.Fatalf("got %v, %v", running, err)
		}
		if state := stateOf(t, id, step.wanted); state != step.wanted {
			t.Errorf("its state is %c, not %c", state, step.wanted)
		}
	}
	other := id
	other.StartTicks++
	if running, err := Resume(other); err != nil || running {
		t.Errorf("another process of the pid: got %v, %v", running, err)
	}
	if state, _, _ := stat(id.PID); state != 'T' {
		t.Error("a process was resumed by its pid alone")
	}
	// Also what does not run can be killed.
	if running, err := Kill(id); err != nil || !running || id.Alive() {
		t.Errorf("got %v, %v, and it is alive: %v", running, err, id.Alive())
	}
	if running, err := Kill(id); err != nil || running {
		t.Errorf("the second time: got %v, %v", running, err)
	}
}

func TestStopLeavesAReusedPidAlone(t *testing.T) {
	id, _ := run(t, "exec sleep 60")
	other := id
	other.StartTicks++
	if running, err := Stop(other, 0); err != nil || running {
		t.Errorf("got %v, %v", running, err)
	}
	if !id.Alive() {
		t.Error("a process was ended by its pid alone")
	}
}

func TestStartHidesTheEnvironment(t *testing.T) {
	t.Setenv("PORTHOLE_TEST_SECRET", "told")
	id, log := run(t, "env; echo done")
	for end := time.Now().Add(5 * time.Second); id.Alive() && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
	}
	text, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(text), "done") {
		t.Fatalf("got %q, %v", text, err)
	}
	if strings.Contains(string(text), "told") || strings.Contains(string(text), "HOME="+os.Getenv("HOME")+"\n") {
		t.Errorf("the process got a variable that it has no use for:\n%s", text)
	}
}
