#if canImport(AppKit)
internal import AppKit
internal import HelioAppleMedia
internal import HelioCore

extension AppleWindowParts {
    /// Takes an event of AppKit's: what is for the host goes to the model, all but keys on to AppKit as well.
    func take(_ event: NSEvent) {
        if event.type == .applicationDefined { return model.take([.woken]) }
        let reader = AppleEventReader(model: model, view: view)
        if reader.takeKey(event) { return }
        reader.takePointer(event)
        NSApplication.shared.sendEvent(event)
    }
}
#endif
