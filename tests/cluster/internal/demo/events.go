package demo

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// event is one of the events that are there beside those the cluster writes by itself. In code rather than in
// a manifest because their times are counted back from now.
type event struct {
	name, namespace, kind, object string
	severity, reason, message     string
	count                         int32
	first, last                   time.Duration // ago
}

var pastEvents = []event{
	{"nightly-report-missed", "batch", "CronJob", "nightly-report", corev1.EventTypeWarning, "MissSchedule", "Missed scheduled time to start a job: 02:00", 3, 70 * time.Hour, 2 * time.Hour},
	{"ledger-0-probe", "payments", "Pod", "ledger-0", corev1.EventTypeWarning, "Unhealthy", "Liveness probe failed: dial tcp 10.128.0.9:5432: connect: connection refused", 47, 26 * time.Hour, 9 * time.Minute},
	{"storefront-scaled", "shop", "HorizontalPodAutoscaler", "storefront", corev1.EventTypeNormal, "SuccessfulRescale", "New size: 3; reason: cpu resource utilization (percentage of request) above target", 5, 5 * time.Hour, 31 * time.Minute},
	{"node-0-pressure", "default", "Node", "node-0", corev1.EventTypeWarning, "EvictionThresholdMet", "Attempting to reclaim ephemeral-storage", 2, 90 * time.Minute, 80 * time.Minute},
	{"storefront-unicode", "shop", "Deployment", "storefront", corev1.EventTypeNormal, "Übernommen", "Grüße 你好 مرحبا 🚢 <img src=x onerror=alert(1)>", 1, 12 * time.Minute, 12 * time.Minute},
}

// record writes the events anew, so that their ages are what they say. Half of them come as the newer API
// writes them, with a series instead of a count.
func record(ctx context.Context, client kubernetes.Interface) error {
	now := time.Now()
	none := metav1.DeleteOptions{}
	for i, past := range pastEvents {
		err := client.CoreV1().Events(past.namespace).Delete(ctx, past.name, none)
		if err != nil && !errors.IsNotFound(err) {
			return fmt.Errorf("remove the old event %s: %w", past.name, err)
		}
		about := corev1.ObjectReference{Kind: past.kind, Name: past.object, Namespace: past.namespace}
		if past.kind == "Node" {
			about.Namespace = ""
		}
		meta := metav1.ObjectMeta{Name: past.name, Namespace: past.namespace}
		if i%2 == 0 {
			_, err = client.CoreV1().Events(past.namespace).Create(ctx, past.counted(meta, about, now), metav1.CreateOptions{})
		} else {
			_, err = client.EventsV1().Events(past.namespace).Create(ctx, past.series(meta, about, now), metav1.CreateOptions{})
		}
		if err != nil {
			return fmt.Errorf("write the event %s: %w", past.name, err)
		}
	}
	return nil
}

func (e event) counted(meta metav1.ObjectMeta, about corev1.ObjectReference, now time.Time) *corev1.Event {
	return &corev1.Event{
		ObjectMeta: meta, InvolvedObject: about,
		Type: e.severity, Reason: e.reason, Message: e.message, Count: e.count,
		FirstTimestamp: metav1.NewTime(now.Add(-e.first)), LastTimestamp: metav1.NewTime(now.Add(-e.last)),
		Source: corev1.EventSource{Component: "porthole-demo"},
	}
}

func (e event) series(meta metav1.ObjectMeta, about corev1.ObjectReference, now time.Time) *eventsv1.Event {
	return &eventsv1.Event{
		ObjectMeta: meta, Regarding: about,
		Type: e.severity, Reason: e.reason, Note: e.message, Action: "Demonstrate",
		EventTime:           metav1.NewMicroTime(now.Add(-e.first)),
		Series:              &eventsv1.EventSeries{Count: max(2, e.count), LastObservedTime: metav1.NewMicroTime(now.Add(-e.last))},
		ReportingController: "porthole.example/demo", ReportingInstance: "demo",
	}
}
