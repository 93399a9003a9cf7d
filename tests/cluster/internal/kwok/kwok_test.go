package kwok

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// read parses a configuration into its objects by kind and name.
func read(t *testing.T, options Options) map[string]*unstructured.Unstructured {
	t.Helper()
	text, err := Config(options)
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string]*unstructured.Unstructured{}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		object := &unstructured.Unstructured{}
		err := decoder.Decode(object)
		if errors.Is(err, io.EOF) {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		if len(object.Object) == 0 {
			continue
		}
		name := object.GetKind() + "/" + object.GetName()
		if _, twice := objects[name]; twice {
			t.Errorf("%s is there twice", name)
		}
		objects[name] = object
	}
}

func TestStagesAreSelective(t *testing.T) {
	for name, stage := range read(t, Options{}) {
		if stage.GetKind() != "Stage" {
			continue
		}
		selector, found, err := unstructured.NestedMap(stage.Object, "spec", "selector")
		if err != nil || !found || len(selector) == 0 {
			t.Errorf("%s would be played for every object: %v", name, err)
		}
	}
}

func TestAnswersAreThereWhenAskedFor(t *testing.T) {
	none := read(t, Options{})
	for _, answer := range []string{"ClusterLogs/pods", "ClusterExec/pods", "Metric/resource"} {
		if none[answer] != nil {
			t.Errorf("%s is there, though nobody asked for it", answer)
		}
	}
	all := read(t, Options{Logs: true, Exec: true, Metrics: true, PodLogs: "/dir/pod-logs", Scratch: "/dir/scratch"})
	for _, answer := range []string{"ClusterLogs/pods", "ClusterExec/pods", "Metric/resource", "ClusterResourceUsage/pods"} {
		if all[answer] == nil {
			t.Errorf("%s is not there", answer)
		}
	}
	text, err := all["ClusterLogs/pods"].MarshalJSON()
	if err != nil || !strings.Contains(string(text), "/dir/pod-logs/live.log") {
		t.Errorf("logs are not where they were said to be: %s, %v", text, err)
	}
}
