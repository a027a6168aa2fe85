// Renders the templates of a chart as Helm does, with Go's text/template and sprig, for machines without Helm:
// `render-chart TEMPLATES < context.json`. Debian has its packages: golang-go golang-github-masterminds-sprig-dev golang-gopkg-yaml.v3-dev.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

func main() {
	context := map[string]interface{}{}
	check(json.NewDecoder(os.Stdin).Decode(&context))
	files, err := filepath.Glob(filepath.Join(os.Args[1], "*"))
	check(err)
	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	// Helm has no access to the environment either.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text strings.Builder
		err := all.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		var text bytes.Buffer
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(text.String(), "\n"), err
	}
	all.Funcs(functions)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") || name == "NOTES.txt" && len(os.Args) == 2 {
			continue
		}
		fmt.Printf("---\n# Source: %s\n", name)
		check(all.ExecuteTemplate(os.Stdout, name, context))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
