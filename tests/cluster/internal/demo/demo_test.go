package demo

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"porthole/cluster/internal/apply"
)

func objects(t *testing.T) []*unstructured.Unstructured {
	t.Helper()
	all, err := apply.Documents(manifests, "manifests")
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestObjectsAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, object := range objects(t) {
		key := strings.Join([]string{object.GroupVersionKind().GroupKind().String(), object.GetNamespace(), object.GetName()}, "/")
		if object.GetName() == "" || object.GetKind() == "" || object.GetAPIVersion() == "" {
			t.Errorf("an object lacks its name, kind or version: %s", key)
		}
		if seen[key] {
			t.Errorf("%s is there twice", key)
		}
		seen[key] = true
	}
}

func TestNamespacesComeBeforeWhatIsInThem(t *testing.T) {
	known := map[string]bool{"": true}
	for _, object := range objects(t) {
		if object.GetKind() == "Namespace" {
			known[object.GetName()] = true
		}
		if !known[object.GetNamespace()] {
			t.Errorf("%s %s comes before its namespace %s", object.GetKind(), object.GetName(), object.GetNamespace())
		}
	}
}

func TestContentThatIsEasilyMistaken(t *testing.T) {
	longest := map[string]int{}
	var number any
	for _, object := range objects(t) {
		longest[object.GetKind()] = max(longest[object.GetKind()], len(object.GetName()))
		if object.GetKind() == "Index" && object.GetName() == "numbers" {
			number, _, _ = unstructured.NestedFieldNoCopy(object.Object, "spec", "integer")
		}
	}
	if longest["Product"] != 253 || longest["Pod"] != 63 {
		t.Errorf("the longest names have %d and %d characters", longest["Product"], longest["Pod"])
	}
	if number != int64(9007199254740993) {
		t.Errorf("the number that JavaScript cannot hold became %v (%T)", number, number)
	}
}

// The reader's role is a list, so each group of the demo has to be on it.
func TestReaderMayReadEveryGroup(t *testing.T) {
	var defined, allowed []string
	for _, object := range objects(t) {
		switch {
		case object.GetKind() == "CustomResourceDefinition":
			group, _, _ := unstructured.NestedString(object.Object, "spec", "group")
			defined = append(defined, group)
		case object.GetLabels()["porthole.example/aggregate-to-reader"] == "true":
			rules, _, _ := unstructured.NestedSlice(object.Object, "rules")
			for _, rule := range rules {
				groups, _, _ := unstructured.NestedStringSlice(rule.(map[string]any), "apiGroups")
				allowed = append(allowed, groups...)
			}
		}
	}
	if len(defined) == 0 {
		t.Error("the demo defines nothing")
	}
	for _, group := range defined {
		if !slices.Contains(allowed, group) {
			t.Errorf("no role lets the reader read the group %s", group)
		}
	}
}

func TestEventsHaveNamesOfTheirOwn(t *testing.T) {
	seen := map[string]bool{}
	for _, past := range pastEvents {
		if seen[past.namespace+"/"+past.name] || past.first < past.last {
			t.Errorf("event %s is there twice or ends before it starts", past.name)
		}
		seen[past.namespace+"/"+past.name] = true
	}
}
