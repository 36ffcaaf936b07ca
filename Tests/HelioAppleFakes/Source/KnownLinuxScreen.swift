#if canImport(HelioLinuxSource)
import Foundation
package import HelioCore
import HelioGround
package import HelioLinuxSource
import HelioPatch

/// A panel as a Linux screen: each change covers the whole screen, and is converted like X11 pixels.
///
/// `@unchecked Sendable`: state shared between threads is accessed with the condition locked.
package final class KnownLinuxScreen: ScreenCapturing, @unchecked Sendable {
    package let notes: [String] = []
    package private(set) var layout: MonitorLayout
    private let panel: FakePanel
    private let condition = NSCondition()
    private var hasChanged = true
    private var isWoken = false
    private var drawn: KnownPicture?

    init(_ panel: FakePanel) {
        self.panel = panel
        layout = Self.layout(of: panel)
        panel.listen { [weak self] _ in self?.ring { $0.hasChanged = true } }
    }

    package var size: PixelSize { layout.selected.rect.size }

    package var waker: @Sendable () -> Void {
        { [self] in ring { $0.isWoken = true } }
    }

    package func select(_ id: ScreenMonitor.ID) throws(HelioError) { _ = try layout.monitor(id) }

    package func waitForChange(until: Instant?) -> CaptureEvent {
        condition.withLock {
            while true {
                if panel.size != size {
                    layout = Self.layout(of: panel)
                    return .layoutChanged
                }
                let now = MonotonicClock.now
                if isWoken {
                    isWoken = false
                    return .woken
                }
                if hasChanged {
                    hasChanged = false
                    return .changed(at: now)
                }
                guard let until else {
                    condition.wait()
                    continue
                }
                if until <= now { return .timeout }
                _ = condition.wait(until: Date(timeIntervalSinceNow: Double((until - now).nanoseconds) / 1e9))
            }
        }
    }

    package func capture(into picture: PlanarPicture, everything: Bool) -> Captured? {
        let shown = KnownPicture(picture.size, number: panel.number)
        if panel.size != size || !everything && shown == drawn { return nil }
        let captured = MonotonicClock.now
        drawn = shown
        if everything { picture.markAllChanged() }
        let pixels = panel.pictures.bgra(shown)
        picture.convert(pixels.first, stride: pixels.firstStride, to: PixelRect(picture.size))
        return Captured(
            damage: picture.blocks.changedRegion, captured: captured, converted: MonotonicClock.now)
    }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> PlanarPicture {
        try PlanarPicture(size: size, chroma: chroma, color: color)
    }

    private func ring(_ body: (KnownLinuxScreen) -> Void) {
        condition.withLock {
            body(self)
            condition.broadcast()
        }
    }

    private static func layout(of panel: FakePanel) -> MonitorLayout {
        let monitor = ScreenMonitor(id: "panel", name: "panel", rect: PixelRect(panel.size), isPrimary: true)
        return MonitorLayout([monitor], selected: monitor)
    }
}
#endif
