/// How a window begins.
package struct WindowOptions: Sendable {
    /// The window's size until the first picture, in points.
    package var size = PixelSize(width: 1280, height: 720)
    /// The first picture gives the window its size, as far as the screen allows.
    package var adoptsPictureSize = true
    package var scaleMode = ScaleMode.fit
    package var isFullScreen = false
    /// Input goes to the host. Otherwise the window only shows, and obeys its own keys.
    package var controls = true
    /// What types text goes as text and not as keys.
    package var isTextMode = false
    /// All keys, the window manager's too, go to the host while the window has the keyboard.
    package var grabsKeyboard = false
    /// What the window says until the first picture.
    package var waitingText = "Waiting for the first picture"

    package init() {}
}
