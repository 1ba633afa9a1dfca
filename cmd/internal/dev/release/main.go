// Command release packs a built program for people to download: an archive
// with the program, what is to be read with it, and the licences of everything
// that is linked in. The same input gives the same bytes.
package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	system := flag.String("system", "", "linux or windows")
	program := flag.String("program", "", "the program's `FILE`")
	version := flag.String("version", "", "its version")
	native := flag.String("licences", "", "the `FOLDER` of licences of what is linked in from C and C++")
	unix := flag.Int64("time", 0, "the files' time in `SECONDS` since 1970: the commit's")
	manual := flag.String("man", "", "the `FOLDER` of manual pages; \"\": none")
	dist := flag.String("dist", "dist", "the `FOLDER` for the archive")
	flag.Parse()
	name, err := pack(*system, *program, *version, *native, *manual, time.Unix(*unix, 0).UTC(), *dist)
	if err == nil {
		err = sums(*dist)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
	fmt.Println(name)
}

// A file is one of an archive.
type file struct {
	name    string
	data    []byte
	program bool
}

// pack writes the archive of a system and returns its name.
func pack(system, program, version, native, manual string, at time.Time, dist string) (string, error) {
	write, ending := writeTar, ".tar.gz"
	inside := "onlooker"
	switch system {
	case "linux":
	case "windows":
		write, ending, inside = writeZip, ".zip", "onlooker.exe"
	default:
		return "", fmt.Errorf("-system %q, want linux or windows", system)
	}
	if version == "" {
		return "", errors.New("-version is missing")
	}
	folder := "onlooker-" + version + "-" + system + "-amd64"
	var files []file
	for _, f := range []file{{name: inside, program: true}, {name: "README.md"}, {name: "MANUAL.md"}, {name: "LICENCES.md"}, {name: "LICENSE"}} {
		from := f.name
		switch {
		case f.program:
			from = program
		case f.name == "MANUAL.md":
			from = filepath.Join("cmd", "onlooker", "README.md")
		case f.name == "LICENCES.md":
			from = filepath.Join("cmd", "internal", "dev", "release", f.name)
		}
		var err error
		if f.data, err = os.ReadFile(from); err != nil {
			return "", err
		}
		files = append(files, f)
	}
	var pages []string
	if manual != "" {
		var err error
		if pages, err = filepath.Glob(filepath.Join(manual, "*.1")); err == nil && len(pages) == 0 {
			err = fmt.Errorf("no manual pages in %s", manual)
		}
		if err != nil {
			return "", err
		}
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			return "", err
		}
		files = append(files, file{name: "man/" + filepath.Base(page), data: data})
	}
	licences, err := licences(system, native)
	if err != nil {
		return "", err
	}
	files = append(files, licences...)
	for i := range files {
		files[i].name = folder + "/" + files[i].name
	}
	var archive bytes.Buffer
	if err := write(&archive, files, at); err != nil {
		return "", err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return "", err
	}
	name := filepath.Join(dist, folder+ending)
	return name, os.WriteFile(name, archive.Bytes(), 0o644)
}

func writeTar(to io.Writer, files []file, at time.Time) error {
	squeezed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(squeezed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data)), ModTime: at, Format: tar.FormatPAX}
		if f.program {
			header.Mode = 0o755
		}
		if err := archive.WriteHeader(header); err != nil {
			return err
		}
		if _, err := archive.Write(f.data); err != nil {
			return err
		}
	}
	return errors.Join(archive.Close(), squeezed.Close())
}

func writeZip(to io.Writer, files []file, at time.Time) error {
	archive := zip.NewWriter(to)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, f := range files {
		w, err := archive.CreateHeader(&zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at})
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}

// sums writes the SHA-256 sums of the folder's archives, as sha256sum -c reads
// them.
func sums(dist string) error {
	var list strings.Builder
	for _, pattern := range []string{"*.tar.gz", "*.zip"} {
		names, err := filepath.Glob(filepath.Join(dist, pattern))
		if err != nil {
			return err
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			fmt.Fprintf(&list, "%x  %s\n", sha256.Sum256(data), filepath.Base(name))
		}
	}
	return os.WriteFile(filepath.Join(dist, "SHA256SUMS"), []byte(list.String()), 0o644)
}

// parts holds the licences of what a module took over from elsewhere without
// the text that is to go with it.
//
//go:embed parts
var parts embed.FS

// taken says which packages those parts are in.
func taken() map[string]string {
	return map[string]string{"github.com/go-vgo/robotgo/clipboard": "github.com-atotto-clipboard.txt"}
}

// licences are those of Go, of each module that the program is made of on the
// system, and of what comes from C and C++, in the order of their names.
func licences(system, native string) ([]file, error) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	all := map[string][]string{"Go": {filepath.Join(strings.TrimSpace(string(goroot)), "LICENSE")}}
	modules, packages, err := linked(system)
	if err != nil {
		return nil, err
	}
	var files []file
	for path, name := range taken() {
		if !packages[path] {
			continue
		}
		data, err := parts.ReadFile("parts/" + name)
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: "licences/" + name, data: data})
	}
	for path, dir := range modules {
		texts, err := texts(dir)
		if err != nil {
			return nil, err
		}
		if len(texts) == 0 {
			return nil, fmt.Errorf("module %s has no licence in %s", path, dir)
		}
		all[strings.ReplaceAll(path, "/", "-")] = texts
	}
	entries, err := os.ReadDir(native)
	if err != nil {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, fmt.Errorf("-licences %s: no file in it", native)
	}
	for _, e := range entries {
		all[e.Name()] = []string{filepath.Join(native, e.Name())}
	}
	for name, from := range all {
		for _, f := range from {
			data, err := os.ReadFile(f)
			if err != nil {
				return nil, err
			}
			to := "licences/" + name
			if len(from) > 1 {
				to += "-" + filepath.Base(f)
			}
			files = append(files, file{name: to + ".txt", data: data})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, nil
}

// texts lists the files of a module that say how it may be used: in its own
// folder, and in one called licenses.
func texts(dir string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		upper := strings.ToUpper(e.Name())
		inside := filepath.Base(filepath.Dir(path)) == "licenses"
		switch {
		case e.IsDir() && path != dir && e.Name() != "licenses":
			return fs.SkipDir
		case e.IsDir():
		case inside, strings.HasPrefix(upper, "LICEN"), strings.HasPrefix(upper, "COPYING"), strings.HasPrefix(upper, "NOTICE"):
			found = append(found, path)
		}
		return nil
	})
	return found, err
}

// linked gives the packages that the program is made of on a system, and the
// folders of the modules that they come from.
func linked(system string) (modules map[string]string, packages map[string]bool, err error) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Module,Standard", "onlooker/cmd/onlooker")
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=1")
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("go list for %s: %w", system, err)
	}
	modules, packages = map[string]string{}, map[string]bool{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Standard   bool
			Module     *struct {
				Path, Dir string
				Main      bool
			}
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return modules, packages, nil
		} else if err != nil {
			return nil, nil, err
		}
		packages[p.ImportPath] = true
		if p.Standard || p.Module == nil || p.Module.Main {
			continue
		}
		modules[p.Module.Path] = p.Module.Dir
	}
}
