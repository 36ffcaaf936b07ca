package import HelioCore

/// A test screen: a light bar moves to the right over a dark background, and the top rows show the picture's number.
/// The number is a row of 16 cells, each with a bright and a dark half; a cell is 1 if the bright half is on the left.
package final class NumberedScreen<Painter: TestPicturePainting>: ScreenCapturing {
    package typealias Picture = HeldPicture<Painter.Buffer>

    package let size: PixelSize
    package let notes: [String] = []
    package let layout: MonitorLayout
    private let painter: Painter
    private let waiter: any CaptureWaiting
    private let interval: Duration
    private let began: Instant
    private let wake = WakeFlag()
    private var told: Int64 = -1
    private var drawn: Int64 = -1

    /// Makes a screen. Throws `invalidArgument` if a side is odd, or the size is not within 128x64 to 8192x8192 pixels.
    package init(
        size: PixelSize, framesPerSecond: Int, painter: Painter, waiter: any CaptureWaiting
    ) throws(HelioError) {
        guard size.width >= 128, size.height >= 64, size.width <= 8192, size.height <= 8192, size.width % 2 == 0,
            size.height % 2 == 0
        else {
            throw HelioError(.invalidArgument, "A test picture is even and of 128x64 to 8192x8192 pixels, not \(size)")
        }
        self.size = size
        self.painter = painter
        self.waiter = waiter
        let monitor = ScreenMonitor(id: "test", name: "test picture", rect: PixelRect(size), isPrimary: true)
        layout = MonitorLayout([monitor], selected: monitor)
        interval = .nanoseconds(1_000_000_000 / Int64(min(240, max(1, framesPerSecond))))
        began = waiter.now
    }

    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        while true {
            if wake.take() { return .woken }
            let now = waiter.now
            let current = number(now)
            if current > told {
                told = current
                return .changed(at: began + interval * Int(current))
            }
            if let until, until <= now { return .timeout }
            let next = began + interval * Int(current + 1)
            waiter.wait(until: min(next, until ?? next))
        }
    }

    package func capture(into picture: Picture, everything: Bool) throws(HelioError) -> Captured? {
        let captured = waiter.now
        let current = number(captured)
        guard everything || current != drawn else { return nil }
        guard let buffer = painter.paint(Self.parts(current, size: picture.size), size: picture.size) else {
            throw HelioError(.captureFailed, "There is no memory for a picture of \(picture.size).")
        }
        drawn = current
        told = max(told, current)
        picture.buffer = buffer
        return Captured(damage: Region(PixelRect(picture.size)), captured: captured, converted: waiter.now)
    }

    /// Throws if `id` is not the ID of the only monitor, which is always selected.
    package func select(_ id: ScreenMonitor.ID) throws(HelioError) { _ = try layout.monitor(id) }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> Picture {
        HeldPicture(size: size, chroma: chroma, color: color)
    }

    package var waker: @Sendable () -> Void {
        { [wake, waiter] in
            wake.set()
            waiter.signal()
        }
    }

    private func number(_ now: Instant) -> Int64 { (now - began).nanoseconds / interval.nanoseconds }

    /// Returns the rectangles of picture number `number`, from back to front.
    package static func parts(_ number: Int64, size: PixelSize) -> [TestPicturePart] {
        let strip = size.height / 8
        let below = size.height - strip
        let bar = max(1, size.width / 10)
        let start = Int(number * Int64(max(1, size.width / 80)) % Int64(max(1, size.width - bar)))
        var parts = [
            TestPicturePart(rect: PixelRect(x: 0, y: strip, width: size.width, height: below), luma: 64),
            TestPicturePart(rect: PixelRect(x: start, y: strip, width: bar, height: below), luma: 220),
        ]
        for half in 0..<32 {
            let from = half * size.width / 32
            let isOne = number >> Int64(15 - half / 2) & 1 == 1
            let rect = PixelRect(x: from, y: 0, width: (half + 1) * size.width / 32 - from, height: strip)
            parts.append(TestPicturePart(rect: rect, luma: isOne == (half % 2 == 0) ? 143 : 16))
        }
        return parts
    }
}
