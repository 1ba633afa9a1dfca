// Command peers measures onlooker against other programs on the same puzzles: make
// bench-peers ROWS=FILE. Each line of FILE has three fields with tabs between them: what is
// solved, the arguments for onlooker, and the command of the other program, which must
// stand ready to run. All are run in turns, and the least processor time of each counts.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// A race is a puzzle that two programs solve.
type race struct {
	what     string
	commands [2]string
	least    [2]time.Duration
}

func main() {
	ours := flag.String("onlooker", "./onlooker", "the program `FILE`")
	runs := flag.Int("runs", 5, "run everything so `OFTEN`")
	flag.Parse()
	if err := run(*ours, *runs, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func run(ours string, runs int, files []string) error {
	if len(files) != 1 {
		return fmt.Errorf("%d files, want one of rows: what, arguments of onlooker, another's command", len(files))
	}
	var races []*race
	text, err := os.ReadFile(files[0])
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		l := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(l) != 3 {
			return fmt.Errorf("%q has %d fields, want 3", line, len(l))
		}
		races = append(races, &race{what: l[0], commands: [2]string{ours + " " + l[1], l[2]}})
	}
	for range runs {
		for _, r := range races {
			for i, command := range r.commands {
				took, err := processorTime(command)
				if err != nil {
					return fmt.Errorf("%s: %s: %w", r.what, command, err)
				}
				if r.least[i] == 0 || took < r.least[i] {
					r.least[i] = took
				}
			}
		}
	}
	fmt.Print("| what | onlooker | the other | ratio |\n|---|---|---|---|\n")
	for _, r := range races {
		fmt.Printf("| %s | %.3f s | %.3f s | %.2f |\n", r.what, r.least[0].Seconds(), r.least[1].Seconds(), r.least[0].Seconds()/r.least[1].Seconds())
	}
	return nil
}

// processorTime runs a command of the shell, whose output nobody reads. Status 1 says of
// many solvers that a puzzle has no answer.
func processorTime(command string) (time.Duration, error) {
	c := exec.Command("sh", "-c", "exec "+command+" >/dev/null 2>&1")
	if err := c.Run(); err != nil && c.ProcessState.ExitCode() != 1 {
		return 0, err
	}
	return max(time.Microsecond, c.ProcessState.UserTime()+c.ProcessState.SystemTime()), nil
}
