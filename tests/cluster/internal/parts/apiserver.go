package parts

import "porthole/cluster/internal/state"

// ServiceAddress is the address of the service `kubernetes`, the first of the services' range.
const (
	ServiceAddress = "10.96.0.1"
	serviceRange   = "10.96.0.0/16"
)

func (l Layout) apiServer() *state.Part {
	pki := l.PKI()
	flags := []string{
		"--bind-address=127.0.0.1",
		"--secure-port=" + l.port(APIServer),
		"--tls-cert-file=" + pki.Certificate("kube-apiserver"),
		"--tls-private-key-file=" + pki.Key("kube-apiserver"),
		"--client-ca-file=" + pki.Certificate("ca"),

		"--etcd-servers=" + l.Address(Etcd),
		"--etcd-cafile=" + pki.Certificate("ca"),
		"--etcd-certfile=" + pki.Certificate("kube-apiserver-client"),
		"--etcd-keyfile=" + pki.Key("kube-apiserver-client"),

		"--authorization-mode=Node,RBAC",
		"--enable-admission-plugins=NodeRestriction",
		"--service-account-issuer=https://kubernetes.default.svc.cluster.local",
		"--service-account-key-file=" + pki.Key("service-accounts"),
		"--service-account-signing-key-file=" + pki.Key("service-accounts"),

		// The nodes are kwok, which serves logs and commands for all of them.
		"--kubelet-certificate-authority=" + pki.Certificate("ca"),
		"--kubelet-client-certificate=" + pki.Certificate("kube-apiserver-client"),
		"--kubelet-client-key=" + pki.Key("kube-apiserver-client"),
		"--kubelet-preferred-address-types=InternalIP",

		"--requestheader-client-ca-file=" + pki.Certificate("front-proxy-ca"),
		"--requestheader-allowed-names=front-proxy-client",
		"--requestheader-username-headers=X-Remote-User",
		"--requestheader-group-headers=X-Remote-Group",
		"--requestheader-extra-headers-prefix=X-Remote-Extra-",
		"--proxy-client-cert-file=" + pki.Certificate("front-proxy-client"),
		"--proxy-client-key-file=" + pki.Key("front-proxy-client"),

		"--service-cluster-ip-range=" + serviceRange,
		// A loopback address cannot be an endpoint: without this the server tries again and again.
		"--endpoint-reconciler-type=none",
		"--advertise-address=127.0.0.1",
		// Pages of this machine, which still need a token. Those that name it `localhost` are refused: tests need both.
		`--cors-allowed-origins=^http://127\.0\.0\.1(:[0-9]+)?$`,
		// The demo's events have to be there after a lunch break.
		"--event-ttl=24h",
		"--profiling=false",
		"--v=0",
	}
	if l.Audit {
		flags = append(flags, "--audit-policy-file="+l.auditPolicy(), "--audit-log-path="+l.AuditLog(), "--audit-log-maxsize=4096")
	}
	if l.ReadableStorage {
		flags = append(flags, "--storage-media-type=application/json")
	}
	return l.part(APIServer, l.Address(APIServer)+"/readyz", l.program(APIServer, flags...))
}
