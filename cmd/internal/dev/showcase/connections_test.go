//go:build linux || freebsd || netbsd || openbsd

package showcase_test

import (
	"errors"
	"image/color"
	"sync"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture"
	"onlooker/capture/xserver"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/overlay"
	"onlooker/input"
)

// TestConnectionsAtOnce opens everything that speaks to the server while other connections hear
// of errors: the library's Init of an extension ends the program then, by a map that is written
// and read.
func TestConnectionsAtOnce(t *testing.T) {
	showcase.TestDisplay(t, 320, 240)
	conn, err := xgb.NewConn()
	if err == nil {
		err = xserver.Use(conn, "RANDR")
	}
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	done := make(chan struct{})
	var hears, opens sync.WaitGroup
	hears.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			_, core := xproto.GetGeometry(conn, 77).Reply()
			_, own := randr.GetOutputInfo(conn, 77, 0).Reply()
			if !errors.As(core, new(xproto.DrawableError)) || own == nil {
				t.Errorf("no drawable 77: %v; no output 77: %v", core, own)
				return
			}
		}
	})
	for range 4 {
		opens.Go(func() {
			for range 20 {
				device, err := input.Open("")
				if err != nil {
					t.Error(err)
					return
				}
				over, err := overlay.Open(color.RGBA{R: 255, A: 255})
				if err != nil {
					t.Error(err)
					return
				}
				source, err := capture.Open(t.Context(), capture.Target{})
				if err == nil {
					_, err = source.Grab(t.Context())
				}
				if err == nil {
					err = source.Close()
				}
				if err != nil {
					t.Error(err)
				}
				over.Close()
				device.Close()
			}
		})
	}
	opens.Wait()
	close(done)
	hears.Wait()
}
