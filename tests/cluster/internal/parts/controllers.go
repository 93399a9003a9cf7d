package parts

import (
	"strings"

	"porthole/cluster/internal/state"
)

// clientSpeed lifts the limits that would make thousands of pods wait for the controllers.
var clientSpeed = []string{"--kube-api-qps=1000", "--kube-api-burst=2000"}

func (l Layout) controllerManager() *state.Part {
	pki := l.PKI()
	flags := append(l.secured(ControllerManager),
		"--use-service-account-credentials",
		"--service-account-private-key-file="+pki.Key("service-accounts"),
		"--root-ca-file="+pki.Certificate("ca"),
		"--cluster-signing-cert-file="+pki.Certificate("ca"),
		"--cluster-signing-key-file="+pki.Key("ca"),
		// Nodes stay ready while the API server is down for a test, and a slow machine loses none.
		"--node-monitor-grace-period=15m",
	)
	if len(l.WithoutControllers) > 0 {
		flags = append(flags, "--controllers=*,-"+strings.Join(l.WithoutControllers, ",-"))
	}
	return l.part(ControllerManager, l.Address(ControllerManager)+"/healthz", l.program(ControllerManager, flags...))
}

func (l Layout) scheduler() *state.Part {
	return l.part(Scheduler, l.Address(Scheduler)+"/healthz", l.program(Scheduler, l.secured(Scheduler)...))
}

// secured are the flags that controllers and scheduler share.
func (l Layout) secured(name string) []string {
	pki := l.PKI()
	return append([]string{
		"--kubeconfig=" + l.Kubeconfig(name),
		"--authentication-kubeconfig=" + l.Kubeconfig(name),
		"--authorization-kubeconfig=" + l.Kubeconfig(name),
		"--bind-address=127.0.0.1",
		"--secure-port=" + l.port(name),
		"--tls-cert-file=" + pki.Certificate("local"),
		"--tls-private-key-file=" + pki.Key("local"),
		"--leader-elect=false",
		"--profiling=false",
		"--v=0",
	}, clientSpeed...)
}
