#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore
private import HelioGround
internal import QuartzCore

/// The parts of an `AppleWindow`: the window, its view and layer, and the model with the logic. It is only
/// type-checked; no test runs it.
@MainActor
final class AppleWindowParts: NSObject, AppleWindowPlace {
    let window: NSWindow
    let model: WindowModel<AppleSurface>
    let view: NSView
    let surface: AppleSurface
    let labels = AppleLabels()
    let picture: AppleLayerView
    let pointerHold = PointerHold()
    private(set) lazy var keyboardGrab = KeyboardGrab { [weak self] in self?.take($0) }

    private let effects = AppleWindowEffects()

    init?(title: String, options: WindowOptions) {
        guard let surface = AppleSurface() else { return nil }
        let frame = NSRect(x: 0, y: 0, width: options.size.width, height: options.size.height)
        window = NSWindow(
            contentRect: frame, styleMask: [.titled, .closable, .miniaturizable, .resizable], backing: .buffered,
            defer: false)
        view = NSView(frame: frame)
        self.surface = surface
        picture = AppleLayerView(surface)
        model = WindowModel(surface: surface, host: effects, options: options)
        super.init()
        prepare(title)
        effects.parts = self
        surface.onRefresh = { [weak model] target, shown in model?.presenter.tick(target, shown: shown) }
        model.begin(options)
    }

    private func prepare(_ title: String) {
        _ = NSApplication.shared.setActivationPolicy(.regular)
        NSApplication.shared.finishLaunching()
        view.addSubview(picture)
        window.title = title
        window.isReleasedWhenClosed = false
        window.acceptsMouseMovedEvents = true
        window.contentView = view
        window.delegate = self
        window.center()
        window.makeKeyAndOrderFront(nil)
        NSApplication.shared.activate()
        fit()
    }

    /// Sets the layer's size to the view's size in pixels.
    func fit() {
        let (scale, bounds) = (window.backingScaleFactor, view.bounds)
        picture.frame = bounds
        surface.layer.contentsScale = scale
        surface.layer.drawableSize = CGSize(width: bounds.width * scale, height: bounds.height * scale)
        model.resized()
        labels.place(in: view)
    }

    /// Runs the run loop until there are events to return, at most until `until`.
    func wait(until: Instant?) -> [WindowEvent] {
        repeat {
            let left = until.map { max(0, ($0 - MonotonicClock.now).inSeconds) }
            let date = left.map { Date(timeIntervalSinceNow: $0) } ?? Date.distantFuture
            let event = NSApplication.shared.nextEvent(matching: .any, until: date, inMode: .default, dequeue: true)
            guard let event else { return model.takeEvents() }
            take(event)
        } while model.events.isEmpty
        return model.takeEvents()
    }

    var screenRate: Int? { window.screen.map(\.maximumFramesPerSecond) }
    func setTitle(_ title: String) { window.title = title }

    func wake() {
        let event = NSEvent.otherEvent(
            with: .applicationDefined, location: NSPoint(x: 0, y: 0), modifierFlags: [], timestamp: 0, windowNumber: 0,
            context: nil, subtype: 0, data1: 0, data2: 0)
        if let event { NSApplication.shared.postEvent(event, atStart: false) }
    }
}

extension AppleWindowParts: NSWindowDelegate {
    func windowShouldClose(_ sender: NSWindow) -> Bool {
        model.take([.closeRequested])
        return false
    }
    func windowDidResize(_ notification: Notification) { fit() }
    func windowDidChangeScreen(_ notification: Notification) { fit() }
    func windowDidBecomeKey(_ notification: Notification) { model.focusGained() }
    func windowDidResignKey(_ notification: Notification) { model.focusLost() }
    func windowDidEnterFullScreen(_ notification: Notification) { model.fullScreenChanged(true) }
    func windowDidExitFullScreen(_ notification: Notification) { model.fullScreenChanged(false) }
}
#endif
