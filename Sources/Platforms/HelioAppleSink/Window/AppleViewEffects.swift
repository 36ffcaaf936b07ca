internal import HelioAppleMedia
internal import HelioCore

/// Applies a model's requests to an app's view. It is used from the main thread, like the model. It is only
/// type-checked; no test runs it.
final class AppleViewEffects: WindowHosting {
    weak var view: ApplePictureView?

    private func onMain(_ body: @MainActor (ApplePictureView) -> Void) {
        let view = view
        MainActor.assumeIsolated { if let view { body(view) } }
    }

    #if canImport(UIKit)
    /// False: only a view controller may ask for it, and the view's is the app's.
    var locksPointer: Bool { false }
    #endif

    func setTexts(_ texts: WindowTexts) { onMain { $0.show(texts) } }
    func setPointer(_ pointer: PointerOverlay.Local) { onMain { $0.show(pointer) } }
    func setPointerLocked(_ isOn: Bool) { onMain { $0.setPointerLocked(isOn) } }
    func setGrabsKeyboard(_ isOn: Bool) { onMain { $0.setGrabsKeyboard(isOn) } }
    // The app owns its windows, so these requests do nothing; the app gets the commands among the session's events.
    func setTitle(_ title: String) {}
    func setFullScreen(_ isOn: Bool) {}
    func adopt(_ picture: PixelSize) {}
}
