internal import CSDL2
package import HelioCore
internal import HelioWindow

extension ViewerWindow {
    package var refreshRate: Int? {
        var mode = SDL_DisplayMode()
        guard SDL_GetCurrentDisplayMode(SDL_GetWindowDisplayIndex(window), &mode) == 0 else { return nil }
        return mode.refresh_rate > 0 ? Int(mode.refresh_rate) : nil
    }

    package func setScreenSize(_ size: PixelSize?) {
        guard size != screenSize else { return }
        let before = visiblePicture
        screenSize = size
        if visiblePicture != before { relayout() }
    }

    /// The size of the host's screen within the picture, from the top left: without the column or row that pads it to
    /// even sides.
    var visiblePicture: PixelSize {
        guard let picture else { return PixelSize(width: 0, height: 0) }
        guard let screenSize, screenSize.even == picture.size else { return picture.size }
        return screenSize
    }

    package func outcome(of command: WindowCommand) -> String? {
        switch command {
        case .toggleFullScreen:
            isFullScreen ? "Full screen. Ctrl+Alt+Shift+F ends it." : "No longer full screen."
        case .toggleKeyboardGrab where wayland?.canGrabKeyboard == false:
            "This compositor keeps its own keys: it lets no window have them."
        case .togglePointerLock where wayland?.canLockPointer == false:
            "This compositor lets no window lock the pointer."
        case .toggleKeyboardGrab:
            grabsKeyboard
                ? "All keys go to the host, the system's too. Ctrl+Alt+Shift+K ends that."
                : "The system's own keys stay here."
        case .togglePointerLock:
            if isPointerLocked {
                "The pointer moves without bounds, as for games. Ctrl+Alt+Shift+M ends that."
            } else {
                controls ? "The pointer is free." : "You watch only: the pointer stays free."
            }
        case .nextScaleMode:
            switch scaleMode {
            case .fit: "The whole picture fits the window."
            case .actual: "Actual size: one pixel for one pixel."
            case .integer: "The largest whole multiple that fits."
            }
        default: nil
        }
    }

    package func setTitle(_ title: String) { SDL_SetWindowTitle(window, title) }

    package func setFullScreen(_ isOn: Bool) {
        guard isOn != isFullScreen else { return }
        if SDL_SetWindowFullscreen(window, isOn ? SDL_WINDOW_FULLSCREEN_DESKTOP.rawValue : 0) == 0 {
            isFullScreen = isOn
            relayout()
        }
    }

    package func setScaleMode(_ mode: ScaleMode) {
        guard mode != scaleMode else { return }
        scaleMode = mode
        relayout()
    }

    /// Scrolls a picture that is larger than the window (scale mode `actual`), by a distance in pixels.
    package func scroll(byX dx: Int, y dy: Int) {
        scroll = (max(0, scroll.x + dx), max(0, scroll.y + dy))
        let earlier = layout.content
        let next = PictureLayout(
            picture: layout.picture, window: layout.window, mode: scaleMode, scrollX: scroll.x, scrollY: scroll.y)
        if next.content != earlier { relayout() }
    }

    /// Sets whether input is sent to the host. After turning it off, the caller must release the keys and buttons that
    /// are down at the host.
    package func setControls(_ isOn: Bool) {
        guard isOn != controls else { return }
        controls = isOn
        _ = keyboard.loseFocus()
        toldLocks = nil
        pointer.held.removeAll()
        if !isOn { setPointerLocked(false) }
        updateCursor()
    }

    /// Locks or unlocks the pointer. A locked pointer is hidden, and only its relative movements are reported. Losing
    /// the keyboard focus unlocks it.
    package func setPointerLocked(_ isOn: Bool) {
        guard isOn != isPointerLocked, controls || !isOn, wayland?.canLockPointer != false || !isOn else { return }
        if let display { helio_x11_want_raw_pointer(display, isOn ? 1 : 0) }
        guard SDL_SetRelativeMouseMode(isOn ? SDL_TRUE : SDL_FALSE) == 0 else { return }
        isPointerLocked = isOn
        updateCursor()
    }

    /// Sets whether the window manager's own key combinations are sent to the host while the window has the keyboard
    /// focus.
    package func setGrabsKeyboard(_ isOn: Bool) {
        grabsKeyboard = isOn
        SDL_SetWindowKeyboardGrab(window, isOn ? SDL_TRUE : SDL_FALSE)
    }

    /// Sets whether keys are sent by place or by character. No key may be down at the host: its release would be sent
    /// as another key.
    package func setKeys(_ mode: KeyMode) {
        keyboard.mode = mode
        // No input method may consume a key that is sent by place.
        if mode == .place { SDL_StopTextInput() } else { SDL_StartTextInput() }
    }
}
