//go:build !windows

package main

import (
	"errors"
	"time"
)

func show(*game, time.Time) error { return errors.New("its window is one of Windows'") }
