#if canImport(AppKit)
internal import AppKit
internal import Foundation
internal import HelioAppleMedia
internal import HelioCore

/// Does to a window what its model says. Type-checked, not run. For use from the main thread, as the model is.
final class AppleWindowEffects: WindowHosting {
    weak var parts: AppleWindowParts?

    private func onMain(_ body: @MainActor (AppleWindowParts) -> Void) {
        let parts = parts
        MainActor.assumeIsolated { if let parts { body(parts) } }
    }

    func setTitle(_ title: String) { onMain { $0.window.title = title } }
    func setTexts(_ texts: WindowTexts) { onMain { $0.show(texts) } }
    func setFullScreen(_ isOn: Bool) { onMain { $0.window.toggleFullScreen(nil) } }
    /// The pointer is only hidden: nothing holds it where it is yet.
    func setPointerLocked(_ isOn: Bool) { onMain { _ in isOn ? NSCursor.hide() : NSCursor.unhide() } }
    /// macOS gives an app the system's own keys with the person's permission only: nothing asks for it yet.
    func setGrabsKeyboard(_ isOn: Bool) {}
    func setPointer(_ pointer: PointerOverlay.Local) { onMain { $0.show(pointer) } }
    func adopt(_ picture: PixelSize) { onMain { $0.adopt(picture) } }
}

extension AppleWindowParts {
    func adopt(_ picture: PixelSize) {
        let scale = window.backingScaleFactor
        let room = (window.screen ?? NSScreen.main)?.visibleFrame ?? view.bounds
        let limit = PixelSize(width: Int(room.width * scale), height: Int(room.height * scale))
        let size = picture.fitted(within: limit)
        window.setContentSize(CGSize(width: CGFloat(size.width) / scale, height: CGFloat(size.height) / scale))
    }

    func show(_ texts: WindowTexts) {
        for place in WindowTexts.Place.allCases {
            let label = labels[place] ?? makeLabel()
            labels[place] = label
            label.stringValue = texts.text(at: place) ?? ""
            label.isHidden = label.stringValue.isEmpty
            label.sizeToFit()
        }
        place()
    }

    private func makeLabel() -> NSTextField {
        let label = NSTextField(labelWithString: "")
        label.textColor = .white
        label.backgroundColor = .black
        label.drawsBackground = true
        view.addSubview(label)
        return label
    }

    /// Puts the texts where they belong.
    func place() {
        let bounds = view.bounds
        for (place, label) in labels {
            let size = label.frame
            let (x, y) = place.origin(
                of: (Double(size.width), Double(size.height)), in: (Double(bounds.width), Double(bounds.height)))
            label.frame = NSRect(x: x, y: y, width: Double(size.width), height: Double(size.height))
        }
    }

    func show(_ pointer: PointerOverlay.Local) {
        switch pointer {
        case .system: cursor = .arrow
        case .shape(let shape): cursor = makeCursor(shape) ?? .arrow
        case .hidden: cursor = makeCursor(.transparent) ?? .arrow
        }
        cursor.set()
    }

    private func makeCursor(_ shape: CursorShape) -> NSCursor? {
        let (width, height) = (shape.size.width, shape.size.height)
        let bitmap = NSBitmapImageRep(
            bitmapDataPlanes: nil, pixelsWide: width, pixelsHigh: height, bitsPerSample: 8, samplesPerPixel: 4,
            hasAlpha: true, isPlanar: false, colorSpaceName: .deviceRGB, bitmapFormat: .alphaNonpremultiplied,
            bytesPerRow: width * 4, bitsPerPixel: 32)
        guard let bitmap, let data = bitmap.bitmapData else { return nil }
        data.update(from: shape.rgba, count: width * height * 4)
        let scale = window.backingScaleFactor
        let size = CGSize(width: CGFloat(width) / scale, height: CGFloat(height) / scale)
        bitmap.size = size
        let image = NSImage(size: size)
        image.addRepresentation(bitmap)
        let spot = NSPoint(x: CGFloat(shape.hotspotX) / scale, y: CGFloat(shape.hotspotY) / scale)
        return NSCursor(image: image, hotSpot: spot)
    }
}
#endif
