package import HelioCore
import HelioGround
import HelioPatch

/// A test screen that needs no X server: a light bar moves to the right over a dark background, and the top rows show
/// the picture's number. It is for tests, and for users who check whether pictures arrive.
///
/// The number is a row of 16 cells, the highest bit first. Each cell has a bright and a dark half, and is 1 if the
/// bright half is on the left. So the mean luma, 79.6, is the same in all pictures, and a program can read the number
/// at any size at which a human can.
package final class SyntheticScreen: ScreenCapturing {
    package typealias Picture = PlanarPicture

    /// Grey values of full range, as in X pixels; the comments give the luma in limited-range BT.709.
    private enum Grey {
        /// Luma 64.
        static let ground: UInt8 = 56
        /// Luma 220.
        static let bar: UInt8 = 238
        /// Luma 16.
        static let dark: UInt8 = 0
        /// Luma 143.
        static let bright: UInt8 = 148
    }

    /// The number of bits of the picture's number, which wraps around.
    package static let numberBits = 16

    package let size: PixelSize
    package let notes: [String] = []
    package let layout: MonitorLayout
    private let interval: Duration
    private let began: Instant
    private let wakeup: Wakeup
    private let pixels: UnsafeMutablePointer<UInt8>
    private var told: Int64 = -1
    private var drawn: Int64 = -1

    /// Makes a screen. Throws `invalidArgument` if a side is odd, or the size is not within 128x64 to 8192x8192 pixels.
    package init(size: PixelSize, framesPerSecond: Int) throws(HelioError) {
        guard size.width >= 128, size.height >= 64, size.width <= 8192, size.height <= 8192, size.width % 2 == 0,
            size.height % 2 == 0
        else {
            throw HelioError(.invalidArgument, "A test picture is even and of 128x64 to 8192x8192 pixels, not \(size)")
        }
        wakeup = try Wakeup()
        self.size = size
        let monitor = ScreenMonitor(id: "test", name: "test picture", rect: PixelRect(size), isPrimary: true)
        layout = MonitorLayout([monitor], selected: monitor)
        interval = .nanoseconds(1_000_000_000 / Int64(max(1, framesPerSecond)))
        began = MonotonicClock.now
        pixels = .allocate(capacity: size.area * 4)
        pixels.initialize(repeating: 0, count: size.area * 4)
    }

    deinit { pixels.deallocate() }

    /// Returns the number of a picture that is captured at `now`.
    private func number(_ now: Instant) -> Int64 { (now - began).nanoseconds / interval.nanoseconds }

    package func waitForChange(until: Instant?) throws(HelioError) -> CaptureEvent {
        while true {
            if wakeup.take() { return .woken }
            let now = MonotonicClock.now
            let current = number(now)
            if current > told {
                told = current
                return .changed(at: began + .nanoseconds(current * interval.nanoseconds))
            }
            if let until, until <= now { return .timeout }
            let next = began + .nanoseconds((current + 1) * interval.nanoseconds)
            wakeup.wait(alongside: -1, until: min(next, until ?? next))
        }
    }

    package func capture(into picture: PlanarPicture, everything: Bool) throws(HelioError) -> Captured? {
        let captured = MonotonicClock.now
        let current = number(captured)
        if everything { picture.markAllChanged() }
        guard everything || current != drawn else { return nil }
        draw(current)
        drawn = current
        told = max(told, current)
        let whole = PixelRect(picture.size)
        let source = picture.scaler?.source(of: whole) ?? whole
        picture.take(pixels + (source.y * size.width + source.x) * 4, stride: size.width * 4, to: whole)
        return Captured(damage: picture.blocks.changedRegion, captured: captured, converted: MonotonicClock.now)
    }

    package var fillsFurtherPictures: Bool { true }

    package func capture(_: Region, into picture: PlanarPicture) -> Captured? {
        let captured = MonotonicClock.now
        let whole = PixelRect(picture.size)
        let source = picture.scaler?.source(of: whole) ?? whole
        picture.take(pixels + (source.y * size.width + source.x) * 4, stride: size.width * 4, to: whole)
        return Captured(damage: picture.blocks.changedRegion, captured: captured, converted: MonotonicClock.now)
    }

    /// Accepts the ID of the only monitor, without any effect. Throws if `id` is another one.
    package func select(_ id: ScreenMonitor.ID) throws(HelioError) { _ = try layout.monitor(id) }

    package func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> PlanarPicture {
        try PlanarPicture(size: size, of: self.size, chroma: chroma, color: color)
    }

    package var waker: @Sendable () -> Void {
        { [wakeup] in wakeup.signal() }
    }

    private func draw(_ number: Int64) {
        let strip = size.height / 8
        fill(PixelRect(x: 0, y: strip, width: size.width, height: size.height - strip), Grey.ground)
        let bar = size.width / 10
        let start = Int(number * Int64(size.width / 80) % Int64(size.width - bar))
        fill(PixelRect(x: start, y: strip, width: bar, height: size.height - strip), Grey.bar)
        let halves = Self.numberBits * 2
        for half in 0..<halves {
            let isOne = number >> (Self.numberBits - 1 - half / 2) & 1 == 1
            let from = half * size.width / halves
            let to = (half + 1) * size.width / halves
            fill(
                PixelRect(x: from, y: 0, width: to - from, height: strip),
                isOne == (half % 2 == 0) ? Grey.bright : Grey.dark)
        }
    }

    /// Fills a rectangle: the first row by bytes, the others as copies of it.
    private func fill(_ rect: PixelRect, _ grey: UInt8) {
        guard rect.width > 0, rect.height > 0 else { return }
        let first = pixels + (rect.y * size.width + rect.x) * 4
        first.update(repeating: grey, count: rect.width * 4)
        for row in 1..<rect.height { (first + row * size.width * 4).update(from: first, count: rect.width * 4) }
    }
}
