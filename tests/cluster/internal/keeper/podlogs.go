package keeper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// messages are what a container of the demo says, in turn: plain lines, levels, JSON, colours, text in other
// scripts, markup that must stay text, and an empty line.
var messages = []string{
	`level=info msg="request served" method=GET path=/cart status=200 duration=12ms`,
	`level=info msg="request served" method=POST path=/orders status=201 duration=48ms`,
	`{"level":"warn","ts":"2026-01-01T00:00:00Z","msg":"cache miss","key":"basket:9007199254740993"}`,
	"\x1b[31mERROR\x1b[0m upstream timed out after 3000 ms, retrying",
	`level=info msg="Grüße aus dem Lager, 在庫 42, ١٢٣"`,
	`level=debug msg="<img src=x onerror=alert(1)> is text"`,
	``,
	`level=info msg="request served" method=GET path=/health status=200 duration=1ms`,
}

// write appends one line in the form in which container runtimes write logs: time, stream, whole line (F), text.
func write(path string, number int, at time.Time) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	stream := "stdout"
	if number%4 == 3 {
		stream = "stderr"
	}
	_, err = fmt.Fprintf(file, "%s %s F %s\n", at.UTC().Format(time.RFC3339Nano), stream, messages[number%len(messages)])
	return err
}

// first gives the logs some past, so that there is something to show at once.
func first(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for _, name := range []string{"live.log", "previous.log"} {
		path := filepath.Join(folder, name)
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			continue
		}
		const past = 200
		for number := range past {
			at := time.Now().Add(time.Duration(number-past) * time.Second)
			if err := write(path, number, at); err != nil {
				return err
			}
		}
	}
	return nil
}
