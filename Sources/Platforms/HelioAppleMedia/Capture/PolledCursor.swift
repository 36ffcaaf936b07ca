package import HelioCore

/// The pointer of a system that reports no changes. The position is queried at each call, but the shape at most 20
/// times per second, because the system has to draw its image.
package final class PolledCursor<Reader: CursorReading>: CursorSource {
    private static var interval: Duration { .milliseconds(50) }

    private let reader: Reader
    private let monitor: () -> ScreenMonitor
    private let clock: () -> Instant
    private var nextLook: Instant?
    private var lastShape: (image: CursorImage, scale: Double)?
    private var last: (x: Int, y: Int)?

    /// - Parameter monitor: returns the monitor that is being captured.
    package init(_ reader: Reader, monitor: @escaping () -> ScreenMonitor, clock: @escaping () -> Instant) {
        self.reader = reader
        self.monitor = monitor
        self.clock = clock
    }

    package var isOnScreen: Bool { last != nil }

    package func takeShape() throws(HelioError) -> CursorShape? {
        let now = clock()
        if let nextLook, now < nextLook { return nil }
        nextLook = now + Self.interval
        guard let image = reader.image() else { return nil }
        let scale = monitor().scale
        if let lastShape, lastShape == (image, scale) { return nil }
        lastShape = (image, scale)
        return image.shape(monitorScale: scale)
    }

    package func takePosition() throws(HelioError) -> (x: Int, y: Int)? {
        let monitor = monitor()
        let place = reader.place.flatMap { monitor.pixel(of: $0) }
        defer { last = place }
        guard let place else { return nil }
        if let last, last == place { return nil }
        return place
    }
}

extension ScreenMonitor {
    /// Returns the monitor's pixel at a point of the desktop; `nil` if the point is not on the monitor.
    package func pixel(of place: DesktopPoint) -> (x: Int, y: Int)? {
        let x = (place.x * scale).rounded(.down) - Double(rect.x)
        let y = (place.y * scale).rounded(.down) - Double(rect.y)
        guard x >= 0, y >= 0, x < Double(rect.width), y < Double(rect.height) else { return nil }
        return (Int(x), Int(y))
    }
}
