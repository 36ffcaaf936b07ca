#if canImport(AppKit)
internal import AppKit
internal import QuartzCore

/// The view whose backing layer is a surface's, and which has the pointer's look. It lies below the labels in the view
/// that takes the events: AppKit allows no subviews in a view that was given a layer. It is only type-checked; no test
/// runs it.
final class AppleLayerView: NSView {
    private let surfaceLayer: CALayer

    /// The pointer's look over the view. AppKit applies it itself, and would put its arrow in the place of one that was
    /// set at any other time.
    var cursor = NSCursor.arrow {
        didSet { window?.invalidateCursorRects(for: self) }
    }

    init(_ surface: AppleSurface) {
        surfaceLayer = surface.layer
        super.init(frame: .zero)
        wantsLayer = true
    }

    required init?(coder: NSCoder) { nil }

    override func makeBackingLayer() -> CALayer { surfaceLayer }
    override func resetCursorRects() { addCursorRect(bounds, cursor: cursor) }
    /// Leaves all events to the view around it.
    override func hitTest(_ point: NSPoint) -> NSView? { nil }
}
#endif
