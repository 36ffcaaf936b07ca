#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore

/// Applies a model's requests to a window. It is used from the main thread, like the model. It is only type-checked; no
/// test runs it.
final class AppleWindowEffects: WindowHosting {
    weak var parts: AppleWindowParts?

    private func onMain(_ body: @MainActor (AppleWindowParts) -> Void) {
        let parts = parts
        MainActor.assumeIsolated { if let parts { body(parts) } }
    }

    func setTitle(_ title: String) { onMain { $0.window.title = title } }
    func setTexts(_ texts: WindowTexts) { onMain { $0.show(texts) } }
    func setFullScreen(_ isOn: Bool) { onMain { $0.window.toggleFullScreen(nil) } }
    func setPointerLocked(_ isOn: Bool) { onMain { $0.pointerHold.set(isOn, over: $0.view) } }
    func setGrabsKeyboard(_ isOn: Bool) { onMain { $0.grabKeys(isOn) } }
    func setPointer(_ pointer: PointerOverlay.Local) { onMain { $0.show(pointer) } }
    func adopt(_ picture: PixelSize) { onMain { $0.adopt(picture) } }
}

extension AppleWindowParts {
    func grabKeys(_ isOn: Bool) {
        if !isOn { return keyboardGrab.end() }
        if !keyboardGrab.begin() { model.keyboardGrabRefused() }
    }

    func adopt(_ picture: PixelSize) {
        let scale = window.backingScaleFactor
        let room = (window.screen ?? NSScreen.main)?.visibleFrame ?? view.bounds
        let limit = PixelSize(width: Int(room.width * scale), height: Int(room.height * scale))
        let size = picture.fitted(within: limit)
        window.setContentSize(CGSize(width: CGFloat(size.width) / scale, height: CGFloat(size.height) / scale))
    }

    func show(_ texts: WindowTexts) { labels.show(texts, in: view) }

    func show(_ pointer: PointerOverlay.Local) {
        picture.cursor = pointer.cursor(scale: window.backingScaleFactor)
    }
}
#endif
