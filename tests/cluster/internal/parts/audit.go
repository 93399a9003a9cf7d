package parts

import (
	"fmt"
	"os"
	"path/filepath"
)

// auditPolicy is what is written down: who asked for what, once it is answered.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted, Panic]
rules:
- level: Metadata
`

// AuditLog is the file with a line for each request. It is no log that the keeper cuts.
func (l Layout) AuditLog() string { return filepath.Join(l.Dir, "logs", "audit.jsonl") }

func (l Layout) auditPolicy() string { return filepath.Join(l.Dir, "parts", "audit-policy.yaml") }

// WriteAuditPolicy writes what the API server reads, where it writes requests down.
func (l Layout) WriteAuditPolicy() error {
	if !l.Audit {
		return nil
	}
	if err := os.WriteFile(l.auditPolicy(), []byte(auditPolicy), 0o600); err != nil {
		return fmt.Errorf("write the audit policy: %w", err)
	}
	return nil
}
