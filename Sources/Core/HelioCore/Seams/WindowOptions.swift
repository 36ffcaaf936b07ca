/// The initial settings of a window.
package struct WindowOptions: Sendable {
    /// The window's size until the first picture, in points.
    package var size = PixelSize(width: 1280, height: 720)
    /// True if the window adopts the first picture's size, within the limits of the screen.
    package var adoptsPictureSize = true
    package var scaleMode = ScaleMode.fit
    package var isFullScreen = false
    /// True if input goes to the host. Otherwise the window only shows pictures, and executes its own key commands.
    package var controls = true
    /// The rule for sending keys to the host: as characters, by position, or as text.
    package var keys = KeyMode.character
    /// True if all keys, including the window manager's, go to the host while the window has the keyboard focus.
    package var grabsKeyboard = false
    /// The window's text until the first picture.
    package var waitingText = "Waiting for the first picture"

    package init() {}
}
