package capture

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"testing"
	"time"
)

// A scripted source gives a frame or an error at each grab.
type scripted struct {
	grabs  []error
	closed *int
}

func (s *scripted) Grab(context.Context) (*image.RGBA, error) {
	err := s.grabs[0]
	s.grabs = s.grabs[1:]
	if err != nil {
		return nil, err
	}
	return evenFrame(color.White), nil
}
func (s *scripted) Bounds() image.Rectangle { return image.Rect(1, 2, 3, 4) }
func (s *scripted) Close() error            { *s.closed++; return nil }

// TestPatient has a window come late, close, come back, and end.
func TestPatient(t *testing.T) {
	gone := fmt.Errorf("%w: closed", ErrNoWindow)
	opens, closed, told := 0, 0, 0
	p := &PatientSource{
		Open: func(context.Context) (Source, error) {
			opens++
			switch opens {
			case 1, 2, 4:
				return nil, gone
			case 3:
				return &scripted{[]error{nil, gone}, &closed}, nil
			}
			return &scripted{[]error{nil, io.EOF}, &closed}, nil
		},
		Waits: func(error) { told++ },
		pause: func(context.Context, time.Duration) error { return nil },
	}
	for i, want := range []error{nil, nil, io.EOF} {
		if _, err := p.Grab(t.Context()); err != want {
			t.Fatalf("grab %d: %v, want %v", i+1, err, want)
		}
	}
	if opens != 5 || told != 2 || closed != 1 {
		t.Errorf("opened %d times, told %d, closed %d; want 5, 2 and 1", opens, told, closed)
	}
	p = &PatientSource{Open: func(context.Context) (Source, error) { return nil, gone }, Waits: func(error) {}}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := p.Grab(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ends with %v, want the context's error", err)
	}
}
