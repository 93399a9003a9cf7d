// Package state remembers on disk what runs for a cluster.
package state

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"porthole/cluster/internal/process"
)

const file = "state.json"

// ErrNone says that there is no cluster in a folder.
var ErrNone = errors.New("no cluster here")

// Part is one process of a cluster: how it was started and which it is.
type Part struct {
	Name string   `json:"name"`
	Argv []string `json:"argv"`
	Log  string   `json:"log"`
	// Ready is the address that answers 200 once the part is ready; empty where nothing tells.
	Ready string `json:"ready,omitempty"`
	process.Identity
}

// State is all that is known of a cluster.
type State struct {
	// Server is the API server's address.
	Server string `json:"server"`
	// Ports by what listens on them.
	Ports map[string]int `json:"ports"`
	// Parts in the order of their start.
	Parts []*Part `json:"parts"`
}

// Load reads the state of the cluster in dir.
func Load(dir string) (*State, error) {
	path := filepath.Join(dir, file)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w (no %s): start one with `cluster up --dir %s`", dir, ErrNone, file, dir)
	}
	if err != nil {
		return nil, fmt.Errorf("read the state: %w", err)
	}
	state := &State{}
	if err := json.Unmarshal(text, state); err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return state, nil
}

// Save writes the state in one step, so that no reader ever meets half of it.
func (s *State) Save(dir string) error {
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the state: %w", err)
	}
	path := filepath.Join(dir, file)
	if err := os.WriteFile(path+".new", append(text, '\n'), 0o600); err != nil {
		return fmt.Errorf("write the state: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write the state: %w", err)
	}
	return nil
}

// Part finds a part by its name.
func (s *State) Part(name string) (*Part, error) {
	names := make([]string, 0, len(s.Parts))
	for _, part := range s.Parts {
		if part.Name == name {
			return part, nil
		}
		names = append(names, part.Name)
	}
	return nil, fmt.Errorf("no part is named %q: choose one of %q", name, names)
}

// Dead lists the parts that do not run.
func (s *State) Dead() []*Part {
	var dead []*Part
	for _, part := range s.Parts {
		if !part.Alive() {
			dead = append(dead, part)
		}
	}
	return dead
}
