/// The initial settings of a window.
package struct WindowOptions: Sendable {
    /// The window's size until the first picture, in points.
    package var size = PixelSize(width: 1280, height: 720)
    /// True if the window adopts the first picture's size, within the limits of the screen.
    package var adoptsPictureSize = true
    package var scaleMode = ScaleMode.fit
    package var isFullScreen = false
    /// True if input is sent to the host. If false, the window only shows pictures, and executes its own key commands.
    package var controls = true
    /// The rule for sending keys to the host: as characters, by position, or as text.
    package var keys = KeyMode.character
    /// True if all keys, including the window manager's, are sent to the host while the window has the keyboard focus.
    package var grabsKeyboard = false
    /// The window's text until the first picture.
    package var waitingText = "Waiting for the first picture"

    package init() {}
}

/// A way of fitting a picture into a window.
package enum ScaleMode: String, Sendable, Hashable, CaseIterable {
    /// The largest size that fits, with black bars; the default.
    case fit
    /// The picture's own size, with one pixel of the picture per pixel of the window; a larger picture is scrolled.
    case actual
    /// The largest integer multiple that fits (or, for a window that is too small, integer fraction), for sharp pixels.
    case integer

    /// The next mode in the order of the scale command.
    package var next: ScaleMode {
        switch self {
        case .fit: .actual
        case .actual: .integer
        case .integer: .fit
        }
    }
}
