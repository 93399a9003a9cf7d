package bulk

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

// Churned is what a churn came to.
type Churned struct {
	// Done changes were made, Failed ones were refused.
	Done, Failed int64
	// Elapsed is the time it took, with the wait for the last answers.
	Elapsed time.Duration
}

// Churn makes rate changes a second to the bulk pods for a time: each raises the restarts of one pod's first
// container by one, which is a column of every table of pods. A server that is too slow for the rate gets the
// changes late or not at all, never more of them at once.
func Churn(ctx context.Context, client kubernetes.Interface, rate float64, length time.Duration) (Churned, error) {
	pods, err := list(ctx, client)
	if err != nil {
		return Churned{}, err
	}
	if len(pods) == 0 {
		return Churned{}, fmt.Errorf("there are no bulk pods to change: make some with `cluster load --pods N`")
	}
	order := make([]found, 0, len(pods))
	for _, pod := range pods {
		order = append(order, pod)
	}
	// Neighbours in the order of the table shall not change one after the other, but the same pods in the same
	// order each time.
	slices.SortFunc(order, func(a, b found) int {
		return strings.Compare(a.key.namespace+a.key.name, b.key.namespace+b.key.name)
	})
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })

	var done, failed atomic.Int64
	var firstError sync.Once
	queue := make(chan *found)
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for pod := range queue {
				if failure := restart(ctx, client, pod); failure != nil {
					failed.Add(1)
					firstError.Do(func() { err = failure })
				} else {
					done.Add(1)
				}
			}
		})
	}
	start := time.Now()
	for number := 0; ; number++ {
		due := start.Add(time.Duration(float64(number) / rate * float64(time.Second)))
		if due.Sub(start) >= length || time.Since(start) >= length || ctx.Err() != nil {
			break
		}
		time.Sleep(time.Until(due))
		queue <- &order[number%len(order)]
	}
	close(queue)
	group.Wait()
	result := Churned{Done: done.Load(), Failed: failed.Load(), Elapsed: time.Since(start)}
	if err != nil {
		return result, fmt.Errorf("%d of %d changes failed, the first one: %w", result.Failed, result.Failed+result.Done, err)
	}
	return result, nil
}

// restart raises a pod's restarts. It tells the server no resource version, so that it is never refused for an
// older one. A pod that is gone is none to change.
func restart(ctx context.Context, client kubernetes.Interface, pod *found) error {
	restarts := atomic.AddInt32(&pod.restarts, 1)
	patch := fmt.Appendf(nil, `[{"op":"replace","path":"/status/containerStatuses/0/restartCount","value":%d}]`, restarts)
	_, err := client.CoreV1().Pods(pod.key.namespace).Patch(ctx, pod.key.name, types.JSONPatchType, patch, metav1.PatchOptions{}, "status")
	if err != nil && !errors.IsNotFound(err) {
		return fmt.Errorf("change %s/%s: %w", pod.key.namespace, pod.key.name, err)
	}
	return nil
}
