/// The initial settings of a window.
package struct WindowOptions: Sendable {
    /// The window's size until the first picture, in points.
    package var size = PixelSize(width: 1280, height: 720)
    /// True if the first picture gives the window its size, as far as the screen allows.
    package var adoptsPictureSize = true
    package var scaleMode = ScaleMode.fit
    package var isFullScreen = false
    /// True if input goes to the host. Otherwise the window only shows, and obeys its own keys.
    package var controls = true
    /// What keys are at the host.
    package var keys = KeyMode.character
    /// True if all keys, the window manager's too, go to the host while the window has the keyboard.
    package var grabsKeyboard = false
    /// The window's text until the first picture.
    package var waitingText = "Waiting for the first picture"

    package init() {}
}
