import Foundation
import HelioCore
import HelioMedia

@testable import HelioPicture

/// A ladder, a changing screen, and an encoder that meets its bitrate by its quantiser.
struct LadderWorld {
    struct Event {
        var at: Duration
        var step: LadderStep
        var isResize: Bool
    }

    private static let start = Instant.zero + .seconds(1000)

    var ladder: AdaptationLadder
    var rate: Bitrate { didSet { ladder.setRate(rate, now: now) } }
    var content = ContentKind.motion
    /// The bits per pixel at quantiser 38 and 60 pictures a second, of fast motion in preset ultrafast.
    var cost = 0.06
    /// The number of changes a second on the screen.
    var changes = 60
    /// The lowest quantiser of live pictures.
    var finest = 22
    var tellsQuantiser = true
    /// The time in seconds that capturing and encoding a pixel takes.
    var pixelTime = 0.0
    /// The share of the screen that changes.
    var share = 1.0
    private(set) var events: [Event] = []
    private(set) var now = LadderWorld.start

    init(_ size: PixelSize = PixelSize(width: 1920, height: 1080), _ framesPerSecond: Int = 60, rate: Bitrate) {
        ladder = AdaptationLadder(size: size, framesPerSecond: framesPerSecond, rate: rate)
        self.rate = rate
    }

    var name: String { ladder.rung.description }
    var elapsed: Duration { now - Self.start }
    var names: [String] { events.map(\.step.rung.description) }

    /// The bits per second that a rung needs at quantiser 38.
    func need(_ rung: LadderRung) -> Double {
        let frames = Double(min(changes, rung.framesPerSecond))
        return cost * Double(rung.size.area) * frames * pow(60 / frames, 0.25)
    }

    mutating func run(_ duration: Duration, each: (inout LadderWorld) -> Void = { _ in }) {
        let end = now + duration
        while now < end {
            each(&self)
            let before = ladder.rung
            let frames = min(changes, before.framesPerSecond)
            let work = Duration.seconds(pixelTime * Double(before.size.area))
            now = now + max(.nanoseconds(1_000_000_000 / Int64(frames)), work)
            let needed = need(before) / Double(frames)
            let given = Double(rate.bitsPerSecond) / Double(frames)
            let quantiser = min(51, max(finest, 38 + Int((6 * log2(needed / given)).rounded(.up))))
            let bits = Int(needed * exp2(Double(38 - quantiser) / 6))
            ladder.take(
                bits: bits, quantiser: tellsQuantiser ? quantiser : nil,
                changed: Int(Double(before.size.area) * share), work: work, content: content, now: now)
            poll()
        }
    }

    /// Advances the time without changes on the screen.
    mutating func rest(_ duration: Duration) {
        let end = now + duration
        poll()
        while let due = ladder.restDeadline?.at, due <= end {
            now = max(now, due)
            let before = ladder.rung
            note(ladder.pollRest(now: now), before)
        }
        now = end
        poll()
    }

    mutating func poll() {
        let before = ladder.rung
        note(ladder.poll(now: now), before)
    }

    private mutating func note(_ step: LadderStep?, _ before: LadderRung) {
        guard let step else { return }
        events.append(Event(at: elapsed, step: step, isResize: step.rung.size != before.size))
    }

    mutating func takeEvents() -> [Event] {
        defer { events = [] }
        return events
    }
}
