// Package bulk brings thousands of pods into a cluster and changes them.
package bulk

import (
	"fmt"
	"hash/fnv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const (
	// Selector finds the bulk pods.
	Selector = "app=load"
	// namespaces is how many namespaces the pods are spread over.
	namespaces = 10
)

// namespace is the namespace of a bulk pod's number.
func namespace(number int) string { return fmt.Sprintf("load-%d", number%namespaces) }

// name is a bulk pod's name: the same for the same number, so that a load can be resumed, and ending as names
// that controllers give do.
func name(number int) string {
	hash := fnv.New32a()
	fmt.Fprintf(hash, "porthole %d", number)
	return fmt.Sprintf("load-%06d-%05x", number, hash.Sum32()&0xfffff)
}

// pod is a bulk pod: without an owner, because controllers answer each change of a pod they own, and on its
// node from the start, because the scheduler would be what limits the load.
func pod(number int, node string) *corev1.Pod {
	container := func(name, image string) corev1.Container {
		small := corev1.ResourceList{
			corev1.ResourceCPU:    resource.MustParse("1m"),
			corev1.ResourceMemory: resource.MustParse("1Mi"),
		}
		return corev1.Container{
			Name: name, Image: image,
			Resources: corev1.ResourceRequirements{Requests: small},
			Env:       []corev1.EnvVar{{Name: "SHARD", Value: fmt.Sprint(number)}, {Name: "MODE", Value: "load"}},
			Ports:     []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
		}
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:      name(number),
			Namespace: namespace(number),
			Labels: map[string]string{
				"app":                         "load",
				"app.kubernetes.io/name":      "load",
				"app.kubernetes.io/component": fmt.Sprintf("component-%d", number%7),
				"shard":                       fmt.Sprint(number % 100),
			},
			Annotations: map[string]string{"porthole.example/number": fmt.Sprint(number)},
		},
		Spec: corev1.PodSpec{
			NodeName:   node,
			Containers: []corev1.Container{container("app", "registry.example/load/app:1.0"), container("proxy", "registry.example/load/proxy:2.3")},
		},
	}
}
