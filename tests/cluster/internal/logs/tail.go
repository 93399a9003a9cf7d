// Package logs shows the end of a log and keeps logs from growing without bound.
package logs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// tailBytes is as much of a log's end as Tail looks at.
const tailBytes = 64 << 10

// Tail returns the last lines of the log at path, indented for print under a heading. A log that is not there
// is an empty one.
func Tail(path string, lines int) string {
	text, err := end(path, tailBytes)
	if errors.Is(err, os.ErrNotExist) || len(bytes.TrimSpace(text)) == 0 && err == nil {
		return "    (the log is empty)\n"
	}
	if err != nil {
		return fmt.Sprintf("    (the log cannot be read: %v)\n", err)
	}
	all := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	if len(all) > lines {
		all = all[len(all)-lines:]
	}
	return "    " + strings.Join(all, "\n    ") + "\n"
}

// end reads at most the last limit bytes of a file.
func end(path string, limit int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-limit)
	return io.ReadAll(io.NewSectionReader(file, from, info.Size()-from))
}
