package keeper

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Container runtimes write logs in this form, and kwok reads no other.
func TestPodLogsHaveTheFormOfContainerLogs(t *testing.T) {
	dir := t.TempDir()
	if err := first(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "live.log"))
	if err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z (stdout|stderr) F `)
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if len(lines) != 200 {
		t.Errorf("there are %d lines", len(lines))
	}
	for _, line := range lines {
		if !form.MatchString(line) {
			t.Errorf("%q", line)
		}
	}
}
