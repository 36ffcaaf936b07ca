import HelioCore

@testable import HelioLinuxSource

/// A screen with a film on virtual time: 30 pictures a second, each completely different.
final class FilmScreen: ScreenCapturing {
    static let size = PixelSize(width: 640, height: 480)
    private static let interval = Duration.nanoseconds(1_000_000_000 / 30)
    private static let sceneCount = 8
    /// The side of a uniform grey block in pixels: so small that scaling the picture down removes detail.
    private static let block = 2

    var size: PixelSize { Self.size }
    let notes: [String] = []
    let layout: MonitorLayout
    let waker: @Sendable () -> Void = {}
    private(set) var now = Instant.zero + .seconds(100)
    /// When the film ends.
    let end: Instant
    private let isOver: () -> Void
    /// The pictures in BGRX, shown in turn.
    private let scenes: [[UInt8]]
    private var shown = 0
    private var taken: Int?
    private var next: Instant

    /// - Parameter isOver: called once the film has ended.
    init(lasting time: Duration, isOver: @escaping () -> Void) {
        let monitor = ScreenMonitor(id: "1", name: "1", rect: PixelRect(Self.size), isPrimary: true)
        layout = MonitorLayout([monitor], selected: monitor)
        end = now + time
        next = now + Self.interval
        self.isOver = isOver
        var generator = SeededGenerator(seed: 1)
        scenes = (0..<Self.sceneCount).map { _ in Self.scene(&generator) }
    }

    private static func scene(_ generator: inout SeededGenerator) -> [UInt8] {
        var scene: [UInt8] = []
        for _ in 0..<size.height / block {
            var line: [UInt8] = []
            for _ in 0..<size.width / block {
                line += repeatElement(UInt8.random(in: 64...192, using: &generator), count: block * 4)
            }
            for _ in 0..<block { scene += line }
        }
        return scene
    }

    func waitForChange(until: Instant?) -> CaptureEvent {
        if let until, until < next {
            now = max(now, until)
            return .timeout
        }
        now = next
        next = now + Self.interval
        shown += 1
        if now >= end {
            isOver()
            return .woken
        }
        return .changed(at: now)
    }

    func capture(into picture: PlanarPicture, everything: Bool) -> Captured? {
        if everything { picture.markAllChanged() }
        guard everything || taken != shown else { return nil }
        taken = shown
        scenes[shown % Self.sceneCount].withUnsafeBufferPointer { pixels in
            guard let first = pixels.baseAddress else { return }
            picture.take(first, stride: size.width * 4, to: PixelRect(picture.size))
        }
        return Captured(damage: Region(PixelRect(picture.size)), captured: now, converted: now)
    }

    func select(_ id: ScreenMonitor.ID) {}

    func makePicture(
        size: PixelSize, chroma: ChromaSampling, color: ColorDescription
    ) throws(HelioError) -> PlanarPicture {
        try PlanarPicture(size: size, of: self.size, chroma: chroma, color: color)
    }
}
