package pki

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
)

func parse(t *testing.T, pair Pair) *x509.Certificate {
	t.Helper()
	if _, err := tls.X509KeyPair(pair.Certificate, pair.Key); err != nil {
		t.Fatalf("key and certificate do not belong together: %v", err)
	}
	block, _ := pem.Decode(pair.Certificate)
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil {
		t.Fatal(err)
	}
	return certificate
}

func TestServerIsTrustedUnderItsNamesOnly(t *testing.T) {
	authority, _, err := NewAuthority("test")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Server("server", "127.0.0.1", "localhost")
	if err != nil {
		t.Fatal(err)
	}
	certificate := parse(t, pair)
	roots := x509.NewCertPool()
	roots.AddCert(authority.Certificate)
	for host, good := range map[string]bool{"127.0.0.1": true, "localhost": true, "10.0.0.1": false, "example.com": false} {
		_, err := certificate.Verify(x509.VerifyOptions{Roots: roots, DNSName: host})
		if (err == nil) != good {
			t.Errorf("%s: %v", host, err)
		}
	}
}

func TestClientCarriesUserAndGroups(t *testing.T) {
	authority, _, err := NewAuthority("test")
	if err != nil {
		t.Fatal(err)
	}
	pair, err := authority.Client("reader", "one", "two")
	if err != nil {
		t.Fatal(err)
	}
	subject := parse(t, pair).Subject
	if subject.CommonName != "reader" || len(subject.Organization) != 2 {
		t.Errorf("got %v", subject)
	}
}

func TestStoreKeepsAuthorityAndKey(t *testing.T) {
	store := Store(filepath.Join(t.TempDir(), "pki"))
	first, err := store.Authority("ca")
	if err != nil {
		t.Fatal(err)
	}
	second, err := store.Authority("ca")
	if err != nil {
		t.Fatal(err)
	}
	if !first.Certificate.Equal(second.Certificate) {
		t.Error("the authority was made anew")
	}
	pair, err := second.Client("user")
	if err != nil {
		t.Fatal(err)
	}
	if err := parse(t, pair).CheckSignatureFrom(first.Certificate); err != nil {
		t.Errorf("the authority that was read signs with another key: %v", err)
	}

	if err := store.SigningKey("service-accounts"); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(store.Key("service-accounts"))
	if err := store.SigningKey("service-accounts"); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(store.Key("service-accounts")); string(after) != string(before) {
		t.Error("the key of service accounts was made anew")
	}
	if info, err := os.Stat(store.Key("ca")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the authority's key can be read by others: %v, %v", info.Mode(), err)
	}
}
