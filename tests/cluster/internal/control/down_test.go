package control

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"porthole/cluster/internal/access"
	"porthole/cluster/internal/state"
)

func TestDownWithoutAClusterIsHarmless(t *testing.T) {
	dir := t.TempDir()
	for _, folder := range []string{dir, filepath.Join(dir, "none")} {
		if err := Down(folder, true, &bytes.Buffer{}); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("a folder that is no cluster's is gone: %v", err)
	}
}

func TestDeleteLeavesOtherFilesAlone(t *testing.T) {
	dir := t.TempDir()
	if err := (&state.State{}).Save(dir); err != nil {
		t.Fatal(err)
	}
	theirs := filepath.Join(dir, "notes")
	if err := os.WriteFile(theirs, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Down(dir, true, &bytes.Buffer{}); err == nil {
		t.Error("nothing is said of a folder that was not removed")
	}
	if _, err := os.Stat(theirs); err != nil {
		t.Errorf("a file of somebody else's is gone: %v", err)
	}
	if err := os.Remove(theirs); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestEveryKubeconfigIsRemoved(t *testing.T) {
	for user := range access.Users {
		name := filepath.Base(Kubeconfig("/dir", user))
		found := false
		for _, removed := range made {
			found = found || removed == name
		}
		if !found {
			t.Errorf("%s stays behind", name)
		}
	}
}
