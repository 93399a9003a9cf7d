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
