package state

import (
	"errors"
	"os"
	"reflect"
	"testing"

	"porthole/cluster/internal/process"
)

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(dir); !errors.Is(err, ErrNone) {
		t.Errorf("an empty folder: got %v", err)
	}
	self, err := process.Of(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	want := &State{
		Server: "https://127.0.0.1:1",
		Ports:  map[string]int{"etcd": 2},
		Parts: []*Part{
			{Name: "etcd", Argv: []string{"etcd", "--flag"}, Log: "etcd.log", Ready: "http://127.0.0.1:2", Identity: self},
			{Name: "kwok"},
		},
	}
	if err := want.Save(dir); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if dead := got.Dead(); len(dead) != 1 || dead[0].Name != "kwok" {
		t.Errorf("dead are %v", dead)
	}
	if _, err := got.Part("etcd"); err != nil {
		t.Error(err)
	}
	if _, err := got.Part("ectd"); err == nil {
		t.Error("a part that is none was found")
	}
}
