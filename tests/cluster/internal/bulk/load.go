package bulk

import (
	"context"
	"fmt"
	"io"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"porthole/cluster/internal/fleet"
)

// workers is how many requests run at once; more only make the API server queue them.
const workers = 32

// Load brings the number of bulk pods to count and waits until all of them run.
func Load(ctx context.Context, client kubernetes.Interface, count int, progress io.Writer) error {
	start := time.Now()
	nodes, err := nodeNames(ctx, client)
	if err != nil {
		return err
	}
	if err := ensureNamespaces(ctx, client, min(count, namespaces)); err != nil {
		return err
	}
	there, err := list(ctx, client)
	if err != nil {
		return err
	}

	var missing []int
	wanted := make(map[string]bool, count)
	for number := range count {
		key := namespace(number) + "/" + name(number)
		wanted[key] = true
		if _, exists := there[key]; !exists {
			missing = append(missing, number)
		}
	}
	var extra []podKey
	for key, found := range there {
		if !wanted[key] {
			extra = append(extra, found.key)
		}
	}

	err = each(ctx, workers, missing, func(ctx context.Context, number int) error {
		_, err := client.CoreV1().Pods(namespace(number)).Create(ctx, pod(number, nodes[number%len(nodes)]), metav1.CreateOptions{})
		if err != nil && !errors.IsAlreadyExists(err) {
			return fmt.Errorf("create bulk pod %d: %w", number, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	now := int64(0)
	err = each(ctx, workers, extra, func(ctx context.Context, key podKey) error {
		err := client.CoreV1().Pods(key.namespace).Delete(ctx, key.name, metav1.DeleteOptions{GracePeriodSeconds: &now})
		if err != nil && !errors.IsNotFound(err) {
			return fmt.Errorf("delete bulk pod %s/%s: %w", key.namespace, key.name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(progress, "created %d and deleted %d bulk pods in %.1f s\n", len(missing), len(extra), time.Since(start).Seconds())

	for {
		waiting, err := idle(ctx, client)
		if err != nil {
			return err
		}
		if waiting == 0 {
			fmt.Fprintf(progress, "%d bulk pods run after %.1f s\n", count, time.Since(start).Seconds())
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for %d bulk pods to run, of which %d or more do not: %w", count, waiting, ctx.Err())
		case <-time.After(500 * time.Millisecond):
		}
	}
}

// nodeNames lists the nodes that take pods. Where none were made for it, any will do.
func nodeNames(ctx context.Context, client kubernetes.Interface) ([]string, error) {
	nodes, err := client.CoreV1().Nodes().List(ctx, metav1.ListOptions{LabelSelector: fleet.Label})
	if err != nil {
		return nil, fmt.Errorf("list nodes: %w", err)
	}
	var names []string
	for _, node := range nodes.Items {
		names = append(names, node.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("the cluster has no node with the label %s: start it with `cluster up --nodes 1` or more", fleet.Label)
	}
	return names, nil
}

func ensureNamespaces(ctx context.Context, client kubernetes.Interface, count int) error {
	for number := range count {
		object := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace(number)}}
		_, err := client.CoreV1().Namespaces().Create(ctx, object, metav1.CreateOptions{})
		if err != nil && !errors.IsAlreadyExists(err) {
			return fmt.Errorf("create namespace %s: %w", object.Name, err)
		}
	}
	// A pod is refused until its namespace has the service account it gets.
	for number := range count {
		for {
			_, err := client.CoreV1().ServiceAccounts(namespace(number)).Get(ctx, "default", metav1.GetOptions{})
			if err == nil {
				break
			}
			if !errors.IsNotFound(err) {
				return fmt.Errorf("look for the service account of namespace %s: %w", namespace(number), err)
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("wait for the service account of namespace %s: %w", namespace(number), ctx.Err())
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	return nil
}
