package session

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/calibrate"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/whole"
	"onlooker/solve"
)

// errGoal says that nobody told what is wanted of a board.
var errGoal = errors.New("what is wanted is not known")

// goal says what is wanted of a board before anything is clicked, where its picture does not
// tell: what --goal or its look says, and where neither does, what the player answers; that is
// kept with the look. again says that the board is to be read anew with the answer.
func (d *driving) goal(ctx context.Context, t *drive.Drive) (again bool, err error) {
	wanter, asks := t.Reading.Puzzle.(solve.GoalSetter)
	words := t.Reading.Game.Goals
	if !asks || len(words) == 0 || t.Reading.Profile.Cells == nil {
		return false, nil
	}
	said := t.Reading.Profile.Cells.Goal
	if said != "" || d.dryRun || d.yes {
		if !slices.Contains(d.goals, t.Reading.Profile.Name) {
			d.goals = append(d.goals, t.Reading.Profile.Name)
			fmt.Fprintf(d.Err, "onlooker: %s: %s\n", t.Reading.Game.Name, d.wanted(t.Reading.Profile, wanter.Goal()))
		}
		return false, nil
	}
	fmt.Fprintf(d.Err, "onlooker: what is wanted of all of them, %s? ", strings.Join(words, " or "))
	answer, err := d.answer(ctx)
	if err == nil && !slices.Contains(words, answer) {
		err = errGoal
	}
	if err != nil {
		fmt.Fprintln(d.Err)
		return false, fmt.Errorf("drive: %s: %w: say --goal %s", t.Reading.Game.Name, err, strings.Join(words, " or --goal "))
	}
	puzzle, err := wanter.WithGoal(answer)
	if err != nil {
		return false, err
	}
	name, err := calibrate.KeepGoal(t.Reading, t.Frame, puzzle, answer)
	if err != nil {
		fmt.Fprintf(d.Err, "onlooker: it is not kept: %v\n", err)
	} else {
		fmt.Fprintf(d.Err, "onlooker: kept with the look in %s\n", name)
	}
	t.Reading.Profile.Cells.Goal = answer
	return true, nil
}

// wanted says what is taken to be wanted of boards in a look, and by whose word; usual is what
// its family takes where nobody says.
func (d *driving) wanted(look *calibrations.Profile, usual string) string {
	goal := look.Cells.Goal
	switch {
	case goal == "":
		return fmt.Sprintf("all are wanted %s, as is usual: nothing says what is wanted; --goal says otherwise", usual)
	case d.Goal != "":
		return fmt.Sprintf("all are wanted %s, as --goal says", goal)
	}
	return fmt.Sprintf("all are wanted %s, as the look %s says; --goal says otherwise", goal, plain.OneLine(look.Name))
}

// answer reads a line that the player types.
func (d *driving) answer(ctx context.Context) (string, error) {
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(io.LimitReader(d.In, whole.MostTyped)).ReadString('\n') // "" where nobody is there to answer
		line <- strings.TrimSpace(text)
	}()
	select {
	case text := <-line:
		return text, nil
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
