import Foundation
import HelioCore
import HelioMedia
import HelioPlayout
import HelioSession
import Testing

/// Continuous sound from the host's capture to a viewer's output, through networks that lose, delay and duplicate
/// datagrams and go down. `TurmoilTests` covers sessions that break.
@Suite("Sound through sessions on bad networks")
struct SoundNetworkTests {
    /// The number of seeds; `HELIO_SOUND_SESSION_RUNS=1000` runs more, `HELIO_SESSION_SEED` only one.
    static let runs = ProcessInfo.processInfo.environment["HELIO_SOUND_SESSION_RUNS"].flatMap(Int.init) ?? 60
    static let seed = ProcessInfo.processInfo.environment["HELIO_SESSION_SEED"].flatMap(Int.init)

    /// The most delay that a playout may add to the path's, once the network was stable for three seconds: redundant
    /// packets are up to 60 ms old, and arrive with the network's jitter (30 ms at most); a render requests 20 ms; and
    /// time stretching starts at a deviation of 8 ms.
    private static let mostDelay = Duration.milliseconds(60 + 30 + 20 + 8)
    /// The duration of a packet in the sparsest encode.
    private static let packet = Duration.milliseconds(20)

    @Test("in each seeded run each listener hears the host, in time, and nothing piles up", arguments: 0..<4)
    func runs(part: Int) throws {
        for seed in Self.seed.map({ $0..<$0 + 1 }) ?? 0..<Self.runs where seed % 4 == part { try run(seed) }
    }

    private func run(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed) &* 131 &+ 17)
        let origins: Set<SoundOrigin> = seed % 3 == 0 ? [.system, .microphone] : [.system]
        let world = NetworkWorld(seed: UInt64(seed), sound: origins, soundSpacing: 0)
        world.framesPerSecond = 4
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            var conditions = NetworkConditions()
            conditions.oneWay = .microseconds(Int.random(in: 100...60_000, using: &random))
            if Bool.random(using: &random) { conditions.jitter = .milliseconds(Int.random(in: 0...30, using: &random)) }
            if Bool.random(using: &random) { conditions.loss = random.unit() * 0.1 }
            if Int.random(in: 0..<4, using: &random) == 0 { conditions.duplicate = random.unit() * 0.2 }
            let viewer = world.addViewer(conditions, sound: Bool.random(using: &random) ? [.pcm, .opus] : [.opus])
            viewer.hasLoudspeakers = true
            viewer.start(world)
            // Each link admits one viewer.
            try world.run(for: .seconds(2))
        }
        let losses = world.viewers.map(\.conditions.loss)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            try cause(Int.random(in: 0..<5, using: &random), &random, world)
            try world.run(for: .milliseconds(Int.random(in: 20...600, using: &random)))
        }
        for (viewer, loss) in zip(world.viewers, losses) {
            viewer.conditions.isUp = true
            viewer.conditions.loss = loss
            if viewer.isPaused { viewer.setPaused(false, world) }
            if !viewer.listens { viewer.listen(true, world) }
        }
        try world.run(for: .seconds(3))
        for viewer in world.viewers {
            viewer.heard = [:]
            for speaker in viewer.loudspeakers.values { speaker.measureAnew() }
        }
        try world.run(for: .seconds(1))
        for viewer in world.viewers { judge(viewer, of: origins, "seed \(seed), viewer \(viewer.number)") }
    }

    private func cause(_ incident: Int, _ random: inout SeededGenerator, _ world: NetworkWorld) throws {
        let viewer = world.viewers[Int.random(in: 0..<world.viewers.count, using: &random)]
        switch incident {
        case 0:
            viewer.conditions.isUp = false
            try world.run(for: .milliseconds(Int.random(in: 20...900, using: &random)))
            viewer.conditions.isUp = true
        case 1: viewer.conditions.loss = random.unit() * 0.5
        case 2: viewer.listen(!viewer.listens, world)
        case 3: viewer.setPaused(!viewer.isPaused, world)
        // The keyframe after a change is a burst; sound must not wait behind it.
        default: world.change(to: VideoFormat(codec: .h264, size: PixelSize(width: 64, height: 64)))
        }
    }

    private func judge(_ viewer: RoamingViewer, of origins: Set<SoundOrigin>, _ who: String) {
        #expect(viewer.isPlaying && viewer.sessions == 1, "\(who): \(viewer.over as Any)")
        let conditions = viewer.conditions
        let longest = conditions.oneWay + conditions.jitter
        for origin in origins.sorted(by: { $0.rawValue < $1.rawValue }) {
            let who = "\(who), \(origin), \(conditions)"
            guard let heard = viewer.heard[origin], let speaker = viewer.loudspeakers[origin] else {
                Issue.record("\(who): nothing came")
                continue
            }
            #expect(heard.wrong == 0 && heard.twice == 0, "\(who)")
            // In transit, sound waits for nothing: neither for pictures nor for the order of packets.
            if viewer.transport == .udp {
                let slowest = heard.delays.max() ?? .zero
                #expect(slowest <= longest + .milliseconds(1), "\(who): \(slowest)")
            }
            // Losses that redundancy doesn't recover are concealed; no more is missing than the lost packets.
            let account = heard.account
            let most = Double(account.frames) * (conditions.loss * 1.5 + 0.02) + 1920
            #expect(Double(account.missing) <= most, "\(who): \(account)")
            #expect(account.frames > 40_000, "\(who): \(account)")
            #expect(Double(speaker.heard) >= Double(speaker.asked) * 0.95, "\(who): \(speaker.heard)")
            // In time, by the source's clock.
            #expect(
                speaker.oldest > .zero && speaker.oldest <= longest + Self.packet + Self.mostDelay,
                "\(who): \(speaker.oldest), \(speaker.playout.statistics)")
            #expect(
                speaker.playout.statistics.delay <= Self.mostDelay.milliseconds, "\(who): \(speaker.playout.statistics)"
            )
            #expect(speaker.playout.drops[.overflow] == 0, "\(who): \(speaker.playout.drops)")
        }
    }
}
