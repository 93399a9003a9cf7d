package parts

import "porthole/cluster/internal/state"

// kwok plays the nodes. It always listens: what it answers is up to its configuration.
func (l Layout) kwok() *state.Part {
	pki := l.PKI()
	return l.part(Kwok, l.Address(Kwok)+"/healthz", l.program(Kwok,
		"--config="+l.KwokConfig(),
		"--kubeconfig="+l.Kubeconfig(Kwok),
		"--manage-all-nodes",
		"--node-ip=127.0.0.1",
		"--node-port="+l.port(Kwok),
		"--server-address=127.0.0.1:"+l.port(Kwok),
		"--tls-cert-file="+pki.Certificate("local"),
		"--tls-private-key-file="+pki.Key("local"),
		// Renewed every quarter of it: a watch of leases stays quiet.
		"--node-lease-duration-seconds=240",
		"--v=WARN",
	))
}
