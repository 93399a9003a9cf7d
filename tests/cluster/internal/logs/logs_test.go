package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, lines int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "part.log")
	var text strings.Builder
	for line := range lines {
		fmt.Fprintf(&text, "line %d\n", line)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTail(t *testing.T) {
	if got, want := Tail(write(t, 100), 2), "    line 98\n    line 99\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Tail(write(t, 0), 2); !strings.Contains(got, "empty") {
		t.Errorf("an empty log: %q", got)
	}
	if got := Tail(filepath.Join(t.TempDir(), "none"), 2); !strings.Contains(got, "empty") {
		t.Errorf("no log: %q", got)
	}
}

func TestTrimKeepsTheEndInTheSameFile(t *testing.T) {
	path := write(t, 1000)
	writer, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	if err := Trim(path, 1000, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := writer.WriteString("line 1000\n"); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > 110 || !strings.HasPrefix(string(text), "line 9") || !strings.HasSuffix(string(text), "line 999\nline 1000\n") {
		t.Errorf("got %q", text)
	}
}

func TestTrimLeavesAShortLogAlone(t *testing.T) {
	path := write(t, 10)
	before, _ := os.ReadFile(path)
	if err := Trim(path, 1000, 10); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Errorf("got %q", after)
	}
}
