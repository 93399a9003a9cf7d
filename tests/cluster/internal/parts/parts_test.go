package parts

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func layout() Layout {
	ports := map[string]int{}
	for i, listener := range Listeners {
		ports[listener] = 40001 + i
	}
	return Layout{Dir: "/clusters/test", ControlPlane: "/bin/control-plane", Self: "/bin/cluster", Ports: ports}
}

func TestPartsOfTheMultiCallProgram(t *testing.T) {
	for _, part := range layout().All() {
		want := []string{"/bin/control-plane", part.Name}
		if part.Name == Keeper {
			want = []string{"/bin/cluster", "keeper"}
		}
		if !slices.Equal(part.Argv[:2], want) {
			t.Errorf("%s starts with %q, want %q", part.Name, part.Argv[:2], want)
		}
		if part.Log != "/clusters/test/logs/"+part.Name+".log" {
			t.Errorf("%s logs to %s", part.Name, part.Log)
		}
	}
}

func TestAssetsReplaceEtcdAndAPIServerOnly(t *testing.T) {
	with := layout()
	with.Assets = "/assets"
	for _, part := range with.All() {
		_, replaced := map[string]bool{Etcd: true, APIServer: true}[part.Name]
		if (part.Argv[0] == "/assets/"+part.Name) != replaced {
			t.Errorf("%s is started from %s", part.Name, part.Argv[0])
		}
		if replaced && !strings.HasPrefix(part.Argv[1], "--") {
			t.Errorf("%s, which is no multi-call program, gets %q", part.Name, part.Argv[1])
		}
	}
}

func TestNothingListensBeyondThisMachine(t *testing.T) {
	listens := regexp.MustCompile(`^--(bind-address|server-address|listen-.*|advertise-.*)=(.*)$`)
	for _, part := range layout().All() {
		for _, flag := range part.Argv {
			if match := listens.FindStringSubmatch(flag); match != nil && !strings.Contains(match[2], "127.0.0.1") {
				t.Errorf("%s: %s", part.Name, flag)
			}
		}
	}
}

func TestEveryPortIsUsed(t *testing.T) {
	var all strings.Builder
	for _, part := range layout().All() {
		all.WriteString(strings.Join(part.Argv, " "))
	}
	for listener, port := range layout().Ports {
		if !strings.Contains(all.String(), strings.TrimPrefix(layout().Address(listener), "https://127.0.0.1:")) {
			t.Errorf("nothing listens on the port %d of %s", port, listener)
		}
	}
}

func TestControllersAreLeftOutRequestsWrittenDownAndObjectsReadableWhereItIsAskedFor(t *testing.T) {
	flags := func(l Layout, name string) string {
		for _, part := range l.All() {
			if part.Name == name {
				return strings.Join(part.Argv, " ")
			}
		}
		return ""
	}
	plain, with := layout(), layout()
	with.WithoutControllers = []string{"replicaset-controller", "cronjob-controller"}
	with.Audit, with.ReadableStorage = true, true
	if all := flags(plain, ControllerManager) + flags(plain, APIServer); strings.Contains(all, "--controllers") || strings.Contains(all, "--audit") || strings.Contains(all, "--storage-media-type") {
		t.Error("nobody asked")
	}
	if !strings.Contains(flags(with, ControllerManager), "--controllers=*,-replicaset-controller,-cronjob-controller") {
		t.Error(flags(with, ControllerManager))
	}
	for _, flag := range []string{"--audit-policy-file=/clusters/test/parts/audit-policy.yaml", "--audit-log-path=/clusters/test/logs/audit.jsonl", "--storage-media-type=application/json"} {
		if !strings.Contains(flags(with, APIServer), flag) {
			t.Error(flags(with, APIServer))
		}
	}
}

// The versions the programs say they have are given when they are built, by a file beside go.mod.
func TestVersionsAreThoseOfTheModules(t *testing.T) {
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	flags, err := os.ReadFile("../../version.ldflags")
	if err != nil {
		t.Fatal(err)
	}
	for name, flag := range map[string]string{
		"k8s.io/kubernetes": "k8s.io/component-base/version.gitVersion",
		"sigs.k8s.io/kwok":  "sigs.k8s.io/kwok/pkg/consts.Version",
		"k8s.io/client-go":  "k8s.io/client-go/pkg/version.gitVersion",
	} {
		required := regexp.MustCompile(`(?m)^\t` + regexp.QuoteMeta(name) + ` (v\S+)`).FindSubmatch(module)
		if required == nil {
			t.Errorf("go.mod does not require %s", name)
			continue
		}
		// client-go counts from v0 what Kubernetes counts from v1.
		version := regexp.MustCompile(`^v0\.(3\d)`).ReplaceAllString(string(required[1]), "v1.$1")
		if !strings.Contains(string(flags), flag+"="+version+"\n") {
			t.Errorf("version.ldflags does not set %s to %s", flag, version)
		}
	}
}
