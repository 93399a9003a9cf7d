package apply

import (
	"context"
	"fmt"
	"io/fs"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// manager owns, in the objects' managed fields, what is applied here.
const manager = "porthole-cluster"

// patience is how long a resource may take to be served after its definition was applied, and a namespace to
// get what pods in it need.
const patience = 20 * time.Second

// Applier applies objects to one cluster.
type Applier struct {
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

// New makes an applier for the cluster and user of the configuration.
func New(config *rest.Config) (*Applier, error) {
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	discover, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return nil, err
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(discover))
	return &Applier{client: client, mapper: mapper}, nil
}

// Folder applies every document in a folder of YAML files, and says how many there were.
func Folder(ctx context.Context, config *rest.Config, files fs.FS, folder string) (int, error) {
	objects, err := Documents(files, folder)
	if err != nil {
		return 0, err
	}
	applier, err := New(config)
	if err != nil {
		return 0, err
	}
	return len(objects), applier.All(ctx, objects)
}

// All applies the objects one after the other.
func (a *Applier) All(ctx context.Context, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		if err := a.One(ctx, object); err != nil {
			return err
		}
	}
	return nil
}

// One applies an object, server-side; a second time changes nothing. Where the server does not know the kind
// yet, or the object's surroundings are not complete yet, it is tried again for a while.
func (a *Applier) One(ctx context.Context, object *unstructured.Unstructured) error {
	name := fmt.Sprintf("%s %s/%s", object.GetKind(), object.GetNamespace(), object.GetName())
	for end := time.Now().Add(patience); ; {
		err := a.once(ctx, object)
		if err == nil {
			return nil
		}
		if !worthRetry(err) || time.Now().After(end) {
			return fmt.Errorf("apply %s: %w", name, err)
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("apply %s: %w (last: %w)", name, ctx.Err(), err)
		case <-time.After(100 * time.Millisecond):
		}
		if meta.IsNoMatchError(err) || errors.IsNotFound(err) {
			a.mapper.Reset()
		}
	}
}

func (a *Applier) once(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := a.Resource(object)
	if err != nil {
		return err
	}
	options := metav1.ApplyOptions{FieldManager: manager, Force: true}
	if _, err := resource.Apply(ctx, object.GetName(), object, options); err != nil {
		return err
	}
	// A status is only taken on its own; manifests have one where nothing in the cluster would write it.
	if _, has := object.Object["status"]; has {
		_, err = resource.ApplyStatus(ctx, object.GetName(), object, options)
	}
	return err
}

// Resource is where the object lives on the server.
func (a *Applier) Resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := a.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	resource := a.client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return resource.Namespace(object.GetNamespace()), nil
	}
	return resource, nil
}

// worthRetry says whether waiting can help: the definition of a kind, or the service account a pod needs, may
// still be on its way.
func worthRetry(err error) bool {
	return meta.IsNoMatchError(err) || errors.IsNotFound(err) || errors.IsForbidden(err) ||
		errors.IsConflict(err) || errors.IsServiceUnavailable(err) || errors.IsTooManyRequests(err)
}
