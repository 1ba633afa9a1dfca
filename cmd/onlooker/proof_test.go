package main

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
)

// TestTickets answers panels that people called unsolvable, or writes a page that proves it.
func TestTickets(t *testing.T) {
	all := solvetest.Must(os.ReadFile("testdata/tickets.txt"))(t)
	var solved, proved int
	boards := strings.Split("\n"+string(all), "\npanel ")[1:]
	for i, b := range boards {
		page := filepath.Join(t.TempDir(), "page.html")
		out, said, status := onlooker(t, "panel "+b, "solve", "-", "--no-store", "--timeout", "60s", "--proof", page)
		text, missing := os.ReadFile(page)
		switch {
		case status == 0 && missing == nil:
			proved++
			wellFormed(t, string(text))
			for _, want := range []string{"cannot be met", "<svg", "checked before this page was written", "panel "} {
				if !strings.Contains(string(text), want) && !(want == "cannot be met" && strings.Contains(string(text), "o line leads from a start to an end")) {
					t.Errorf("panel %d: no %q in its page:\n%s", i+1, want, text)
				}
			}
			t.Logf("panel %d: %s", i+1, out)
		case missing != nil && strings.Contains(out, "solved in") && strings.Contains(said, "is not written"):
			solved++
		default:
			t.Errorf("panel %d: status %d\n%s%s", i+1, status, out, said)
		}
	}
	t.Logf("%d answered, %d proved to have no answer", solved, proved)
	if solved+proved < 20 || solved < 5 || proved < 5 {
		t.Errorf("of %d panels %d are answered and %d proved", len(boards), solved, proved)
	}
}

// wellFormed reads a page as what it says it is.
func wellFormed(t *testing.T, page string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(page))
	dec.Strict, dec.AutoClose, dec.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		if _, err := dec.Token(); err == io.EOF {
			return
		} else if err != nil {
			t.Fatalf("the page: %v", err)
		}
	}
}

// TestProofWords: what a page says of few lines, of many, and of input that is no use for one.
func TestProofWords(t *testing.T) {
	large := "panel 6x6\n" + strings.Repeat("+-+-+-+-+-+-+\n|a| | | | |b|\n", 6) + "@-+-+-+-+-+->\na = red star\nb = blue square\n"
	large = strings.Replace(large, "|a| | | | |b|", "| | | | | |b|", 1) // five stars
	for _, row := range []struct{ why, board, want string }{
		{"few lines", "panel 1x1\n+->\n|a|\n@-+\na = 4 orange triangles\n", "2 lines lead from a start to an end"},
		{"too many to draw, but counted", large, "their number is odd"},
		{"too many to draw", "panel 5x5\n*:+-+-+-+-+\n" + strings.Repeat("| | | | | |\n+-+-+-+-+-+\n", 4) + "| | | | | |\n@-+-+-+-+->\n", "There is no short argument"},
	} {
		page := filepath.Join(t.TempDir(), "page.html")
		out, said, status := onlooker(t, row.board, "solve", "-", "--no-store", "--timeout", "60s", "--proof", page)
		text, err := os.ReadFile(page)
		if status != 0 || err != nil || !strings.Contains(string(text), row.want) {
			t.Errorf("%s: status %d, no %q in\n%s\n%s%s", row.why, status, row.want, text, out, said)
		}
	}
	if _, said, status := onlooker(t, "", "solve", "--proof", "page.html", "a.txt", "b.txt"); status != 2 {
		t.Errorf("two inputs: status %d: %s", status, said)
	}
}
