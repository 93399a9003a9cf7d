package bulk

import (
	"context"
	"sync"
)

// each does the work for every item, some at a time, and stops at the first error.
func each[T any](ctx context.Context, workers int, items []T, work func(context.Context, T) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan T)
	var group sync.WaitGroup
	for range min(workers, len(items)) {
		group.Go(func() {
			for item := range queue {
				if err := work(ctx, item); err != nil {
					cancel(err)
				}
			}
		})
	}
feed:
	for _, item := range items {
		select {
		case queue <- item:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	group.Wait()
	return context.Cause(ctx)
}
