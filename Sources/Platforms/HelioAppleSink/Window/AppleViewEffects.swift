internal import HelioAppleMedia
internal import HelioCore

/// Does to a view of an app's what its model says. Type-checked, not run. For use from the main thread, as the model is.
final class AppleViewEffects: WindowHosting {
    weak var view: ApplePictureView?

    private func onMain(_ body: @MainActor (ApplePictureView) -> Void) {
        let view = view
        MainActor.assumeIsolated { if let view { body(view) } }
    }

    func setTexts(_ texts: WindowTexts) { onMain { $0.show(texts) } }
    func setPointer(_ pointer: PointerOverlay.Local) { onMain { $0.show(pointer) } }
    func setPointerLocked(_ isOn: Bool) { onMain { $0.setPointerLocked(isOn) } }
    func setGrabsKeyboard(_ isOn: Bool) { onMain { $0.setGrabsKeyboard(isOn) } }
    // The app's windows are its own: it hears of the command among the session's events.
    func setTitle(_ title: String) {}
    func setFullScreen(_ isOn: Bool) {}
    func adopt(_ picture: PixelSize) {}
}
