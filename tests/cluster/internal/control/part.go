package control

import (
	"context"
	"fmt"
	"io"
	"time"

	"k8s.io/client-go/kubernetes"

	"porthole/cluster/internal/access"
	"porthole/cluster/internal/connect"
	"porthole/cluster/internal/fleet"
	"porthole/cluster/internal/parts"
	"porthole/cluster/internal/process"
	"porthole/cluster/internal/state"
)

// Deed is something that is done to the process of a part.
type Deed struct {
	// Infinitive and Past name it.
	Infinitive, Past string
	// Do does it, and says whether there was such a process.
	Do func(process.Identity) (bool, error)
}

// What is done to parts of a running cluster.
var (
	Stop   = Deed{"end", "ended", func(id process.Identity) (bool, error) { return process.Stop(id, stopPatience) }}
	Kill   = Deed{"kill", "killed", process.Kill}
	Pause  = Deed{"pause", "paused", process.Pause}
	Resume = Deed{"resume", "resumed", process.Resume}
)

// Part does something to one part of a running cluster.
func Part(deed Deed, dir, name string, out io.Writer) error {
	_, part, release, err := open(dir, name)
	if err != nil {
		return err
	}
	defer release()
	running, err := deed.Do(part.Identity)
	if err != nil {
		return fmt.Errorf("%s %s: %w", deed.Infinitive, name, err)
	}
	if running {
		fmt.Fprintf(out, "%s %s (pid %d)\n", deed.Past, name, part.PID)
	} else {
		fmt.Fprintf(out, "%s does not run\n", name)
	}
	return nil
}

// StartPart starts one part again, as it was started the first time, and waits until it is ready.
func StartPart(ctx context.Context, dir, name string, out io.Writer) error {
	now, part, release, err := open(dir, name)
	if err != nil {
		return err
	}
	defer release()
	if part.Alive() {
		fmt.Fprintf(out, "%s runs already (pid %d)\n", name, part.PID)
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := start(ctx, dir, now, part); err != nil {
		return err
	}
	fmt.Fprintf(out, "%s is ready (pid %d)\n", name, part.PID)

	// kwok forgets a change whose request broke off with the API server, and the pod would stay as it is for
	// good. A new kwok looks at every pod again.
	if kwok, err := now.Part(parts.Kwok); err == nil && name == parts.APIServer && kwok.Alive() {
		if _, err := process.Stop(kwok.Identity, stopPatience); err != nil {
			return fmt.Errorf("end %s: %w", kwok.Name, err)
		}
		if err := start(ctx, dir, now, kwok); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s is ready (pid %d), begun anew\n", kwok.Name, kwok.PID)
	}
	return nil
}

// start launches a part of a cluster that runs otherwise, and waits for it.
func start(ctx context.Context, dir string, now *state.State, part *state.Part) error {
	if part.Name == parts.Kwok {
		if err := releaseNodes(ctx, dir); err != nil {
			return fmt.Errorf("start %s, for which %s has to run: %w", part.Name, parts.APIServer, err)
		}
	}
	if err := launch(dir, part); err != nil {
		return err
	}
	if err := now.Save(dir); err != nil {
		return err
	}
	wait, err := newWaiter(parts.Layout{Dir: dir}.PKI().Certificate("ca"))
	if err != nil {
		return err
	}
	// Only this part counts: others may be stopped on purpose.
	return wait.ready(ctx, []*state.Part{part}, []*state.Part{part})
}

// releaseNodes makes way for a new kwok.
func releaseNodes(ctx context.Context, dir string) error {
	config, err := connect.Config(Kubeconfig(dir, access.Administrator))
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	return fleet.Release(ctx, client)
}

// open finds a part and locks its cluster.
func open(dir, name string) (*state.State, *state.Part, func(), error) {
	if _, err := state.Load(dir); err != nil {
		return nil, nil, nil, err
	}
	release, err := lock(dir)
	if err != nil {
		return nil, nil, nil, err
	}
	now, err := state.Load(dir)
	if err != nil {
		release()
		return nil, nil, nil, err
	}
	part, err := now.Part(name)
	if err != nil {
		release()
		return nil, nil, nil, err
	}
	return now, part, release, nil
}
