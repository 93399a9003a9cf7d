package control

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"porthole/cluster/internal/access"
	"porthole/cluster/internal/connect"
	"porthole/cluster/internal/fleet"
	"porthole/cluster/internal/kwok"
	"porthole/cluster/internal/parts"
	"porthole/cluster/internal/ports"
	"porthole/cluster/internal/state"
)

// startLimit is how long a start may take, on a machine that has much else to do.
const startLimit = 3 * time.Minute

// Up starts the cluster in a folder and returns once it is ready. What was in it before is there again. A
// cluster that runs already is left as it is. If the start fails, nothing is left running.
func Up(ctx context.Context, options Options) error {
	steps := newProgress(options.Progress)
	if err := os.MkdirAll(options.Dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the cluster: %w", err)
	}
	release, err := lock(options.Dir)
	if err != nil {
		return err
	}
	defer release()
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()

	before, err := state.Load(options.Dir)
	if err != nil && !errors.Is(err, state.ErrNone) {
		return err
	}
	if err == nil {
		if dead := before.Dead(); len(dead) == 0 {
			return stillHealthy(ctx, options, before, steps)
		} else if len(dead) < len(before.Parts) {
			return fmt.Errorf("a cluster runs in %s, but not all of it: %w\nstart the part with `cluster start --dir %s %s`, or end all with `cluster down --dir %s`",
				options.Dir, deadError{dead[0]}, options.Dir, dead[0].Name, options.Dir)
		}
	}

	layout, err := prepare(options)
	if err != nil {
		return err
	}
	steps.step("certificates and kubeconfigs are in %s", options.Dir)
	now := &state.State{Server: layout.Address(parts.APIServer), Ports: layout.Ports, Parts: layout.All()}
	if err := bring(ctx, options, layout, now, steps); err != nil {
		for _, failed := range end(now, options.Progress) {
			err = errors.Join(err, failed)
		}
		return err
	}
	return nil
}

// stillHealthy looks after a cluster that runs.
func stillHealthy(ctx context.Context, options Options, now *state.State, steps *progress) error {
	wait, err := newWaiter(parts.Layout{Dir: options.Dir}.PKI().Certificate("ca"))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 15*time.Second)
	defer cancel()
	if err := wait.ready(ctx, now.Parts, now.Parts); err != nil {
		return fmt.Errorf("a cluster runs in %s, but does not answer: %w", options.Dir, err)
	}
	steps.step("a cluster runs in %s already: %s", options.Dir, now.Server)
	return nil
}

// prepare chooses ports and writes all files that the parts read.
func prepare(options Options) (parts.Layout, error) {
	layout := parts.Layout{
		Dir: options.Dir, ControlPlane: options.ControlPlane, Assets: options.Assets, Self: options.Self, Logs: options.Logs,
		WithoutControllers: options.WithoutControllers, Audit: options.Audit, ReadableStorage: options.ReadableStorage,
		Ports: map[string]int{},
	}
	if options.Port != 0 {
		if err := ports.Check(options.Port); err != nil {
			return layout, err
		}
	}
	free, err := ports.Free(len(parts.Listeners))
	if err != nil {
		return layout, err
	}
	for i, listener := range parts.Listeners {
		layout.Ports[listener] = free[i]
	}
	if options.Port != 0 {
		layout.Ports[parts.APIServer] = options.Port
	}
	if err := credentials(layout); err != nil {
		return layout, fmt.Errorf("make certificates: %w", err)
	}
	for _, folder := range []string{filepath.Dir(layout.Log("")), layout.PodLogs(), layout.Scratch()} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return layout, fmt.Errorf("make a folder of the cluster: %w", err)
		}
	}
	if err := layout.WriteAuditPolicy(); err != nil {
		return layout, err
	}
	return layout, kwok.Write(layout.KwokConfig(), kwok.Options{
		Logs: options.Logs, Exec: options.Exec, Metrics: options.Metrics,
		PodLogs: layout.PodLogs(), Scratch: layout.Scratch(),
	})
}

// bring starts the parts and waits for what makes a cluster usable.
func bring(ctx context.Context, options Options, layout parts.Layout, now *state.State, steps *progress) error {
	wait, err := newWaiter(layout.PKI().Certificate("ca"))
	if err != nil {
		return err
	}
	// The API server waits for etcd by itself; all others need the API server and would only retry.
	first, rest := now.Parts[:2], now.Parts[2:]
	for _, group := range [][]*state.Part{first, rest} {
		for _, part := range group {
			// What the log says is of this run: its end is shown when the part dies.
			if err := os.Remove(part.Log); err != nil && !errors.Is(err, os.ErrNotExist) {
				return fmt.Errorf("remove the old log: %w", err)
			}
			if part.Name == parts.Kwok {
				if err := releaseNodes(ctx, options.Dir); err != nil {
					return err
				}
			}
			if err := launch(options.Dir, part); err != nil {
				return err
			}
			if err := now.Save(options.Dir); err != nil {
				return err
			}
		}
		if err := wait.ready(ctx, now.Parts, group); err != nil {
			return err
		}
		for _, part := range group {
			steps.step("%s is ready", part.Name)
		}
	}

	config, err := connect.Config(Kubeconfig(options.Dir, access.Administrator))
	if err != nil {
		return err
	}
	if err := populate(ctx, config, options.Nodes, now); err != nil {
		return err
	}
	steps.step("service accounts, users and %d nodes are ready", options.Nodes)
	return nil
}

// populate gives the cluster its nodes and users and waits until they and the controllers are at work.
func populate(ctx context.Context, config *rest.Config, nodes int, now *state.State) error {
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	if err := fleet.Ensure(ctx, client, nodes, now.Ports[parts.Kwok]); err != nil {
		return err
	}
	if err := access.Grant(ctx, config); err != nil {
		return err
	}
	for _, namespace := range []string{"default", "shop"} {
		err := poll(ctx, now.Parts, func() (bool, error) {
			_, err := client.CoreV1().ServiceAccounts(namespace).Get(ctx, "default", metav1.GetOptions{})
			return err == nil, err
		})
		if err != nil {
			return fmt.Errorf("wait for the service account default of namespace %s: %w", namespace, err)
		}
	}
	err = poll(ctx, now.Parts, func() (bool, error) {
		ready, all, err := fleet.Ready(ctx, client)
		return err == nil && ready == all, err
	})
	if err != nil {
		return fmt.Errorf("wait for the nodes: %w", err)
	}
	return nil
}
