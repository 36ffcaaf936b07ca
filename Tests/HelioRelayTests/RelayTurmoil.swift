import HelioCore
import HelioRelay
import HelioRelayWire

/// A seeded run of both ends: pictures of all sizes, an app that is slow, hangs, dies and restarts, and connections
/// that break at any byte. Afterwards the conditions are good, and the relay has to work.
struct RelayTurmoil: ~Copyable {
    private(set) var faults: [String] = []
    private(set) var story: [String] = []
    private var world: RelayWorld
    private var random: SeededGenerator
    private var settings = ExtensionRelaySettings()

    /// The number of pictures whose first slice was passed.
    private var offered = 0
    private var number = 0
    private var needsKeyframe = true
    /// The number of wishes so far; each has a different bitrate, equal to its number.
    private var wished: UInt32 = 0
    /// The last picture of the present extension that the app could decode.
    private var decoded: Int?
    private(set) var received = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed &* 0x9E37_79B9 &+ 1)
        settings.pictureBytes = [2000, 8000, 40_000][Int(seed % 3)]
        settings.soundBytes = [500, 3000][Int(seed % 2)]
        world = RelayWorld(settings: settings, seed: seed)
    }

    mutating func run() {
        for _ in 0..<120 {
            step()
            check()
        }
        calm()
    }

    private mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<45: givePicture()
        case 45..<55: giveSound()
        case 55..<80: pass(.milliseconds(Int64.random(in: 1...60, using: &random)))
        case 80..<82: pass(.milliseconds(Int64.random(in: 100...1500, using: &random)))
        case 82..<87:
            let rate = [nil, 0, 500, 20_000, 300_000][Int.random(in: 0..<5, using: &random)]
            note("reads \(rate.map(String.init) ?? "all")")
            world.readRate = rate
        case 87..<89:
            world.room = Int.random(in: 1...9000, using: &random)
            note("room \(world.room)")
        case 89..<93:
            let count = Int.random(in: 0...3000, using: &random)
            note("cut after \(count)")
            world.cut(after: count)
        case 93..<95:
            note("app dies")
            world.killApp(after: Int.random(in: 0...500, using: &random))
        case 95..<97:
            note("app listens")
            world.listens = true
            world.appLives = true
        case 97:
            note("app stands still")
            world.appLives = false
        case 98:
            world.giveApp(.requestKeyframe)
            wished += 1
            world.giveApp(.wish(RelayWish(bitrate: wished)))
        default:
            let format = RelayFormat(
                codec: .h264, size: PixelSize(width: 720, height: 1280),
                quarterTurns: UInt8.random(in: 0...3, using: &random))
            world.give(.format(format))
        }
    }

    private mutating func givePicture() {
        if needsKeyframe { note("keyframe \(number)") }
        let count = Int.random(in: 0..<4, using: &random) == 0 ? Int.random(in: 2...4, using: &random) : 1
        // An encoder sometimes fails within a picture, or ignores the request.
        let isKeyframe = needsKeyframe && Int.random(in: 0..<8, using: &random) > 0
        offered += 1
        for slice in 0..<count {
            if slice > 0, Int.random(in: 0..<40, using: &random) == 0 { break }
            world.give(
                .slice(
                    TestPicture.slice(
                        number, slice: slice, of: count, isKeyframe: isKeyframe, captured: world.now,
                        padding: Int.random(in: 0...1500, using: &random))))
        }
        if isKeyframe { needsKeyframe = false }
        number += 1
    }

    private mutating func giveSound() {
        world.give(
            .sound(
                RelaySound(
                    origin: Bool.random(using: &random) ? .system : .microphone, codec: .opus, format: .standard,
                    captured: world.now, payload: [UInt8](repeating: 1, count: Int.random(in: 1...400, using: &random)))
            ))
    }

    private mutating func pass(_ duration: Duration) { world.run(duration) }

    private mutating func note(_ what: String) { story.append("\(world.now.nanoseconds / 1_000_000) \(what)") }

    private mutating func fault(_ what: String) { faults.append("\(world.now.nanoseconds / 1_000_000) \(what)") }

    private mutating func check() {
        for event in world.takeSourceEvents() {
            switch event {
            case .keyframeNeeded: needsKeyframe = true
            case .connected, .lost: break
            case .wish(let wish): if wish.bitrate.map({ $0 > wished }) ?? true { fault("a wish of nobody") }
            case .stopped(let reason): fault("stopped: \(reason)")
            }
        }
        for event in world.takeAppEvents() {
            switch event {
            case .joined: decoded = nil
            case .picture(let picture): take(picture)
            // An app that reads too slowly is reported as silent; there is no other valid reason.
            case .left(let drop): if drop != .silent, drop != .replaced { fault("left: \(String(describing: drop))") }
            case .format, .sound, .vanished: break
            }
        }
        let waits = world.source.waitingBytes
        // The margin is for greetings and formats.
        if waits > settings.pictureBytes + settings.soundBytes + 500 { fault("\(waits) bytes wait") }
        if world.app.bufferedByteCount > 20_000 { fault("the app keeps \(world.app.bufferedByteCount) bytes") }
    }

    private mutating func take(_ picture: RelayedPicture) {
        received += 1
        guard let labels = TestPicture.labels(picture.annexB), let first = labels.first else {
            return fault("a picture of nobody")
        }
        if labels.map(\.slice) != Array(0..<first.count) || labels.contains(where: { $0.number != first.number }) {
            fault("picture \(first.number) came with slices \(labels.map(\.slice)) of \(first.count)")
        }
        let units = TestPicture.units(picture.annexB).map { $0[0] }
        if picture.isKeyframe {
            if units.prefix(3) != [0x67, 0x68, 0x65] { fault("keyframe \(first.number) without parameter sets") }
        } else if decoded != first.number - 1 {
            fault("picture \(first.number) after \(decoded.map(String.init) ?? "none")")
        }
        decoded = first.number
    }

    /// Restores good conditions: within 3 s new pictures arrive, and at the end every picture is accounted for.
    private mutating func calm() {
        note("calm")
        world.readRate = nil
        world.room = 4096
        world.listens = true
        world.appLives = true
        if !world.run(atMost: .seconds(3), until: { $0.isConnected }) { fault("not connected again") }
        check()
        let before = received
        for _ in 0..<60 {
            offered += 1
            world.give(.slice(TestPicture.slice(number, isKeyframe: needsKeyframe, captured: world.now, padding: 100)))
            needsKeyframe = false
            number += 1
            pass(.milliseconds(16))
            check()
        }
        if received < before + 50 { fault("only \(received - before) pictures of 60") }
        world.give(.end)
        pass(.milliseconds(10))
        if world.takeSourceEvents().last != .stopped(.finished) { fault("not stopped") }
        if world.takeAppEvents().last != .left(nil) { fault("not left") }
        let statistics = world.source.statistics
        let reasons: [ExtensionDrop] = [
            .pictureUnheard, .pictureOverflow, .pictureLate, .pictureBroken, .pictureLost, .pictureMalformed,
        ]
        let dropped = reasons.reduce(0) { $0 + statistics.drops[$1] }
        if statistics.pictures + dropped != offered {
            fault("\(offered) pictures, \(statistics.pictures) sent, \(statistics.drops.byName) dropped")
        }
        if world.source.waitingBytes != 0 || world.source.deadline != nil { fault("something is left") }
    }
}
