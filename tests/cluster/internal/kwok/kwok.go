// Package kwok configures kwok, which plays the nodes: how nodes and pods come to their states (stages), and
// what the nodes answer when they are asked for logs, commands and metrics.
package kwok

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"text/template"
)

//go:embed stages/*.yaml answers/*.yaml
var files embed.FS

// Options choose what the nodes answer beside the stages.
type Options struct {
	Logs, Exec, Metrics bool
	// PodLogs is the folder of the files that stand for the logs of the pods; Scratch the one commands run in.
	PodLogs, Scratch string
}

// answers by the option that switches them on.
func (o Options) answers() []string {
	var names []string
	for _, answer := range []struct {
		on   bool
		name string
	}{{o.Logs, "logs.yaml"}, {o.Exec, "exec.yaml"}, {o.Metrics, "metrics.yaml"}} {
		if answer.on {
			names = append(names, path.Join("answers", answer.name))
		}
	}
	return names
}

// Config is the text of the configuration.
func Config(options Options) ([]byte, error) {
	names, err := fs.Glob(files, "stages/*.yaml")
	if err != nil {
		return nil, err
	}
	out := &bytes.Buffer{}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(out, "---\n%s", text)
	}
	// Stages hold templates for kwok; answers are templates of ours.
	for _, name := range options.answers() {
		parsed, err := template.ParseFS(files, name)
		if err != nil {
			return nil, fmt.Errorf("parse %s: %w", name, err)
		}
		fmt.Fprint(out, "---\n")
		if err := parsed.Execute(out, options); err != nil {
			return nil, fmt.Errorf("fill in %s: %w", name, err)
		}
	}
	return out.Bytes(), nil
}

// Write writes the configuration to a file.
func Write(file string, options Options) error {
	text, err := Config(options)
	if err != nil {
		return fmt.Errorf("make kwok's configuration: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o600)
}
