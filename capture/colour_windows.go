package capture

import (
	"fmt"
	"syscall"
	"unsafe"
)

var (
	user32               = syscall.NewLazyDLL("user32.dll")
	getBufferSizes       = user32.NewProc("GetDisplayConfigBufferSizes")
	queryDisplayConfig   = user32.NewProc("QueryDisplayConfig")
	displayConfigGetInfo = user32.NewProc("DisplayConfigGetDeviceInfo")
)

// Windows' names: DISPLAYCONFIG_PATH_INFO, DISPLAYCONFIG_MODE_INFO and
// DISPLAYCONFIG_GET_ADVANCED_COLOR_INFO.
type (
	configPath struct {
		source [20]byte
		target struct {
			adapter [8]byte
			id      uint32
			_       [36]byte
		}
		flags uint32
	}
	configMode  [64]byte
	colourAsked struct {
		kind, size uint32
		adapter    [8]byte
		id         uint32
		flags      uint32
		encoding   uint32
		bits       uint32
	}
)

const (
	onlyActive     = 2 // QDC_ONLY_ACTIVE_PATHS
	advancedColour = 9 // DISPLAYCONFIG_DEVICE_INFO_GET_ADVANCED_COLOR_INFO
)

// ColourModes are the displays on which Windows changes colours.
func ColourModes() ([]ColourMode, error) {
	if err := displayConfigGetInfo.Find(); err != nil {
		return nil, err
	}
	var paths, modes uint32
	if rc, _, _ := getBufferSizes.Call(onlyActive, uintptr(unsafe.Pointer(&paths)), uintptr(unsafe.Pointer(&modes))); rc != 0 {
		return nil, fmt.Errorf("capture: displays: Windows says %d", rc)
	}
	if paths == 0 || modes == 0 {
		return nil, nil
	}
	list, of := make([]configPath, paths), make([]configMode, modes)
	if rc, _, _ := queryDisplayConfig.Call(onlyActive, uintptr(unsafe.Pointer(&paths)), uintptr(unsafe.Pointer(&list[0])),
		uintptr(unsafe.Pointer(&modes)), uintptr(unsafe.Pointer(&of[0])), 0); rc != 0 {
		return nil, fmt.Errorf("capture: displays: Windows says %d", rc)
	}
	var out []ColourMode
	for i, p := range list[:paths] {
		asked := colourAsked{kind: advancedColour, adapter: p.target.adapter, id: p.target.id}
		asked.size = uint32(unsafe.Sizeof(asked))
		if rc, _, _ := displayConfigGetInfo.Call(uintptr(unsafe.Pointer(&asked))); rc != 0 {
			continue // a Windows that does not know the question has neither
		}
		if m := colourMode(i, asked.flags); m.HDR || m.Managed {
			out = append(out, m)
		}
	}
	return out, nil
}
