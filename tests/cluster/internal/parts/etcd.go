package parts

import (
	"fmt"
	"path/filepath"

	"porthole/cluster/internal/state"
)

// etcd holds the data of a cluster nobody would miss, so it does not wait for the disk.
func (l Layout) etcd() *state.Part {
	metrics := fmt.Sprintf("http://127.0.0.1:%d", l.Ports["etcd-metrics"])
	pki := l.PKI()
	return l.part(Etcd, metrics+"/readyz", l.program(Etcd,
		"--name=porthole",
		"--data-dir="+filepath.Join(l.Dir, "etcd"),
		"--unsafe-no-fsync",
		// Alone it need not wait long for a vote.
		"--heartbeat-interval=20",
		"--election-timeout=200",
		"--listen-client-urls="+l.Address(Etcd),
		"--advertise-client-urls="+l.Address(Etcd),
		"--cert-file="+pki.Certificate("etcd"),
		"--key-file="+pki.Key("etcd"),
		"--trusted-ca-file="+pki.Certificate("ca"),
		"--client-cert-auth",
		"--listen-peer-urls="+l.Address("etcd-peer"),
		"--initial-advertise-peer-urls="+l.Address("etcd-peer"),
		"--initial-cluster=porthole="+l.Address("etcd-peer"),
		"--peer-cert-file="+pki.Certificate("etcd"),
		"--peer-key-file="+pki.Key("etcd"),
		"--peer-trusted-ca-file="+pki.Certificate("ca"),
		"--peer-client-cert-auth",
		"--listen-metrics-urls="+metrics,
		"--quota-backend-bytes=8589934592",
		"--log-level=warn",
	))
}
