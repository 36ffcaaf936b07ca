import HelioCore
import HelioMedia
import Testing

@testable import HelioPicture

@Suite("The ladder of sizes and frame rates (row 6)")
struct AdaptationLadderTests {
    private static let fullHD = PixelSize(width: 1920, height: 1080)

    private static func names(_ size: PixelSize, _ rate: Int, _ kind: ContentKind) -> [String] {
        LadderRung.all(from: LadderRung(size: size, framesPerSecond: rate), for: kind).map(\.description)
    }

    // MARK: Rungs

    @Test("what moves becomes smaller first and stays smooth; text keeps its size and loses frames first")
    func order() {
        #expect(
            Self.names(Self.fullHD, 60, .motion)
                == ["1080p60", "720p60", "720p30", "540p24", "360p24", "360p15", "360p10"])
        #expect(
            Self.names(Self.fullHD, 60, .text)
                == ["1080p60", "1080p30", "1080p15", "1080p10", "720p10", "540p10", "360p10"])
        #expect(
            Self.names(PixelSize(width: 3840, height: 2160), 120, .motion).prefix(4)
                == ["2160p120", "2160p60", "1440p60", "1080p60"])
    }

    @Test(
        "rungs are never above the agreed format, keep its shape, are even, and each is less than the one before",
        arguments: [
            (1920, 1080, 60), (1080, 1920, 60), (1366, 768, 60), (1367, 769, 59), (1080, 2340, 30), (3440, 1440, 144),
            (640, 360, 10), (320, 240, 5), (33, 21, 1), (5000, 16, 60), (1280, 720, 20), (641, 481, 11),
        ])
    func shapes(width: Int, height: Int, rate: Int) throws {
        let agreed = LadderRung(size: PixelSize(width: width, height: height), framesPerSecond: rate)
        for kind in [ContentKind.text, .motion] {
            let rungs = LadderRung.all(from: agreed, for: kind)
            #expect(rungs.first == agreed)
            for (upper, lower) in zip(rungs, rungs.dropFirst()) {
                #expect(lower.pixelsPerSecond < upper.pixelsPerSecond)
                #expect(lower.size.width <= width && lower.size.height <= height && lower.framesPerSecond <= rate)
                if lower.size == agreed.size { continue }
                #expect(lower.size.width % 2 == 0 && lower.size.height % 2 == 0)
                let skew = Double(lower.size.width * height) / Double(lower.size.height * width)
                #expect(abs(skew - 1) < 0.02, "\(lower.size)")
            }
        }
    }

    @Test("a format that is less than the lowest rung stays as it is, whatever the rate")
    func small() {
        var world = LadderWorld(PixelSize(width: 320, height: 240), 5, rate: .kilobits(1))
        world.run(.seconds(60))
        #expect(world.events.isEmpty && world.name == "240p5")
    }

    // MARK: Down

    @Test(
        "what moves goes down as far as the rate carries it, and no further",
        arguments: [
            (8000, "1080p60"), (4000, "720p60"), (2500, "720p30"), (1000, "540p24"), (450, "360p24"), (300, "360p15"),
            (200, "360p10"), (20, "360p10"),
        ])
    func motion(kilobits: Int, rung: String) {
        var world = LadderWorld(rate: .kilobits(kilobits))
        world.run(.seconds(20))
        #expect(world.name == rung, "\(world.names)")
        #expect(world.need(world.ladder.rung) <= Double(kilobits) * 1260 || rung == "360p10")
    }

    @Test(
        "text loses frames, and gets smaller than 720p only where next to nothing is carried",
        arguments: [
            (4000, "1080p60"), (2500, "1080p30"), (1500, "1080p15"), (1100, "1080p10"), (600, "720p10"),
            (160, "720p10"), (140, "360p10"),
        ])
    func text(kilobits: Int, rung: String) {
        var world = LadderWorld(rate: .kilobits(kilobits))
        world.content = .text
        world.cost = 0.03
        world.run(.seconds(30))
        #expect(world.name == rung, "\(world.names)")
    }

    @Test(
        "what viewers prefer decides instead of what is shown, until they say otherwise",
        arguments: [(ContentKind.motion, ContentKind.text), (.text, .motion)])
    func preferred(shown: ContentKind, wanted: ContentKind) {
        let limits = (text: 30, motion: 24)
        var world = LadderWorld(rate: .kilobits(2500))
        world.content = shown
        world.ladder.preferred = wanted
        world.run(.seconds(30))
        let isWhole = world.ladder.rung.size.height == 1080
        #expect(isWhole == (wanted == .text) && world.ladder.content == wanted, "\(world.names)")
        #expect(
            wanted == .text
                ? world.ladder.rung.framesPerSecond < limits.text : world.ladder.rung.framesPerSecond >= limits.motion)
        world.ladder.preferred = nil
        world.run(.seconds(30))
        #expect(world.ladder.content == shown, "\(world.names)")
    }

    @Test("a rung is left after a second, at once where the rate falls to less than half of what is needed")
    func pace() throws {
        var world = LadderWorld(rate: .megabits(20))
        world.run(.seconds(10))
        #expect(world.events.isEmpty)
        world.rate = .megabits(4)
        world.run(.seconds(3))
        let slow = try #require(world.takeEvents().first)
        #expect(slow.at >= .seconds(11) && slow.at < .milliseconds(11_100) && slow.step.reason == .shortage)
        #expect(slow.step.sentence == "Sending 1280x720 at 60 frames a second, as the network carries 4.0 Mbit/s.")
        #expect(world.ladder.shortage == "720p60 as the network carries 4.0 Mbit/s")
        world.run(.seconds(5))
        let fall = world.elapsed
        world.rate = .kilobits(500)
        world.poll()
        let quick = try #require(world.takeEvents().first)
        #expect(quick.at == fall && quick.step.rung.description == "360p24")
    }

    @Test("a picture that is coarse though the rate is not used up has another reason, and stays")
    func otherReason() {
        var world = LadderWorld(rate: .megabits(20))
        world.cost = 0.001
        world.finest = 45
        world.run(.seconds(30))
        #expect(world.events.isEmpty)
    }

    @Test("pages that are turned now and then are coarse for a moment: no step")
    func pages() {
        var world = LadderWorld(rate: .kilobits(500))
        (world.content, world.changes, world.cost) = (.text, 1, 0.3)
        world.run(.seconds(120))
        #expect(world.events.isEmpty, "\(world.names)")
    }

    @Test("a film of 24 pictures a second gains nothing by a limit of 30")
    func film() {
        var world = LadderWorld(rate: .kilobits(900))
        world.changes = 24
        world.cost = 0.03
        world.run(.seconds(20))
        #expect(world.name == "720p60", "\(world.names)")
    }

    @Test("an encoder that does not tell its quantiser is judged by what changes")
    func untold() {
        var world = LadderWorld(rate: .megabits(20))
        world.tellsQuantiser = false
        world.run(.seconds(10))
        #expect(world.events.isEmpty)
        world.rate = .megabits(1)
        world.run(.seconds(10))
        #expect(["540p24", "720p30"].contains(world.name), "\(world.names)")
        world.rate = .megabits(20)
        world.run(.seconds(30))
        #expect(world.ladder.isTop)
    }

    // MARK: Up

    @Test("recovery goes back to the top, after five seconds and with a margin")
    func recovery() throws {
        var world = LadderWorld(rate: .kilobits(2300))
        world.run(.seconds(10))
        #expect(world.name == "720p30")
        _ = world.takeEvents()
        let recovered = world.elapsed
        world.rate = .megabits(20)
        world.run(.seconds(20))
        let up = world.takeEvents()
        #expect(world.ladder.isTop && up.count == 1 && world.ladder.shortage == nil)
        let first = try #require(up.first)
        #expect(first.at - recovered >= .seconds(5) && first.at - recovered < .seconds(6))
        #expect(first.step.sentence == "Sending 1920x1080 at 60 frames a second again.")
        #expect(first.step.reason == .recovery)
    }

    @Test("what would just do for the next rung is not enough to go there")
    func margin() {
        var world = LadderWorld(rate: .kilobits(2300))
        world.run(.seconds(10))
        let need = LadderWorld(rate: .megabits(1)).need(
            LadderRung(size: PixelSize(width: 1280, height: 720), framesPerSecond: 60))
        world.rate = Bitrate(bitsPerSecond: Int(need * 1.1))
        world.run(.seconds(60))
        #expect(world.name == "720p30")
        world.rate = Bitrate(bitsPerSecond: Int(need * 1.5))
        world.run(.seconds(10))
        #expect(world.name == "720p60")
    }

    @Test("a rate that breaks down again and again is tried ever more seldom, and no more than a minute apart")
    func undone() {
        var world = LadderWorld(rate: .kilobits(2300))
        world.run(.seconds(10))
        _ = world.takeEvents()
        var gaps: [Duration] = []
        for _ in 0..<8 {
            let good = world.elapsed
            world.rate = .megabits(20)
            world.run(.seconds(90)) { world in if !world.events.isEmpty { world.rate = .megabits(2) } }
            gaps.append((world.takeEvents().first?.at ?? .zero) - good)
        }
        let seconds = gaps.map { Int($0.inSeconds.rounded()) }
        #expect(seconds == [5, 10, 20, 40, 60, 60, 60, 60], "\(seconds)")
    }

    @Test(
        "a rate that swings by a third around a threshold makes hardly a step in an hour",
        arguments: [(2, 600), (5, 600), (10, 3600), (20, 600)], [ContentKind.motion, .text])
    func swings(time: (period: Int, seconds: Int), content: ContentKind) {
        for middle in content == .text ? [1300, 2100, 3100] : [1900, 3900, 8200] {
            var world = LadderWorld(rate: .kilobits(middle))
            (world.content, world.cost) = (content, content == .text ? 0.03 : 0.06)
            world.run(.seconds(time.seconds)) { world in
                let phase = Int(world.elapsed.inSeconds) % time.period
                let rate = Bitrate.kilobits(phase * 2 < time.period ? middle * 13 / 10 : middle * 7 / 10)
                if rate != world.rate { world.rate = rate }
            }
            let late = world.events.count { $0.at > .seconds(300) }
            #expect(world.events.count <= 16 && late <= 6, "\(middle) kbit/s: \(world.names.joined(separator: " "))")
        }
    }

    // MARK: Sizes

    @Test("sizes change at most every three seconds while something moves, and once when it does not any more")
    func spacing() {
        var random = SeededGenerator(seed: 6)
        var world = LadderWorld(rate: .megabits(20))
        for _ in 0..<600 {
            world.rate = .kilobits(.random(in: 50...20_000, using: &random))
            if Bool.random(using: &random) { world.content = Bool.random(using: &random) ? .text : .motion }
            world.run(.milliseconds(.random(in: 100...4000, using: &random)))
            let before = world.events.count
            world.rest(.milliseconds(600))
            world.rate = .kilobits(.random(in: 50...20_000, using: &random))
            world.rest(.seconds(Int.random(in: 0...20, using: &random)))
            let steps = world.events[before...]
            #expect(steps.count <= 1 && steps.allSatisfy { $0.step.reason == .rest && $0.step.isTop })
        }
        let resizes = world.events.filter(\.isResize)
        #expect(resizes.count > 50)
        // Changes to and from rest are exempt; all others are three seconds apart.
        #expect(
            zip(resizes, resizes.dropFirst()).allSatisfy { $1.at - $0.at >= .seconds(2) || $0.step.reason == .rest })
        let moving = resizes.indices.dropFirst(2).filter { place in
            resizes[(place - 2)...place].allSatisfy { $0.step.reason != .rest }
        }
        #expect(moving.allSatisfy { resizes[$0].at - resizes[$0 - 1].at >= .seconds(3) })
    }

    @Test("what comes to rest is coded as it is; when it moves again, the ladder is back within a quarter of a second")
    func rest() throws {
        var world = LadderWorld(rate: .kilobits(2000))
        world.run(.seconds(20))
        #expect(world.name == "540p24")
        _ = world.takeEvents()
        let stopped = world.elapsed
        world.rest(.seconds(5))
        let step = try #require(world.takeEvents().first)
        #expect(step.at - stopped == .milliseconds(250) && step.step.reason == .rest && world.ladder.isTop)
        #expect(step.step.sentence == "Sending 1920x1080 at 60 frames a second, as nothing moves.")
        #expect(world.ladder.restDeadline == nil)
        let moves = world.elapsed
        world.run(.seconds(2))
        let back = try #require(world.takeEvents().first)
        #expect(back.at - moves <= .milliseconds(250) && world.name == "540p24")
    }

    @Test("small changes after a rest leave it as it is")
    func typingAfterRest() {
        var world = LadderWorld(rate: .kilobits(2000))
        world.run(.seconds(20))
        world.rest(.seconds(5))
        #expect(world.ladder.isTop)
        (world.changes, world.cost) = (8, 0.001)
        world.run(.seconds(20))
        #expect(world.ladder.isTop, "\(world.names)")
    }

    @Test("where the path would take long for it, what rests stays small")
    func restAtNextToNothing() {
        var world = LadderWorld(rate: .kilobits(100))
        world.run(.seconds(20))
        _ = world.takeEvents()
        world.rest(.seconds(60))
        #expect(world.events.isEmpty && world.name == "360p10")
    }

    @Test("what becomes text or motion goes to a rung of the same cost")
    func contents() throws {
        var world = LadderWorld(rate: .kilobits(2500))
        world.run(.seconds(20))
        #expect(world.name == "720p30")
        _ = world.takeEvents()
        world.content = .text
        world.cost = 0.03
        world.run(.seconds(1))
        let step = try #require(world.events.first?.step)
        #expect(world.name == "1080p15" && step.reason == .content(.text))
        #expect(
            step.sentence == "Sending 1920x1080 at 15 frames a second for text, as the network carries 2.5 Mbit/s.")
        world.content = .motion
        world.run(.seconds(1))
        #expect(world.name == "1080p15", "another size comes no sooner")
        world.run(.seconds(4))
        #expect(world.ladder.rung.size.height == 720)
    }

    @Test("other content begins no lower than what the rate carries anyway")
    func otherContentAtARate() {
        var world = LadderWorld(rate: .kilobits(800))
        (world.content, world.cost) = (.text, 0.03)
        world.run(.seconds(20))
        #expect(world.name == "720p10")
        world.rate = .megabits(9)
        world.run(.seconds(1))
        world.content = .motion
        world.run(.seconds(1))
        #expect(world.ladder.isTop, "\(world.names)")
    }

    // MARK: A slow machine

    private static let ultraHD = PixelSize(width: 3840, height: 2160)

    /// A world whose machine takes this time for a picture of the agreed size.
    private static func slow(_ milliseconds: Double, rate: Int = 60) -> LadderWorld {
        var world = LadderWorld(ultraHD, rate, rate: .megabits(100))
        world.pixelTime = milliseconds / 1000 / Double(ultraHD.area)
        return world
    }

    @Test(
        "what this machine does not encode in time is halved, or becomes as small as it takes, down to 720p",
        arguments: [
            (2160, 15.0, "2160p60"), (2160, 22.0, "1080p60"), (2160, 35.0, "1080p60"), (2160, 400.0, "1080p60"),
            (1440, 35.0, "720p60"), (1080, 15.0, "1080p60"), (1080, 35.0, "720p60"), (1080, 400.0, "720p60"),
            (720, 35.0, "720p60"),
        ])
    func slowMachine(side: Int, time: Double, rung: String) throws {
        let size = PixelSize(width: side * 16 / 9, height: side)
        var world = LadderWorld(size, 60, rate: .megabits(100))
        world.pixelTime = time / 1000 / Double(size.area)
        world.run(.seconds(30))
        #expect(world.name == rung, "\(world.names)")
        guard let first = world.events.first else { return }
        #expect(world.events.count == 1 && first.step.reason == .load, "\(world.names)")
        #expect(first.at <= .seconds(3) || time > 100, "\(first)")
        #expect(world.ladder.shortage == "\(rung) as this machine encodes no more")
    }

    @Test("a machine that is too slow for 120 frames a second sends smaller pictures at 60")
    func slowAt120() {
        var world = LadderWorld(Self.ultraHD, 120, rate: .megabits(100))
        world.changes = 120
        world.pixelTime = 0.02 / Double(Self.ultraHD.area)
        world.run(.seconds(30))
        #expect(world.name == "1080p60", "\(world.names)")
    }

    @Test("a film of 24 pictures a second, a small window, and text are not made smaller")
    func slowEnough() {
        var film = Self.slow(30)
        film.changes = 24
        film.run(.seconds(20))
        #expect(film.ladder.isTop, "\(film.names)")
        var small = Self.slow(30)
        small.share = 0.4
        small.run(.seconds(20))
        #expect(small.ladder.isTop, "\(small.names)")
        var text = Self.slow(30)
        text.content = .text
        text.run(.seconds(20))
        #expect(text.ladder.isTop, "\(text.names)")
    }

    @Test("what rests is sharp; when it moves again, it is small within a fifth of a second")
    func slowAfterRest() throws {
        var world = Self.slow(35)
        world.run(.seconds(10))
        #expect(world.name == "1080p60")
        world.rest(.seconds(3))
        #expect(world.ladder.isTop)
        _ = world.takeEvents()
        let begun = world.elapsed
        world.run(.seconds(1))
        let back = try #require(world.takeEvents().first)
        #expect(back.step.reason == .load && back.step.rung.description == "1080p60")
        #expect(back.at - begun <= .milliseconds(300), "\(back.at - begun)")
    }

    @Test("a machine that is free again goes back to the top, and does not try often where that fails")
    func slowForAWhile() {
        var world = Self.slow(35)
        world.run(.seconds(10))
        world.pixelTime /= 4
        world.run(.seconds(30))
        #expect(world.ladder.isTop && world.ladder.shortage == nil, "\(world.names)")
        // Something else takes the machine whenever the pictures are large.
        var busy = Self.slow(35)
        busy.run(.seconds(120)) { world in
            world.pixelTime = (world.ladder.isTop ? 35 : 10) / 1000 / Double(Self.ultraHD.area)
        }
        #expect(busy.events.filter { $0.step.reason == .recovery }.count <= 6, "\(busy.names)")
    }

    @Test("another agreed format is followed at once; who begins to watch begins at the top")
    func agreements() {
        var world = LadderWorld(rate: .megabits(20))
        world.run(.seconds(2))
        world.ladder.agree(size: PixelSize(width: 1280, height: 720), framesPerSecond: 30)
        #expect(world.name == "720p30" && world.ladder.isTop)
        world.ladder.agree(size: Self.fullHD, framesPerSecond: 60)
        #expect(world.ladder.isTop && world.name == "1080p60")
        world.rate = .kilobits(2300)
        world.run(.seconds(10))
        #expect(world.name == "720p30")
        world.ladder.agree(size: PixelSize(width: 1080, height: 1920))
        #expect(world.ladder.rung == LadderRung(size: PixelSize(width: 720, height: 1280), framesPerSecond: 30))
        _ = world.takeEvents()
        world.ladder.begin()
        world.poll()
        #expect(world.names == ["1080p60"] && world.ladder.isTop && world.events.first?.step.reason == .beginning)
    }
}
