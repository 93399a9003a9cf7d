// Command protobuf-schema prints how the objects of Kubernetes look in protobuf, for the Rust library: the numbers of the
// fields of every type, with their names in JSON. The types of Go are asked, because the .proto files do not say which
// fields are pointers, which are left out of JSON where they are zero, and which structs are inlined.
//
//	go run . OLDER... > ../../client-core/src/wire/protobuf/kubernetes.txt
//
// What is only in an OLDER table, printed with an older release in go.mod, is kept: a version of the API that a later release no longer has is still
// served by older ones, and no number is ever used again.
package main

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// Types with a form of their own in JSON, by the letter of the table.
var special = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():                                  "T",
	reflect.TypeFor[metav1.MicroTime]():                             "U",
	reflect.TypeFor[resource.Quantity]():                            "Q",
	reflect.TypeFor[intstr.IntOrString]():                           "I",
	reflect.TypeFor[metav1.FieldsV1]():                              "J",
	reflect.TypeFor[runtime.RawExtension]():                         "J",
	reflect.TypeFor[apiextensionsv1.JSON]():                         "J",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]():        "B@.JSONSchemaProps",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]():       "A@.JSONSchemaProps",
	reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray](): "S@.JSONSchemaProps",
}

type table struct {
	versions map[string]string            // the apiVersion of a package
	messages map[string]map[string]string // the fields of a message, by their numbers
}

func main() {
	made := table{versions: map[string]string{}, messages: map[string]map[string]string{}}
	must(apiextensionsv1.AddToScheme(scheme.Scheme))
	must(apiregistrationv1.AddToScheme(scheme.Scheme))
	metav1Package := reflect.TypeFor[metav1.ObjectMeta]().PkgPath()
	made.versions[metav1Package] = "meta.k8s.io/v1"
	known := scheme.Scheme.AllKnownTypes()
	for kind, known := range known {
		if strings.Contains(known.PkgPath(), "/"+kind.Version) && known.PkgPath() != metav1Package {
			made.versions[known.PkgPath()] = kind.GroupVersion().String()
		}
	}
	for kind, known := range known {
		_, isObject := reflect.New(known).Interface().(metav1.Object)
		_, isList := reflect.New(known).Interface().(metav1.ListInterface)
		// Not the options, which are parameters and never bodies, but for those of metav1.
		if kind.Version != runtime.APIVersionInternal && known.PkgPath() != metav1Package && (isObject || isList) {
			made.add(known)
		}
	}
	made.add(reflect.TypeFor[metav1.PartialObjectMetadata]())
	made.add(reflect.TypeFor[metav1.PartialObjectMetadataList]())
	made.add(reflect.TypeFor[metav1.Status]())
	for _, older := range os.Args[1:] {
		made.keep(older)
	}
	out := bufio.NewWriter(os.Stdout)
	fmt.Fprintln(out, "# Printed by tools/protobuf-schema. The types are those of Kubernetes (Apache-2.0).")
	for _, name := range slices.Sorted(maps.Keys(made.messages)) {
		fields := made.messages[name]
		numbers := slices.SortedFunc(maps.Keys(fields), func(a, b string) int { return number(a) - number(b) })
		fmt.Fprint(out, name)
		for _, number := range numbers {
			fmt.Fprintf(out, " %s:%s", number, fields[number])
		}
		fmt.Fprintln(out)
	}
	must(out.Flush())
}

func (t *table) name(of reflect.Type) string {
	version, ok := t.versions[of.PkgPath()]
	if !ok {
		panic("no version of the API is in " + of.PkgPath() + ", which has " + of.Name())
	}
	return version + "/" + of.Name()
}

// add puts in the message and all that it refers to.
func (t *table) add(message reflect.Type) {
	name := t.name(message)
	if t.messages[name] != nil {
		return
	}
	fields := map[string]string{}
	t.messages[name] = fields
	for index := range message.NumField() {
		field := message.Field(index)
		json, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		protobuf := strings.Split(field.Tag.Get("protobuf"), ",")
		if len(protobuf) < 2 || protobuf[1] == "" || json == "-" {
			if field.Type != reflect.TypeFor[metav1.TypeMeta]() && json != "-" {
				panic(name + "." + field.Name + " has no number")
			}
			continue
		}
		flags := ""
		if field.Type.Kind() != reflect.Pointer && strings.Contains(options, "omit") {
			flags += "?"
		}
		if json == "" {
			if !strings.Contains(options, "inline") && !field.Anonymous {
				panic(name + "." + field.Name + " has no name")
			}
			flags = "^"
		}
		fields[protobuf[1]] = json + ":" + t.form(message, field.Type, flags)
	}
}

func (t *table) form(in, of reflect.Type, flags string) string {
	if letter, ok := special[of]; ok {
		if strings.Contains(letter, "@") {
			t.add(reflect.TypeFor[apiextensionsv1.JSONSchemaProps]())
		}
		return letter
	}
	switch of.Kind() {
	case reflect.Pointer:
		return t.form(in, of.Elem(), flags)
	case reflect.Map:
		if of.Key().Kind() != reflect.String {
			panic("a key of " + of.String() + " is no string")
		}
		return "%" + t.form(in, of.Elem(), "")
	case reflect.Slice:
		switch {
		case of.Elem().Kind() == reflect.Uint8:
			return flags + "y"
		case of.Name() != "" && of.PkgPath() != "" && of.Implements(reflect.TypeFor[interface{ MarshalTo([]byte) (int, error) }]()):
			// A list that may be null is a message with the list in it (+protobuf.nullable).
			return flags + "L"
		}
		return "*" + t.form(in, of.Elem(), "")
	case reflect.Bool:
		return flags + "b"
	case reflect.String:
		return flags + "s"
	case reflect.Int32, reflect.Int64, reflect.Uint32:
		return flags + "i"
	case reflect.Float64:
		return flags + "d"
	case reflect.Struct:
		t.add(of)
		structFlags := strings.TrimPrefix(flags, "?")
		if t.versions[in.PkgPath()] == t.versions[of.PkgPath()] {
			return structFlags + "@." + of.Name()
		}
		return structFlags + "@" + t.name(of)
	default:
		panic("there is no form for " + of.String())
	}
}

// keep takes over what is only in an older table.
func (t *table) keep(path string) {
	file, err := os.ReadFile(path)
	must(err)
	for line := range strings.Lines(string(file)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		if t.messages[words[0]] == nil {
			t.messages[words[0]] = map[string]string{}
		}
		fields := t.messages[words[0]]
		for _, word := range words[1:] {
			number, rest, _ := strings.Cut(word, ":")
			switch newer, ok := fields[number]; {
			case !ok:
				fields[number] = rest
			case newer != rest:
				fmt.Fprintf(os.Stderr, "%s: %s was %s, and %s counts\n", words[0], number, rest, newer)
			}
		}
	}
}

func number(text string) int {
	parsed, err := strconv.Atoi(text)
	must(err)
	return parsed
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
