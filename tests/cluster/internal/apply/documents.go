// Package apply brings objects from YAML into a cluster.
package apply

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// Documents reads the objects of all YAML files of a folder, by the order of the files' names.
func Documents(files fs.FS, folder string) ([]*unstructured.Unstructured, error) {
	names, err := fs.Glob(files, folder+"/*.yaml")
	if err != nil {
		return nil, err
	}
	var objects []*unstructured.Unstructured
	for _, name := range names {
		file, err := files.Open(name)
		if err != nil {
			return nil, err
		}
		decoder := yaml.NewYAMLOrJSONDecoder(file, 4096)
		for number := 1; ; number++ {
			object := &unstructured.Unstructured{}
			err := decoder.Decode(object)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("read document %d of %s: %w", number, name, err)
			}
			if len(object.Object) > 0 {
				objects = append(objects, object)
			}
		}
		file.Close()
	}
	return objects, nil
}
