package access

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"porthole/cluster/internal/apply"
)

// What makes the reader a reader: no rule of its roles gives secrets, by name or by wildcard, or lets it write.
func TestReaderReadsNoSecrets(t *testing.T) {
	objects, err := apply.Documents(manifests, "manifests")
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, object := range objects {
		if object.GetLabels()["porthole.example/aggregate-to-reader"] != "true" {
			continue
		}
		rules, _, _ := unstructured.NestedSlice(object.Object, "rules")
		for _, item := range rules {
			checked++
			rule := item.(map[string]any)
			groups, _, _ := unstructured.NestedStringSlice(rule, "apiGroups")
			resources, _, _ := unstructured.NestedStringSlice(rule, "resources")
			verbs, _, _ := unstructured.NestedStringSlice(rule, "verbs")
			core := slices.Contains(groups, "") || slices.Contains(groups, "*")
			if core && (slices.Contains(resources, "*") || slices.Contains(resources, "secrets")) {
				t.Errorf("the reader may read secrets: %v", rule)
			}
			for _, verb := range verbs {
				if !slices.Contains([]string{"get", "list", "watch"}, verb) {
					t.Errorf("the reader may %s: %v", verb, rule)
				}
			}
		}
	}
	if checked == 0 {
		t.Error("the reader may read nothing")
	}
}
