package control

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"porthole/cluster/internal/logs"
	"porthole/cluster/internal/parts"
	"porthole/cluster/internal/process"
	"porthole/cluster/internal/state"
)

// logLines is how much of a dead part's log is shown.
const logLines = 20

// launch starts a part of the cluster in dir.
func launch(dir string, part *state.Part) error {
	id, err := process.Start(part.Argv, part.Log, parts.Layout{Dir: dir}.Scratch())
	if err != nil {
		return fmt.Errorf("start %s: %w", part.Name, err)
	}
	part.Identity = id
	return nil
}

// deadError says that a part ended, with the end of its log.
type deadError struct{ part *state.Part }

func (e deadError) Error() string {
	tail := strings.TrimRight(logs.Tail(e.part.Log, logLines), "\n")
	return fmt.Sprintf("%s ended; the end of its log (%s):\n%s", e.part.Name, e.part.Log, tail)
}

// waiter asks parts whether they are ready.
type waiter struct {
	client *http.Client
}

// newWaiter trusts the authority of the cluster.
func newWaiter(authority string) (*waiter, error) {
	text, err := os.ReadFile(authority)
	if err != nil {
		return nil, fmt.Errorf("read the authority's certificate: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", authority)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DisableKeepAlives: true}
	return &waiter{client: &http.Client{Transport: transport, Timeout: 5 * time.Second}}, nil
}

// ready waits for the parts to be ready, while all of the others keep running.
func (w *waiter) ready(ctx context.Context, all, wanted []*state.Part) error {
	for _, part := range wanted {
		if part.Ready == "" {
			continue
		}
		last := ""
		err := poll(ctx, all, func() (bool, error) {
			var ok bool
			ok, last = w.ask(ctx, part.Ready)
			return ok, nil
		})
		if errors.As(err, &deadError{}) {
			return err
		}
		if err != nil {
			return fmt.Errorf("wait for %s (%s: %s): %w", part.Name, part.Ready, last, err)
		}
	}
	return nil
}

// ask says whether an address answers 200, and what it answered otherwise.
func (w *waiter) ask(ctx context.Context, address string) (bool, string) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return false, err.Error()
	}
	response, err := w.client.Do(request)
	if err != nil {
		return false, "no answer"
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, 1<<20))
	return response.StatusCode == http.StatusOK, response.Status
}

// poll asks until it is told yes. It gives up when the context ends or a part that has been started is dead.
func poll(ctx context.Context, all []*state.Part, ask func() (bool, error)) error {
	for {
		ok, err := ask()
		if ok {
			return nil
		}
		for _, part := range all {
			if part.PID != 0 && !part.Alive() {
				return deadError{part}
			}
		}
		select {
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) {
				return errors.New("interrupted")
			}
			if err != nil {
				return fmt.Errorf("not ready in time: %w", err)
			}
			return fmt.Errorf("not ready in time: see the logs in %s", filepath.Dir(all[0].Log))
		case <-time.After(50 * time.Millisecond):
		}
	}
}
