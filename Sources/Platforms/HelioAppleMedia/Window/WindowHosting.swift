package import HelioCore

/// The operations that a window's model requests from the platform's window.
package protocol WindowHosting: AnyObject {
    func setTitle(_ title: String)
    func setTexts(_ texts: WindowTexts)
    /// Enters or leaves full screen; the window calls `WindowModel.fullScreenChanged` when that is done.
    func setFullScreen(_ isOn: Bool)
    /// True if the system lets the window lock the pointer.
    var locksPointer: Bool { get }
    /// Locks the pointer at its position and hides it, or releases it.
    func setPointerLocked(_ isOn: Bool)
    /// Grabs the system's own key combinations, or releases them. Called with true only while the window has the
    /// keyboard focus. The window calls `WindowModel.keyboardGrabRefused` if the system refuses.
    func setGrabsKeyboard(_ isOn: Bool)
    func setPointer(_ pointer: PointerOverlay.Local)
    /// Resizes the window to the picture's size, or smaller if the screen lacks space.
    func adopt(_ picture: PixelSize)
}

extension WindowHosting {
    package var locksPointer: Bool { true }
}
