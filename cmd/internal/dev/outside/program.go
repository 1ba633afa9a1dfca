package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// An onlooker is the program that is measured, as people run it.
type onlooker struct{ path string }

// A reading is a line of `read --json`.
type reading struct {
	Image         string
	Images        []string
	Boards        []seenBoard
	Unsure, Error string
}

// A seenBoard is a board of a reading.
type seenBoard struct {
	Family string
	Quad   [4][2]float64
	Puzzle json.RawMessage
	Text   string
}

// refusal is the reason that a reading gives where it gives no board.
func (r *reading) refusal() string {
	for _, text := range []string{r.Unsure, r.Error} {
		if text != "" {
			return text
		}
	}
	return "no line was printed"
}

// run returns what the program prints; that it fails is no error where it
// printed something on standard output.
func (p *onlooker) run(input string, args ...string) ([]byte, error) {
	c := exec.Command(p.path, args...)
	c.Stdin = strings.NewReader(input)
	var out, complaints bytes.Buffer
	c.Stdout, c.Stderr = &out, &complaints
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil // something was refused: the lines say what
	}
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w: %s", p.path, args[0], err, complaints.String())
	}
	if out.Len() == 0 {
		return complaints.Bytes(), nil
	}
	return out.Bytes(), nil
}

// lines runs the program and returns the objects that it prints, one a line.
func lines[T any](p *onlooker, input string, args ...string) ([]T, error) {
	out, err := p.run(input, args...)
	if err != nil {
		return nil, err
	}
	var all []T
	scan := bufio.NewScanner(bytes.NewReader(out))
	scan.Buffer(nil, 1<<28)
	for scan.Scan() {
		var one T
		if err := json.Unmarshal(scan.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s %s printed %.200q: %w", p.path, args[0], scan.Text(), err)
		}
		all = append(all, one)
	}
	return all, scan.Err()
}

// atOnce is how many pictures one process reads.
const atOnce = 25

// named reads pictures of a folder by their names; of one without a line nothing was read.
func (p *onlooker) named(folder string, names []string, flags ...string) (map[string]*reading, error) {
	var files []string
	for _, name := range names {
		files = append(files, filepath.Join(folder, name))
	}
	readings, err := p.read(files, flags...)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if readings[name] == nil {
			readings[name] = &reading{}
		}
	}
	return readings, nil
}

// read reads pictures and returns the readings by the pictures' base names.
func (p *onlooker) read(files []string, flags ...string) (map[string]*reading, error) {
	all := make(map[string]*reading)
	for len(files) > 0 {
		n := min(atOnce, len(files))
		some, err := lines[reading](p, "", append(append([]string{"read", "--json"}, flags...), files[:n]...)...)
		if err != nil {
			return nil, err
		}
		for i := range some {
			name := some[i].Image
			if name == "" && len(some[i].Images) > 0 {
				name = some[i].Images[0]
			}
			all[filepath.Base(name)] = &some[i]
		}
		files = files[n:]
	}
	return all, nil
}

// An answer is a line of `batch` or `solve --json`.
type answer struct{ Input, Status, Error string }
