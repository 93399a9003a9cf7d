// Package fleet makes the nodes that kwok plays.
package fleet

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// Label marks the nodes made here.
const Label = "porthole.example/node"

// Ensure creates the nodes node-0 … that are not there yet. All nodes, also those of an earlier run, are told
// the port that kwok answers for them on.
func Ensure(ctx context.Context, client kubernetes.Interface, count, port int) error {
	for number := range count {
		_, err := client.CoreV1().Nodes().Create(ctx, node(number), metav1.CreateOptions{})
		if err != nil && !errors.IsAlreadyExists(err) {
			return fmt.Errorf("create node-%d: %w", number, err)
		}
	}
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: Label})
	if err != nil {
		return fmt.Errorf("list nodes: %w", err)
	}
	patch := fmt.Appendf(nil, `{"status":{"daemonEndpoints":{"kubeletEndpoint":{"Port":%d}}}}`, port)
	for _, node := range nodes.Items {
		if node.Status.DaemonEndpoints.KubeletEndpoint.Port == int32(port) {
			continue
		}
		_, err := client.CoreV1().Nodes().Patch(ctx, node.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
		if err != nil {
			return fmt.Errorf("tell %s kwok's port: %w", node.Name, err)
		}
	}
	return nil
}

// Ready counts the nodes made here, and those of them that are ready.
func Ready(ctx context.Context, client kubernetes.Interface) (ready, all int, err error) {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: Label})
	if err != nil {
		return 0, 0, fmt.Errorf("list nodes: %w", err)
	}
	for _, node := range nodes.Items {
		for _, condition := range node.Status.Conditions {
			if condition.Type == corev1.NodeReady && condition.Status == corev1.ConditionTrue {
				ready++
			}
		}
	}
	return ready, len(nodes.Items), nil
}

// node is a large real machine, except for the number of pods it takes: bulk loads put thousands on each, and
// the demo's pods have to find room beside them.
func node(number int) *corev1.Node {
	name := fmt.Sprintf("node-%d", number)
	capacity := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("128"),
		corev1.ResourceMemory:           resource.MustParse("512Gi"),
		corev1.ResourceEphemeralStorage: resource.MustParse("2Ti"),
		corev1.ResourcePods:             resource.MustParse("65536"),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{
			Name: name,
			Labels: map[string]string{
				Label:                            "fake",
				"kubernetes.io/arch":             "amd64",
				"kubernetes.io/os":               "linux",
				"kubernetes.io/hostname":         name,
				"node-role.kubernetes.io/worker": "",
				"topology.kubernetes.io/region":  "local",
				"topology.kubernetes.io/zone":    fmt.Sprintf("local-%c", 'a'+number%3),
			},
		},
		Spec: corev1.NodeSpec{
			ProviderID: "kwok://" + name,
			// Twelve bits of addresses a node; kwok counts on behind them when they are used up.
			PodCIDR:  podRange(number),
			PodCIDRs: []string{podRange(number)},
		},
		Status: corev1.NodeStatus{
			Capacity:    capacity,
			Allocatable: capacity,
			NodeInfo: corev1.NodeSystemInfo{
				Architecture:            "amd64",
				OperatingSystem:         "linux",
				OSImage:                 "Porthole Fake OS 1.0",
				KernelVersion:           "6.12.0-fake",
				ContainerRuntimeVersion: "containerd://2.1.0",
				KubeletVersion:          "v1.36.3",
				MachineID:               fmt.Sprintf("%032x", number+1),
				SystemUUID:              fmt.Sprintf("%032x", number+1),
				BootID:                  fmt.Sprintf("%032x", number+1),
			},
		},
	}
}

// podRange gives every node a /20 of 10.128.0.0/9, which has 2,048 of them and none of the services' range.
func podRange(number int) string {
	block := number % 2048
	return fmt.Sprintf("10.%d.%d.0/20", 128+block/16, block%16*16)
}
