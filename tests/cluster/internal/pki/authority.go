// Package pki makes the certificates and keys that the parts of a cluster know each other by.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"net"
	"time"
)

// lifetime of all certificates: a local cluster is thrown away long before.
const lifetime = 10 * 365 * 24 * time.Hour

// Authority signs certificates.
type Authority struct {
	Certificate *x509.Certificate
	key         crypto.Signer
}

// Pair is a certificate with its key, both in PEM.
type Pair struct {
	Certificate, Key []byte
}

// NewAuthority makes an authority that signs itself.
func NewAuthority(name string) (*Authority, Pair, error) {
	template := &x509.Certificate{
		Subject:               pkix.Name{CommonName: name},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	certificate, key, pair, err := sign(template, nil)
	if err != nil {
		return nil, Pair{}, fmt.Errorf("make the authority %s: %w", name, err)
	}
	return &Authority{Certificate: certificate, key: key}, pair, nil
}

// Server issues a certificate for a server that is reached under the given names and addresses. It is good for
// a client too: etcd uses its own when it calls itself.
func (a *Authority) Server(name string, hosts ...string) (Pair, error) {
	template := &x509.Certificate{
		Subject:     pkix.Name{CommonName: name},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	_, _, pair, err := sign(template, a)
	return pair, err
}

// Client issues a certificate that makes its bearer the user of that name in those groups.
func (a *Authority) Client(user string, groups ...string) (Pair, error) {
	_, _, pair, err := sign(&x509.Certificate{
		Subject:     pkix.Name{CommonName: user, Organization: groups},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, a)
	return pair, err
}

// sign completes the template, makes a key for it and has it signed by the authority, or by itself where there
// is none. Elliptic curves because an RSA key takes longer to make than the API server to start.
func sign(template *x509.Certificate, by *Authority) (*x509.Certificate, crypto.Signer, Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, Pair{}, fmt.Errorf("make a key: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return nil, nil, Pair{}, fmt.Errorf("make a serial number: %w", err)
	}
	template.SerialNumber = serial
	template.NotBefore = time.Now().Add(-time.Hour)
	template.NotAfter = time.Now().Add(lifetime)
	parent, signer := template, crypto.Signer(key)
	if by != nil {
		parent, signer = by.Certificate, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, key.Public(), signer)
	if err != nil {
		return nil, nil, Pair{}, fmt.Errorf("sign the certificate of %s: %w", template.Subject.CommonName, err)
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, nil, Pair{}, fmt.Errorf("read back the certificate of %s: %w", template.Subject.CommonName, err)
	}
	pair, err := encode(der, key)
	return certificate, key, pair, err
}
