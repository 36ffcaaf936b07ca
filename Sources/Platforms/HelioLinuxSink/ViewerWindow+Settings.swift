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

    /// The part of the picture that is the host's screen, from the top left.
    var visiblePicture: PixelSize {
        guard let picture else { return PixelSize(width: 0, height: 0) }
        guard let screenSize, screenSize.even == picture.size else { return picture.size }
        return screenSize
    }

    package func outcome(of command: WindowCommand) -> String? {
        switch command {
        case .toggleFullScreen:
            isFullScreen ? "Full screen. Ctrl+Alt+Shift+F ends it." : "No longer full screen."
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

    /// Scrolls a picture that is larger than the window (`actual`), by pixels.
    package func scroll(byX dx: Int, y dy: Int) {
        scroll = (max(0, scroll.x + dx), max(0, scroll.y + dy))
        let earlier = layout.content
        let next = PictureLayout(
            picture: layout.picture, window: layout.window, mode: scaleMode, scrollX: scroll.x, scrollY: scroll.y)
        if next.content != earlier { relayout() }
    }

    /// Sets whether input goes to the host. When it is turned off, the caller must release what is down at the host.
    package func setControls(_ isOn: Bool) {
        guard isOn != controls else { return }
        controls = isOn
        _ = keyboard.loseFocus()
        toldLocks = nil
        pointer.held.removeAll()
        if !isOn { setPointerLocked(false) }
        updateCursor()
    }

    /// Locks the pointer, which is then hidden and reports its movements only, or unlocks it; losing the keyboard
    /// unlocks it.
    package func setPointerLocked(_ isOn: Bool) {
        guard isOn != isPointerLocked, controls || !isOn else { return }
        if let display { helio_x11_want_raw_pointer(display, isOn ? 1 : 0) }
        guard SDL_SetRelativeMouseMode(isOn ? SDL_TRUE : SDL_FALSE) == 0 else { return }
        isPointerLocked = isOn
        updateCursor()
    }

    /// Sets whether keys that the window manager would take go to the host, while the window has the keyboard.
    package func setGrabsKeyboard(_ isOn: Bool) {
        grabsKeyboard = isOn
        SDL_SetWindowKeyboardGrab(window, isOn ? SDL_TRUE : SDL_FALSE)
    }

    /// Sets the mode of keys. No key may be down at the host: it would be released as another one.
    package func setKeys(_ mode: KeyMode) {
        keyboard.mode = mode
        // In the mode by place, no input method may take a key.
        if mode == .place { SDL_StopTextInput() } else { SDL_StartTextInput() }
    }
}
