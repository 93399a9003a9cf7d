package kubeconfig

import (
	"os"
	"path/filepath"
	"testing"

	"k8s.io/client-go/tools/clientcmd"

	"porthole/cluster/internal/pki"
)

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kubeconfig")
	cluster := Cluster{Name: "test", Server: "https://127.0.0.1:6443", Authority: []byte("authority")}
	if err := cluster.Write(path, "reader", pki.Pair{Certificate: []byte("certificate"), Key: []byte("key")}); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	if config.Host != cluster.Server || string(config.CAData) != "authority" || string(config.CertData) != "certificate" || string(config.KeyData) != "key" {
		t.Errorf("got %+v", config)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the key in it: %v, %v", info.Mode(), err)
	}
}
