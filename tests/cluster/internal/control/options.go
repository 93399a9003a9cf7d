// Package control brings a cluster up and down, and tells how it is.
package control

import (
	"fmt"
	"io"
	"time"
)

// Options of a start.
type Options struct {
	// Dir is the folder of the cluster: absolute, made when it is not there.
	Dir string
	// ControlPlane is the multi-call program; Assets a folder with another etcd and kube-apiserver, or empty;
	// Self the program that is running.
	ControlPlane, Assets, Self string
	// Port is the API server's, or 0 for a free one.
	Port int
	// Nodes is the number of nodes.
	Nodes int
	// Logs, Exec and Metrics are what the nodes answer.
	Logs, Exec, Metrics bool
	// WithoutControllers are those of the controller manager that do not run.
	WithoutControllers []string
	// Audit says that the API server writes down each request.
	Audit bool
	// ReadableStorage says that etcd holds objects as JSON.
	ReadableStorage bool
	// Progress gets a line for each step.
	Progress io.Writer
}

// progress prints steps with the time since the first.
type progress struct {
	out   io.Writer
	start time.Time
}

func newProgress(out io.Writer) *progress { return &progress{out: out, start: time.Now()} }

func (p *progress) step(format string, arguments ...any) {
	fmt.Fprintf(p.out, "%5.1f s  %s\n", time.Since(p.start).Seconds(), fmt.Sprintf(format, arguments...))
}
