package logs

import (
	"bytes"
	"fmt"
	"os"
)

// Trim cuts the file at path down to about its last keep bytes, from the start of a line, once it is larger
// than limit. The file stays the same file, because the process that writes it has it open; that process must
// append. Lines written while the cut happens may be lost, which a log of a test cluster can bear.
func Trim(path string, limit, keep int64) error {
	info, err := os.Stat(path)
	if err != nil || info.Size() <= limit {
		return err
	}
	text, err := end(path, keep)
	if err != nil {
		return fmt.Errorf("read the end of %s: %w", path, err)
	}
	if newline := bytes.IndexByte(text, '\n'); newline >= 0 {
		text = text[newline+1:]
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := file.Truncate(0); err != nil {
		return fmt.Errorf("cut %s: %w", path, err)
	}
	if _, err := file.Write(text); err != nil {
		return fmt.Errorf("write back the end of %s: %w", path, err)
	}
	return nil
}
