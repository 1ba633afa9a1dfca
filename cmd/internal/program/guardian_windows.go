package program

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// apart sets a process apart from the console: what closes that spares it.
func apart() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{HideWindow: true, CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
