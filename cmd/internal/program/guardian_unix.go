//go:build !windows

package program

import "syscall"

// apart sets a process in a session of its own: what ends a terminal's processes spares it.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }
