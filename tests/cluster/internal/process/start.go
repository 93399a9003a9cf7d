package process

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// passed are the variables of our environment that a process gets too. No more of them: what the nodes run for
// `kubectl exec` sees them, and a proxy for the way out must not come between parts that talk over loopback.
var passed = []string{"PATH", "TMPDIR", "LANG", "GODEBUG", "GOGC", "GOMAXPROCS", "GOMEMLIMIT"}

func environment(home string) []string {
	kept := []string{"HOME=" + home}
	for _, name := range passed {
		if value, set := os.LookupEnv(name); set {
			kept = append(kept, name+"="+value)
		}
	}
	return kept
}

// Start runs argv detached: in a session of its own, so that neither the end of the caller nor Ctrl-C in its
// terminal reaches it. Its output is appended to the file at log; appending is what lets that file be cut
// while the process writes to it. Its home is the given folder, so that it finds nobody's settings.
func Start(argv []string, log, home string) (Identity, error) {
	out, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return Identity{}, fmt.Errorf("open the log: %w", err)
	}
	defer out.Close()
	command := exec.Command(argv[0], argv[1:]...)
	command.Env = environment(home)
	command.Stdout, command.Stderr = out, out
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		return Identity{}, fmt.Errorf("start %s: %w", argv[0], err)
	}
	id, err := Of(command.Process.Pid)
	if err != nil {
		_ = command.Process.Kill()
		return Identity{}, fmt.Errorf("identify %s: %w", argv[0], err)
	}
	// Waited for only so that a process that dies while we still run leaves no zombie.
	go func() { _ = command.Wait() }()
	return id, nil
}
