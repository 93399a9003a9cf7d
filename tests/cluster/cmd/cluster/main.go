// Command cluster runs a Kubernetes control plane on this machine for development, tests and benchmarks: real
// etcd, API server, controllers and scheduler, and nodes that kwok plays.
package main

import (
	"os"

	"porthole/cluster/internal/cli"
)

func main() { os.Exit(cli.Run()) }
