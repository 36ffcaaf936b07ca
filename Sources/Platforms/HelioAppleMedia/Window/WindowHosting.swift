package import HelioCore

/// What a platform's window does when its model says so.
package protocol WindowHosting: AnyObject {
    func setTitle(_ title: String)
    func setTexts(_ texts: WindowTexts)
    /// Enters or leaves full screen. `WindowModel.fullScreenChanged` tells that it has.
    func setFullScreen(_ isOn: Bool)
    /// Holds the pointer where it is and hides it, or lets it go.
    func setPointerLocked(_ isOn: Bool)
    /// Takes the keys that are the system's otherwise, or leaves them; asked for only while the window has the keyboard.
    /// `WindowModel.keyboardGrabRefused` tells that it can't.
    func setGrabsKeyboard(_ isOn: Bool)
    func setPointer(_ pointer: PointerOverlay.Local)
    /// Gives the window the picture's size, or as much of it as there is room for.
    func adopt(_ picture: PixelSize)
}
