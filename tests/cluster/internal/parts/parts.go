// Package parts knows how each part of the control plane is started: its program, its flags and how it tells
// that it is ready.
package parts

import (
	"fmt"
	"path/filepath"

	"porthole/cluster/internal/pki"
	"porthole/cluster/internal/state"
)

// The names of the parts, as users name them and as the multi-call program does.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Scheduler         = "kube-scheduler"
	Kwok              = "kwok"
	Keeper            = "keeper"
)

// Listeners names the ports of a cluster in the order they are given out.
var Listeners = []string{APIServer, Etcd, "etcd-peer", "etcd-metrics", ControllerManager, Scheduler, Kwok}

// Layout is where a cluster keeps its things.
type Layout struct {
	// Dir is the folder of the cluster.
	Dir string
	// ControlPlane is the multi-call program.
	ControlPlane string
	// Assets, where set, is a folder with an etcd and a kube-apiserver to use instead (KUBEBUILDER_ASSETS).
	Assets string
	// Self is the program the keeper runs from.
	Self string
	// Logs says that there are pod logs to write.
	Logs bool
	// WithoutControllers are those of the controller manager that do not run.
	WithoutControllers []string
	// Audit says that the API server writes down each request, in AuditLog.
	Audit bool
	// ReadableStorage says that etcd holds objects as JSON.
	ReadableStorage bool
	// Ports by listener.
	Ports map[string]int
}

// PKI is the folder of certificates.
func (l Layout) PKI() pki.Store { return pki.Store(filepath.Join(l.Dir, "pki")) }

// Log is the file a part's output goes to.
func (l Layout) Log(part string) string { return filepath.Join(l.Dir, "logs", part+".log") }

// Kubeconfig is the file a part finds the API server in.
func (l Layout) Kubeconfig(part string) string {
	return filepath.Join(l.Dir, "parts", part+".kubeconfig")
}

// KwokConfig is the file with kwok's stages.
func (l Layout) KwokConfig() string { return filepath.Join(l.Dir, "parts", "kwok.yaml") }

// Scratch is the folder that commands run in.
func (l Layout) Scratch() string { return filepath.Join(l.Dir, "scratch") }

// PodLogs is the folder of the files that `kubectl logs` shows.
func (l Layout) PodLogs() string { return filepath.Join(l.Dir, "pod-logs") }

// Address is the URL of a listener.
func (l Layout) Address(listener string) string {
	return fmt.Sprintf("https://127.0.0.1:%d", l.Ports[listener])
}

// All describes every part, in the order they have to be started in.
func (l Layout) All() []*state.Part {
	return []*state.Part{l.etcd(), l.apiServer(), l.controllerManager(), l.scheduler(), l.kwok(), l.keeper()}
}

func (l Layout) part(name, ready string, argv []string) *state.Part {
	return &state.Part{Name: name, Argv: argv, Log: l.Log(name), Ready: ready}
}

// program is how a part of the multi-call program is started.
func (l Layout) program(name string, flags ...string) []string {
	if l.Assets != "" && (name == Etcd || name == APIServer) {
		return append([]string{filepath.Join(l.Assets, name)}, flags...)
	}
	return append([]string{l.ControlPlane, name}, flags...)
}

func (l Layout) port(listener string) string { return fmt.Sprint(l.Ports[listener]) }

func (l Layout) keeper() *state.Part {
	argv := []string{l.Self, "keeper", "--dir", l.Dir}
	if l.Logs {
		argv = append(argv, "--pod-logs", l.PodLogs())
	}
	return l.part(Keeper, "", argv)
}
