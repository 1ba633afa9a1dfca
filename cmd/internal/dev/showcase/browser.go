package showcase

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// TestBrowser starts a browser with an empty page of a size, without a window unless more asks
// for one, until the test ends or some minutes are over. Where there is no browser the test is
// skipped.
func TestBrowser(t testing.TB, width, height int, most time.Duration, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WindowSize(width, height), chromedp.Flag("headless", "new"))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
	t.Cleanup(cancel)
	ctx, cancelTime := context.WithTimeout(ctx, most)
	t.Cleanup(cancelTime)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// TestThrown has what a page of ours throws fail the test.
func TestThrown(t testing.TB, page context.Context) {
	chromedp.ListenTarget(page, func(ev any) {
		if e, ok := ev.(*runtime.EventExceptionThrown); ok {
			t.Errorf("the page threw: %s", e.ExceptionDetails.Error())
		}
	})
}
