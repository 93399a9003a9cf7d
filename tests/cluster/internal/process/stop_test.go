package process

import (
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
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

// TestListener is no test: it is the process of the next one.
func TestListener(t *testing.T) {
	address := os.Getenv("LISTEN")
	if address == "" {
		t.Skip("it is started by another test")
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	// The last of its threads gives the memory back, and then the port.
	memory := make([]byte, 256<<20)
	for at := 0; at < len(memory); at += 4096 {
		memory[at] = 1
	}
	defer runtime.KeepAlive(memory)
	for range 50 {
		go func() {
			runtime.LockOSThread()
			_ = syscall.Pause()
		}()
	}
	os.Stdout.WriteString("listens on " + listener.Addr().String() + ".\n")
	for {
		time.Sleep(time.Hour)
	}
}

func TestAKilledProcessHasLeftItsPort(t *testing.T) {
	address := "127.0.0.1:0"
	for range 10 {
		id, log := run(t, "LISTEN="+address+" exec '"+os.Args[0]+"' -test.run='^TestListener$'")
		said := ""
		for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
			text, _ := os.ReadFile(log)
			if _, said, _ = strings.Cut(string(text), "listens on "); strings.HasSuffix(said, ".\n") {
				break
			}
		}
		if address = strings.TrimSuffix(said, ".\n"); address == "" {
			text, _ := os.ReadFile(log)
			t.Fatalf("it does not listen: %s", text)
		}
		if _, err := Kill(id); err != nil {
			t.Fatal(err)
		}
		listener, err := net.Listen("tcp", address)
		if err != nil {
			t.Fatalf("its port is in use: %v", err)
		}
		listener.Close()
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
