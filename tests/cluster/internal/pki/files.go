package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Store is the folder of a cluster's certificates and keys.
type Store string

// Certificate is the path of the certificate of that name.
func (s Store) Certificate(name string) string { return filepath.Join(string(s), name+".crt") }

// Key is the path of the key of that name.
func (s Store) Key(name string) string { return filepath.Join(string(s), name+".key") }

// Write stores a pair under a name.
func (s Store) Write(name string, pair Pair) error {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return fmt.Errorf("make the folder of certificates: %w", err)
	}
	if err := os.WriteFile(s.Certificate(name), pair.Certificate, 0o600); err != nil {
		return err
	}
	return os.WriteFile(s.Key(name), pair.Key, 0o600)
}

// Authority returns the authority of that name, made when it is not there yet. It outlives a restart of the
// cluster: kubeconfigs and tokens handed out before stay good.
func (s Store) Authority(name string) (*Authority, error) {
	certificate, err := s.read(s.Certificate(name), "CERTIFICATE")
	if errors.Is(err, os.ErrNotExist) {
		authority, pair, err := NewAuthority(name)
		if err != nil {
			return nil, err
		}
		return authority, s.Write(name, pair)
	}
	if err != nil {
		return nil, err
	}
	key, err := s.read(s.Key(name), "EC PRIVATE KEY")
	if err != nil {
		return nil, err
	}
	authority := &Authority{}
	if authority.Certificate, err = x509.ParseCertificate(certificate); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Certificate(name), err)
	}
	if authority.key, err = x509.ParseECPrivateKey(key); err != nil {
		return nil, fmt.Errorf("read %s: %w", s.Key(name), err)
	}
	return authority, nil
}

// SigningKey makes the key of that name that signs service accounts' tokens, unless it is there.
func (s Store) SigningKey(name string) error {
	if _, err := os.Stat(s.Key(name)); err == nil {
		return nil
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("make the key %s: %w", name, err)
	}
	pair, err := encode(nil, key)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return fmt.Errorf("make the folder of certificates: %w", err)
	}
	return os.WriteFile(s.Key(name), pair.Key, 0o600)
}

func (s Store) read(path, kind string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != kind {
		return nil, fmt.Errorf("%s holds no %s: remove the folder to have it made again", path, kind)
	}
	return block.Bytes, nil
}

func encode(der []byte, key crypto.Signer) (Pair, error) {
	secret, err := x509.MarshalECPrivateKey(key.(*ecdsa.PrivateKey))
	if err != nil {
		return Pair{}, fmt.Errorf("encode a key: %w", err)
	}
	return Pair{
		Certificate: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		Key:         pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: secret}),
	}, nil
}
