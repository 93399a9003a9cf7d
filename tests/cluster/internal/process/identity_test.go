package process

import (
	"os"
	"testing"
)

func TestOwnProcessIsAlive(t *testing.T) {
	id, err := Of(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if !id.Alive() {
		t.Errorf("%+v does not run, but we are it", id)
	}
}

func TestAnotherStartTimeIsAnotherProcess(t *testing.T) {
	id, err := Of(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	id.StartTicks++
	if id.Alive() {
		t.Error("a pid with another start time passes for the same process")
	}
	if (Identity{}).Alive() {
		t.Error("no process at all passes for one that runs")
	}
}

func TestParseStat(t *testing.T) {
	fields := " S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20 21"
	for _, name := range []string{"etcd", "a b", "a) S 1 (b", ")"} {
		status, ticks, err := parseStat([]byte("42 (" + name + ")" + fields))
		if err != nil || status != 'S' || ticks != 4711 {
			t.Errorf("program %q: got %c, %d, %v", name, status, ticks, err)
		}
	}
	for _, text := range []string{"", "42 etcd S 1", "42 (etcd) S 1 2"} {
		if _, _, err := parseStat([]byte(text)); err == nil {
			t.Errorf("%q passes for a stat file", text)
		}
	}
}
