package import HelioCore

/// The requests of a window's model to the platform's window.
package protocol WindowHosting: AnyObject {
    func setTitle(_ title: String)
    func setTexts(_ texts: WindowTexts)
    /// Enters or leaves full screen. `WindowModel.fullScreenChanged` reports it when done.
    func setFullScreen(_ isOn: Bool)
    /// Locks the pointer where it is and hides it, or releases it.
    func setPointerLocked(_ isOn: Bool)
    /// Grabs the keys that are otherwise the system's, or releases them; grabs only while the window has the keyboard.
    /// `WindowModel.keyboardGrabRefused` reports a refusal.
    func setGrabsKeyboard(_ isOn: Bool)
    func setPointer(_ pointer: PointerOverlay.Local)
    /// Resizes the window to the picture's size, or to as much of it as there is room for.
    func adopt(_ picture: PixelSize)
}
