#if canImport(AppKit)
internal import AppKit
internal import HelioAppleMedia
internal import HelioCore

extension AppleWindowParts {
    /// Handles an AppKit event: passes input to the model, and all events except keys to AppKit as well.
    func take(_ event: NSEvent) {
        if event.type == .applicationDefined { return model.take([.woken]) }
        let reader = AppleEventReader(model: model, view: view)
        if reader.takeKey(event) { return }
        reader.takePointer(event)
        NSApplication.shared.sendEvent(event)
    }
}
#endif
