private import Dispatch
package import HelioAppleMedia
package import HelioCore
private import HelioGround

/// A window, or a view of an app, that shows pictures by Metal. It is only type-checked; no test runs it.
///
/// The window is used on the main thread, as `FramePresenting` requires: a call on another thread is a programming
/// error, and traps.
package final class AppleWindow: FramePresenting {
    package typealias Picture = DecompressedPicture<AppleBuffer>

    private let place: any AppleWindowPlace

    private init(_ place: any AppleWindowPlace) { self.place = place }

    /// Opens a window, or prepares `view`. Throws `displayUnavailable` if Metal is not available, or if `view` is `nil`
    /// on iOS.
    static func open(
        title: String, options: WindowOptions, in view: ApplePictureView?
    ) throws(HelioError) -> AppleWindow {
        let place = MainActor.assumeIsolated { () -> (any AppleWindowPlace)? in
            if let view { return view.open(options) }
            return makeWindow(title: title, options: options)
        }
        guard let place else {
            throw HelioError(.displayUnavailable, "There is no Metal to show the screen with here.")
        }
        return AppleWindow(place)
    }

    #if canImport(AppKit)
    @MainActor
    private static func makeWindow(title: String, options: WindowOptions) -> (any AppleWindowPlace)? {
        AppleWindowParts(title: title, options: options)
    }
    #else
    /// Returns `nil`, as only the app can open windows on iOS.
    @MainActor
    private static func makeWindow(title: String, options: WindowOptions) -> (any AppleWindowPlace)? { nil }
    #endif

    /// Calls `body` with the place, which is isolated to the main thread; traps on any other thread.
    private func onMain<Result: Sendable>(_ body: @MainActor (any AppleWindowPlace) -> Result) -> Result {
        let place = place
        return MainActor.assumeIsolated { body(place) }
    }

    package var picture: Picture? { onMain { $0.model.presenter.picture } }
    package var refreshRate: Int? { onMain { $0.model.presenter.refreshes.rate ?? $0.screenRate } }

    package var waker: @Sendable () -> Void {
        { [place] in DispatchQueue.main.async { MainActor.assumeIsolated { place.wake() } } }
    }

    package func wait(until: Instant?) throws(HelioError) -> [WindowEvent] { onMain { $0.wait(until: until) } }

    @discardableResult
    package func show(_ picture: Picture, damage: Region?) throws(HelioError) -> Instant {
        onMain { $0.model.show(picture, now: MonotonicClock.now) }
    }

    package func setTitle(_ title: String) { onMain { $0.setTitle(title) } }
    package func setScaleMode(_ mode: ScaleMode) { onMain { $0.model.presenter.setMode(mode) } }
    package func setWaitingText(_ text: String) { onMain { $0.model.setWaitingText(text) } }
    package func setMessage(_ text: String?) { onMain { $0.model.setMessage(text) } }
    package func setStatistics(_ lines: [String]?) { onMain { $0.model.setStatistics(lines) } }
    package func setControls(_ isOn: Bool) { onMain { $0.model.setControls(isOn) } }
    package func setCursorShape(_ shape: CursorShape?) { onMain { $0.model.setCursorShape(shape) } }
    package func setCursorPosition(_ position: (x: Int, y: Int)?) { onMain { $0.model.setCursorPosition(position) } }
}
