package bulk

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation"
)

func TestPodsAreUniqueAndValid(t *testing.T) {
	seen := map[string]bool{}
	perNamespace := map[string]int{}
	for number := range 10000 {
		one := pod(number, "node-0")
		key := one.Namespace + "/" + one.Name
		if seen[key] {
			t.Fatalf("%s is there twice", key)
		}
		seen[key] = true
		perNamespace[one.Namespace]++
		if bad := validation.IsDNS1123Subdomain(one.Name); bad != nil {
			t.Fatal(bad)
		}
		if len(one.Spec.Containers) != 2 || len(one.OwnerReferences) != 0 || one.Spec.NodeName != "node-0" {
			t.Fatalf("%s is not a bulk pod", key)
		}
	}
	for namespace, count := range perNamespace {
		if count != 1000 {
			t.Errorf("%s has %d pods", namespace, count)
		}
	}
}

func TestEach(t *testing.T) {
	items := make([]int, 100)
	var done atomic.Int64
	if err := each(t.Context(), 4, items, func(context.Context, int) error { done.Add(1); return nil }); err != nil || done.Load() != 100 {
		t.Errorf("did %d, %v", done.Load(), err)
	}
	if err := each(t.Context(), 4, []int{}, func(context.Context, int) error { return nil }); err != nil {
		t.Errorf("nothing to do: %v", err)
	}
	broken := errors.New("broken")
	done.Store(0)
	err := each(t.Context(), 4, items, func(context.Context, int) error { done.Add(1); return broken })
	if !errors.Is(err, broken) || done.Load() > 10 {
		t.Errorf("did %d after the first error, %v", done.Load(), err)
	}
}
