package control

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"

	"porthole/cluster/internal/access"
	"porthole/cluster/internal/kubeconfig"
	"porthole/cluster/internal/parts"
)

// Kubeconfig is the file of a user; the administrator's has the plain name.
func Kubeconfig(dir, user string) string {
	if user == access.Administrator {
		return filepath.Join(dir, "kubeconfig")
	}
	return filepath.Join(dir, user+".kubeconfig")
}

// credentials issues every certificate and writes every kubeconfig. Authorities and the key of service
// accounts stay what they are when the cluster was there before.
func credentials(layout parts.Layout) error {
	store := layout.PKI()
	authority, err := store.Authority("ca")
	if err != nil {
		return err
	}
	proxies, err := store.Authority("front-proxy-ca")
	if err != nil {
		return err
	}
	if err := store.SigningKey("service-accounts"); err != nil {
		return err
	}

	local := []string{"127.0.0.1", "localhost"}
	servers := map[string][]string{
		"etcd":  local,
		"local": local,
		"kube-apiserver": append([]string{"kubernetes", "kubernetes.default", "kubernetes.default.svc",
			"kubernetes.default.svc.cluster.local", parts.ServiceAddress}, local...),
	}
	for name, hosts := range servers {
		pair, err := authority.Server(name, hosts...)
		if err != nil {
			return err
		}
		if err := store.Write(name, pair); err != nil {
			return err
		}
	}
	pair, err := authority.Client("kube-apiserver", "system:masters")
	if err != nil {
		return err
	}
	if err := store.Write("kube-apiserver-client", pair); err != nil {
		return err
	}
	if pair, err = proxies.Client("front-proxy-client"); err != nil {
		return err
	}
	if err := store.Write("front-proxy-client", pair); err != nil {
		return err
	}

	cluster := kubeconfig.Cluster{
		Name:      "porthole-" + filepath.Base(layout.Dir),
		Server:    layout.Address(parts.APIServer),
		Authority: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: authority.Certificate.Raw}),
	}
	issue := func(path, user string, groups []string) error {
		pair, err := authority.Client(user, groups...)
		if err != nil {
			return err
		}
		return cluster.Write(path, user, pair)
	}
	for user, groups := range access.Users {
		if err := issue(Kubeconfig(layout.Dir, user), user, groups); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Join(layout.Dir, "parts"), 0o700); err != nil {
		return fmt.Errorf("make the folder of the parts: %w", err)
	}
	// The names RBAC's built-in roles are bound to. kwok plays all nodes at once, which no such role covers.
	for part, user := range map[string]string{
		parts.ControllerManager: "system:kube-controller-manager",
		parts.Scheduler:         "system:kube-scheduler",
	} {
		if err := issue(layout.Kubeconfig(part), user, nil); err != nil {
			return err
		}
	}
	return issue(layout.Kubeconfig(parts.Kwok), "kwok", []string{"system:masters"})
}
