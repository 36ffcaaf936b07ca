#if canImport(AppKit)
internal import AppKit
internal import Foundation
package import HelioAppleMedia
package import HelioCore
internal import QuartzCore

/// A window of AppKit, which shows pictures by Metal. Type-checked, not run.
///
/// Belongs to the main thread, as `FramePresenting` says: a call from another is a fault of the program, and stops it.
package final class AppleWindow: FramePresenting {
    package typealias Picture = DecompressedPicture<AppleBuffer>

    private let parts: AppleWindowParts

    private init(_ parts: AppleWindowParts) { self.parts = parts }

    static func open(title: String, options: WindowOptions) throws(HelioError) -> AppleWindow {
        guard let parts = MainActor.assumeIsolated({ AppleWindowParts(title: title, options: options) }) else {
            throw HelioError(.displayUnavailable, "This Mac has no Metal to show the screen with.")
        }
        return AppleWindow(parts)
    }

    /// Does something with the window's parts, on the main thread that it belongs to.
    private func onMain<Result: Sendable>(_ body: @MainActor (AppleWindowParts) -> Result) -> Result {
        let parts = parts
        return MainActor.assumeIsolated { body(parts) }
    }

    package var picture: Picture? { onMain { $0.model.presenter.picture } }

    package var refreshRate: Int? {
        onMain {
            $0.model.presenter.refreshes.rate ?? $0.window.screen.map(\.maximumFramesPerSecond)
        }
    }

    package var waker: @Sendable () -> Void {
        { DispatchQueue.main.async { MainActor.assumeIsolated { AppleWindowParts.postWake() } } }
    }

    package func wait(until: Instant?) throws(HelioError) -> [WindowEvent] {
        onMain { $0.wait(until: until) }
    }

    @discardableResult
    package func show(_ picture: Picture, damage: Region?) throws(HelioError) -> Instant {
        onMain { $0.model.show(picture, now: AppleClock.now) }
    }

    package func setTitle(_ title: String) { onMain { $0.window.title = title } }
    package func setWaitingText(_ text: String) { onMain { $0.model.setWaitingText(text) } }
    package func setMessage(_ text: String?) { onMain { $0.model.setMessage(text) } }
    package func setStatistics(_ lines: [String]?) { onMain { $0.model.setStatistics(lines) } }
    package func setControls(_ isOn: Bool) { onMain { $0.model.setControls(isOn) } }
    package func setCursorShape(_ shape: CursorShape?) {
        onMain { $0.model.setCursorShape(shape) }
    }
    package func setCursorPosition(_ position: (x: Int, y: Int)?) {
        onMain { $0.model.setCursorPosition(position) }
    }
}
#endif
