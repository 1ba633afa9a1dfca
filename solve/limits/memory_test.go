package limits

import (
	"context"
	"errors"
	"runtime"
	"testing"
)

// TestRoom asks for what there is and for more.
func TestRoom(t *testing.T) {
	var large *MemoryError
	if err := Room(context.Background(), 1<<60); err != nil {
		t.Errorf("without a bound: %v", err)
	}
	ctx := WithMemory(context.Background(), 1<<30)
	if err := Room(ctx, 1<<20); err != nil {
		t.Errorf("1 MiB of 1 GiB: %v", err)
	}
	if err := Room(ctx, 1<<30); !errors.As(err, &large) || large.Want != 1<<30 || large.Most != 1<<30 {
		t.Errorf("1 GiB of 1 GiB: %v, want that it is too large", err)
	}
	// What is garbage counts as room.
	junk := make([]byte, 700<<20)
	if err := Room(ctx, 700<<20); !errors.As(err, &large) {
		t.Errorf("700 MiB beside 700 of 1 GiB: %v, want that it is too large", err)
	}
	runtime.KeepAlive(junk)
	if err := Room(ctx, 700<<20); err != nil {
		t.Errorf("700 MiB beside 700 of garbage, of 1 GiB: %v", err)
	}
}

// TestWatch takes more than there is, bit by bit.
func TestWatch(t *testing.T) {
	runtime.GC()
	all, _ := held()
	most := all + 64<<20
	ctx, stop := Watch(WithMemory(context.Background(), most+most/4))
	defer stop()
	var junk [][]byte
	for n := int64(0); ctx.Err() == nil; n++ {
		if n<<20 > 2*most {
			t.Fatalf("holding %d MiB more than %d it goes on", n, most>>20)
		}
		b := make([]byte, 1<<20)
		for i := 0; i < len(b); i += 1 << 10 {
			b[i] = 1
		}
		junk = append(junk, b)
		runtime.Gosched()
	}
	runtime.KeepAlive(junk)
	var large *MemoryError
	if err := Cause(ctx, ctx.Err()); !errors.As(err, &large) || large.Want != 0 {
		t.Errorf("it ends with %v, want that it is too large", err)
	}
	if other := errors.New("other"); Cause(ctx, other) != other || Cause(ctx, nil) != nil {
		t.Error("Cause changes errors that are not the context's")
	}
}
