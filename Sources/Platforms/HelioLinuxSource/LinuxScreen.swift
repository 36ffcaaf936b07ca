package import HelioCore

/// The screen that `LinuxSource` captures, by one of the ways that are written. All share this type, as a
/// `SourcePlatform` has only one type of screen.
package final class LinuxScreen: ScreenCapturing {
    package typealias Picture = PlanarPicture

    enum Kind {
        case x11(X11ScreenCapture)
        case wlr(WlrScreenCapture)
        case desktop(DesktopScreenCapture)
    }

    let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    package var size: PixelSize {
        switch kind {
        case .x11(let screen): screen.size
        case .wlr(let screen): screen.size
        case .desktop(let screen): screen.size
        }
    }

    package var shownSize: PixelSize {
        switch kind {
        case .x11(let screen): screen.shownSize
        case .wlr(let screen): screen.shownSize
        case .desktop(let screen): screen.shownSize
        }
    }

    package var isOff: Bool {
        switch kind {
        case .x11(let screen): screen.isOff
        case .wlr(let screen): screen.isOff
        case .desktop(let screen): screen.isOff
        }
    }

    package func keepAwake(_ isWatched: Bool) {
        switch kind {
        case .x11(let screen): screen.keepAwake(isWatched)
        case .wlr(let screen): screen.keepAwake(isWatched)
        case .desktop(let screen): screen.keepAwake(isWatched)
        }
    }

    package var notes: [String] {
        switch kind {
        case .x11(let screen): screen.notes
        case .wlr(let screen): screen.notes
        case .desktop(let screen): screen.notes
        }
    }

    package var layout: MonitorLayout {
        switch kind {
        case .x11(let screen): screen.layout
        case .wlr(let screen): screen.layout
        case .desktop(let screen): screen.layout
        }
    }

    package func select(_ id: ScreenMonitor.ID) throws(HelioError) {
        switch kind {
        case .x11(let screen): try screen.select(id)
        case .wlr(let screen): try screen.select(id)
        case .desktop(let screen): try screen.select(id)
        }
    }

    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        switch kind {
        case .x11(let screen): try screen.waitForChange(until: until)
        case .wlr(let screen): try screen.waitForChange(until: until)
        case .desktop(let screen): try screen.waitForChange(until: until)
        }
    }

    package func capture(into picture: PlanarPicture, everything: Bool) throws(HelioError) -> Captured? {
        switch kind {
        case .x11(let screen): try screen.capture(into: picture, everything: everything)
        case .wlr(let screen): try screen.capture(into: picture, everything: everything)
        case .desktop(let screen): try screen.capture(into: picture, everything: everything)
        }
    }

    package var fillsFurtherPictures: Bool { true }

    package func capture(_ part: Region, into picture: PlanarPicture) throws(HelioError) -> Captured? {
        switch kind {
        case .x11(let screen): try screen.capture(part, into: picture)
        case .wlr(let screen): try screen.capture(part, into: picture)
        case .desktop(let screen): try screen.capture(part, into: picture)
        }
    }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> PlanarPicture {
        try PlanarPicture(size: size, of: self.size, chroma: chroma, color: color)
    }

    package func draw(_ pointer: DrawnPointer?) {
        switch kind {
        case .x11(let screen): screen.draw(pointer)
        case .wlr(let screen): screen.draw(pointer)
        case .desktop(let screen): screen.draw(pointer)
        }
    }

    package var waker: @Sendable () -> Void {
        switch kind {
        case .x11(let screen): screen.waker
        case .wlr(let screen): screen.waker
        case .desktop(let screen): screen.waker
        }
    }
}

/// The pointer of a `LinuxScreen`.
package final class LinuxCursor: CursorSource {
    private enum Kind {
        case x11(X11CursorSource)
        case wlr(WlrCursorSource)
        case desktop(DesktopCursorSource)
    }

    private let kind: Kind

    init(on screen: LinuxScreen) throws(HelioError) {
        switch screen.kind {
        case .x11(let capture): kind = .x11(try X11CursorSource(capture))
        case .wlr(let capture): kind = .wlr(WlrCursorSource(capture))
        case .desktop(let capture): kind = .desktop(DesktopCursorSource(capture))
        }
    }

    package func takeShape() throws(HelioError) -> CursorShape? {
        switch kind {
        case .x11(let cursor): try cursor.takeShape()
        case .wlr(let cursor): cursor.takeShape()
        case .desktop(let cursor): cursor.takeShape()
        }
    }

    package func takePosition() throws(HelioError) -> (x: Int, y: Int)? {
        switch kind {
        case .x11(let cursor): try cursor.takePosition()
        case .wlr(let cursor): cursor.takePosition()
        case .desktop(let cursor): cursor.takePosition()
        }
    }

    package var isOnScreen: Bool {
        switch kind {
        case .x11(let cursor): cursor.isOnScreen
        case .wlr(let cursor): cursor.isOnScreen
        case .desktop(let cursor): cursor.isOnScreen
        }
    }
}
