import HelioCore
import HelioPicture
import HelioSession
import Testing

@testable import Heliograph

@Suite("Encoders that fail, refuse, and change their rate (rows 7 and 16)")
struct SourcePipelineTests {
    private static func nothing(_ count: Int) -> [() -> Void] { Array(repeating: {}, count: count) }

    // MARK: The screen

    @Test("a display whose outputs are off is waited for: that is told, and a newcomer gets the last picture")
    func outputsOff() throws {
        let world = PipelineWorld()
        try world.run(
            [
                {}, { world.isOff = true }, {}, {}, { world.controls.requestKeyframe("somebody came") }, {},
                { world.isOff = false }, {}, {},
            ])
        #expect(
            world.notes == [
                "The display is switched off: viewers keep its last picture until it is on again.",
                "The display is on again.",
            ])
        #expect(world.coded.count { $0.isKeyframe } == 2)
        #expect(world.coded.last?.isKeyframe == false, "pictures go on")
    }

    @Test("the screen is kept awake while somebody watches")
    func awake() throws {
        let world = PipelineWorld()
        try world.run([
            {}, { world.controls.setWatched(false) }, {}, { world.controls.setWatched(true) }, {},
        ])
        #expect(world.awake == [true, false, true])
    }

    // MARK: Failure

    @Test("an encoder that can't be started is an error, and no more")
    func failsAtStart() {
        let world = PipelineWorld()
        world.faults.starts = [0]
        let error = #expect(throws: HelioError.self) { try world.run([]) }
        #expect(error?.code == .encoderFailed && world.coded.isEmpty)
    }

    @Test("software that fails is started again with a keyframe; that is told and counted")
    func fails() throws {
        let world = PipelineWorld()
        world.faults.pictures = [3, 4]
        try world.run(Self.nothing(8))
        #expect(world.coded.map(\.isKeyframe).prefix(5) == [true, false, false, true, false])
        #expect(world.coded.count { $0.isKeyframe } == 2)
        #expect(world.troubles == [.failed, .failed] && world.notes.count == 2)
    }

    @Test("software that fails again and again ends the source with its error")
    func keepsFailing() {
        let world = PipelineWorld()
        world.faults.pictures = Set(3..<100)
        let error = #expect(throws: HelioError.self) { try world.run(Self.nothing(20)) }
        #expect(error?.code == .encoderFailed && world.coded.count == 3 && world.troubles.count == 3)
    }

    @Test("hardware that fails is replaced by software, with a keyframe, and is not tried again; that is told")
    func fallsBack() throws {
        let world = PipelineWorld()
        world.isHardware = true
        world.faults.pictures = [3, 6]
        try world.run(Self.nothing(10))
        #expect(world.coded.prefix(3).allSatisfy { $0.encoder == "hardware" })
        #expect(world.coded.count > 6 && world.coded.dropFirst(3).allSatisfy { $0.encoder == "software" })
        #expect(world.coded.map(\.isKeyframe).prefix(6) == [true, false, false, true, false, true])
        #expect(world.coded.count { $0.isKeyframe } == 3)
        #expect(world.troubles == [.failed, .failed])
        #expect(world.notes.first?.contains("hardware failed") == true, "\(world.notes)")
        #expect(world.encoderChanges == [false])
    }

    @Test("hardware that fails where software can't be had either ends the source with an error")
    func noFallback() {
        let world = PipelineWorld()
        world.isHardware = true
        world.faults.pictures = [3]
        world.faults.starts = [1]
        #expect(throws: HelioError.self) { try world.run(Self.nothing(10)) }
        #expect(world.coded.count == 3)
    }

    // MARK: Repair

    @Test("of several requests for a repair the one that reaches farthest back counts, once")
    func repairs() throws {
        let world = PipelineWorld()
        world.repairs = true
        let ask = {
            for frame: UInt64 in [3, 1, 2] { world.controls.requestRepair(since: frame, reason: "lost") }
        }
        try world.run(Self.nothing(4) + [ask] + Self.nothing(2))
        #expect(world.coded.map(\.repairSince) == [nil, nil, nil, nil, nil, 1, nil, nil])
        #expect(world.coded.count(where: \.isKeyframe) == 1)
    }

    @Test("a keyframe repairs everything, and an encoder that can't repair makes one", arguments: [true, false])
    func keyframeInstead(canRepair: Bool) throws {
        let world = PipelineWorld()
        world.repairs = canRepair
        let ask = {
            world.controls.requestRepair(since: 2, reason: "lost")
            if canRepair { world.controls.requestKeyframe("joined") }
        }
        try world.run(Self.nothing(4) + [ask] + Self.nothing(2))
        #expect(world.coded.allSatisfy { $0.repairSince == nil })
        #expect(world.coded.map(\.isKeyframe) == [true, false, false, false, false, true, false, false])
    }

    // MARK: Adaptation to the path

    /// Steps that set the bitrate at once, and let a number of pictures pass.
    private static func at(_ rate: Bitrate, _ world: PipelineWorld, _ pictures: Int) -> [() -> Void] {
        [{ world.controls.setBitrate(rate) }] + nothing(pictures)
    }

    @Test("a video becomes smaller where the path carries too little, and large again: each step is told")
    func ladder() throws {
        let world = PipelineWorld()
        (world.followsPath, world.cost) = (true, 40_000)
        try world.run(
            change: PixelRect(PipelineWorld.size),
            Self.nothing(150) + Self.at(.kilobits(800), world, 300) + Self.at(.megabits(20), world, 500))
        let sizes = world.coded.map(\.size.height)
        let steps = zip(sizes, sizes.dropFirst()).filter { $0 != $1 }.map(\.1)
        #expect(steps == [360, 480], "\(world.notes)")
        #expect(world.coded.last?.size == PipelineWorld.size && world.coded.last?.framesPerSecond == 60)
        #expect(world.coded.count(where: \.isKeyframe) == 3, "one for each size")
        #expect(world.notes.first == "Sending 480x360 at 24 frames a second, as the network carries 0.8 Mbit/s.")
        #expect(world.notes.last == "Sending 640x480 at 60 frames a second again.")
        #expect(
            world.shortages == [
                "360p24 as the network carries 0.8 Mbit/s", "360p24 as the network carries 20.0 Mbit/s", nil,
            ])
        #expect(world.formats.last == PipelineWorld.format && world.formats.contains { $0.size.height == 360 })
    }

    @Test(
        "text keeps its size and loses frames; without the option nothing but the bitrate changes",
        arguments: [true, false])
    func textLadder(followsPath: Bool) throws {
        let world = PipelineWorld()
        (world.followsPath, world.cost) = (followsPath, 40_000)
        try world.run(
            change: PixelRect(x: 0, y: 0, width: 64, height: 64),
            Self.nothing(50) + Self.at(.kilobits(800), world, 300) + Self.at(.megabits(20), world, 500))
        #expect(world.coded.allSatisfy { $0.size == PipelineWorld.size } && world.coded.count(where: \.isKeyframe) == 1)
        #expect(world.coded.contains { $0.framesPerSecond == 15 } == followsPath, "\(world.notes)")
        #expect(world.coded.last?.framesPerSecond == 60)
        #expect(world.shortages.isEmpty != followsPath)
        let slow = world.coded.count { $0.framesPerSecond < 60 }
        #expect(followsPath ? slow < 250 : slow == 0, "the pacer keeps to it")
    }

    @Test("viewers' limits and the path's are kept to together; nobody watching ends the path's")
    func limitsTogether() throws {
        let world = PipelineWorld()
        (world.followsPath, world.cost) = (true, 40_000)
        let wide = try #require(
            StreamAgreement(
                wanted: PipelineWorld.format, codecs: [.h264],
                sinks: [StreamCapabilities(largest: PixelSize(width: 320, height: 240))]))
        try world.run(
            change: PixelRect(PipelineWorld.size),
            Self.nothing(150) + Self.at(.kilobits(800), world, 300)
                + [{ world.controls.agree(on: wide) }] + Self.nothing(50)
                + [{ world.controls.setWatched(false) }, { world.controls.setWatched(true) }]
                + [{ world.controls.setBitrate(.megabits(20)) }] + Self.nothing(20))
        #expect(world.coded.contains { $0.size.height == 360 })
        #expect(world.coded.allSatisfy { $0.size.height <= 480 })
        #expect(world.coded.last?.size == PixelSize(width: 320, height: 240) && world.coded.last?.framesPerSecond == 60)
        #expect(world.shortages.last == .some(nil))
    }

    @Test("an encoder that refuses a smaller size is asked once, and all stays as it is")
    func refusesRung() throws {
        let world = PipelineWorld()
        (world.followsPath, world.cost) = (true, 40_000)
        world.faults.refuses = { $0.size != PipelineWorld.size }
        try world.run(
            change: PixelRect(PipelineWorld.size), Self.nothing(150) + Self.at(.kilobits(800), world, 500))
        #expect(world.coded.allSatisfy { $0.size == PipelineWorld.size && $0.framesPerSecond == 60 })
        #expect(world.notes.count == 1 && world.troubles == [.refused] && world.shortages.allSatisfy { $0 == nil })
    }

    // MARK: Rates

    @Test("an encoder that takes other rates as it runs is told at once, and no keyframe comes of it")
    func inPlace() throws {
        let world = PipelineWorld()
        try world.run((1...100).map { step in { world.controls.setBitrate(.kilobits(300 + step % 2 * 5000)) } })
        #expect(world.coded.map(\.isKeyframe) == [true] + Array(repeating: false, count: 100))
        #expect(Set(world.coded.map(\.bitrate)) == [.megabits(20), .kilobits(300), .kilobits(5300)])
    }

    @Test("one that would begin anew for them waits for the next keyframe, and the last word counts")
    func atTheNextKeyframe() throws {
        let world = PipelineWorld()
        world.changesRatesInPlace = false
        let changes = (1...50).map { step in { world.controls.setBitrate(.kilobits(300 + step % 2 * 5000)) } }
        try world.run(
            Self.nothing(1) + changes + [{ world.controls.requestKeyframe("somebody joined") }] + Self.nothing(2))
        #expect(world.coded.count == 55)
        #expect(world.coded.filter(\.isKeyframe).map(\.bitrate) == [.megabits(20), .kilobits(300)])
        #expect(world.coded[51].bitrate == .megabits(20) && world.coded[52].isKeyframe)
        #expect(world.formats.map(\.bitrate) == [.kilobits(300)], "players hear of what is coded")
    }

    @Test("after a rest a picture that is all new may as well be that keyframe; without one it is none")
    func afterARest() throws {
        let whole = PixelRect(PipelineWorld.size)
        for (change, rest, isKeyframe) in [
            (whole, Duration.milliseconds(600), true), (whole, .milliseconds(100), false),
            (PixelRect(x: 0, y: 0, width: 64, height: 64), .milliseconds(600), false),
        ] {
            let world = PipelineWorld()
            world.changesRatesInPlace = false
            try world.run(
                change: change,
                Self.nothing(2) + [{ world.controls.setBitrate(.megabits(5)) }, { world.pause(rest) }] + Self.nothing(2)
            )
            #expect(world.coded.map(\.isKeyframe) == [true, false, false, false, isKeyframe, false, false])
            #expect(world.coded.last?.bitrate == (isKeyframe ? .megabits(5) : .megabits(20)))
        }
    }

    @Test("rates that no encoder takes leave all as it is; that is told and counted", arguments: [true, false])
    func refused(isInPlace: Bool) throws {
        let world = PipelineWorld()
        world.changesRatesInPlace = isInPlace
        world.faults.refuses = { $0.bitrate < .megabits(1) }
        try world.run(
            Self.nothing(1) + [{ world.controls.setBitrate(.kilobits(300)) }]
                + [{ world.controls.requestKeyframe("") }] + Self.nothing(3)
                + [{ world.controls.setBitrate(.megabits(5)) }, { world.controls.requestKeyframe("") }])
        #expect(world.coded.count == 9 && world.coded[5].bitrate == .megabits(20))
        #expect(world.coded.last?.bitrate == .megabits(5))
        #expect(world.troubles == [.refused] && world.notes.count == 1)
    }

    @Test("a size and a codec that no encoder takes leave all as it is, too")
    func refusedAgreement() throws {
        let world = PipelineWorld()
        world.faults.refuses = { $0.size.width < 100 || $0.codec == .h265 }
        var (small, other) = (PipelineWorld.format, PipelineWorld.format)
        small.size = PixelSize(width: 64, height: 48)
        other.codec = .h265
        let agreements = try [
            #require(
                StreamAgreement(
                    wanted: PipelineWorld.format, codecs: [.h264], sinks: [StreamCapabilities(largest: small.size)])),
            #require(StreamAgreement(wanted: other, codecs: [.h265], sinks: [])),
        ]
        for agreement in agreements {
            try world.run(Self.nothing(2) + [{ world.controls.agree(on: agreement) }] + Self.nothing(2))
        }
        #expect(world.coded.count == 12 && world.troubles == [.refused, .refused] && world.notes.count == 2)
        #expect(world.formats.isEmpty)
    }

    /// A piece of refinement with nothing to do is no frame, and the next one waits for a change.
    @Test func emptyRefinementsAreNoFrames() throws {
        let world = PipelineWorld()
        world.refinementSteps = 100
        world.emptyRefinements = 2
        var asked: [Int] = []
        try world.run([
            { world.rest(.milliseconds(300)) },
            { world.rest(.zero) },
            { asked.append(world.refinements) },
            { world.rest(.milliseconds(300)) },
            { asked.append(world.refinements) },
        ])
        #expect(asked == [2, 3])
        #expect(world.submitted.map(\.frameIndex) == [0, 1, 2, 3])
    }

    // MARK: Keyframes aside

    private static func expectGapless(_ world: PipelineWorld) {
        #expect(world.submitted.map(\.frameIndex) == world.submitted.indices.map(UInt64.init))
    }

    @Test("a newcomer's keyframe is coded aside: pictures go before it, and what it lacks comes right behind it")
    func keyframeAside() throws {
        let world = PipelineWorld()
        world.codesAside = true
        let ask = { world.controls.requestKeyframe("a newcomer") }
        let complete = { world.completesAside = true }
        // Another newcomer gets the same keyframe.
        try world.run(Self.nothing(2) + [ask] + Self.nothing(2) + [ask, complete] + Self.nothing(2))
        let keyframes = world.submitted.map(\.isKeyframe)
        #expect(keyframes.count { $0 } == 2 && keyframes.first == true, "\(keyframes)")
        let second = try #require(keyframes.lastIndex(of: true))
        #expect(second == 7 && keyframes.count > second + 1)
        Self.expectGapless(world)
        let times = world.submitted.map(\.timing.captured)
        #expect(times == times.sorted())
        // Changes since the request follow at the same instant, not a frame later.
        #expect(times[second + 1] - times[second] < .milliseconds(1))
    }

    @Test("a keyframe aside of a screen that rests is the only picture, and nothing is refined before")
    func keyframeAsideAtRest() throws {
        let world = PipelineWorld()
        world.codesAside = true
        world.refinementSteps = 3
        let rest = { world.rest(.milliseconds(100)) }
        let ask = {
            world.rest(.milliseconds(1))
            world.controls.requestKeyframe("a newcomer")
        }
        let complete = {
            world.rest(.milliseconds(1))
            world.completesAside = true
        }
        try world.run([ask] + Array(repeating: rest, count: 6) + [complete] + Array(repeating: rest, count: 12))
        #expect(world.submitted.first?.isKeyframe == true)
        #expect(world.submitted.count { $0.isKeyframe } == 2 && world.refinements >= 3)
        Self.expectGapless(world)
    }

    @Test("a picture that can't be coded beside the keyframe waits, uncaptured, and comes right behind it")
    func waitsForKeyframeAside() throws {
        let world = PipelineWorld()
        world.codesAside = true
        world.codesMeanwhile = false
        let ask = { world.controls.requestKeyframe("a newcomer") }
        let complete = { world.completesAside = true }
        try world.run(Self.nothing(2) + [ask] + Self.nothing(5) + [complete] + Self.nothing(2))
        let keyframes = world.submitted.map(\.isKeyframe)
        // The picture of the request is sent; the five changes after it wait.
        #expect(keyframes.prefix(6) == [true, false, false, false, true, false], "\(keyframes)")
        #expect(keyframes.count { $0 } == 2)
        Self.expectGapless(world)
        #expect(world.submitted[5].timing.captured - world.submitted[4].timing.captured < .milliseconds(1))
    }

    @Test("an encoder that fails at a keyframe aside is started again, with a keyframe")
    func failsAside() throws {
        let world = PipelineWorld()
        world.codesAside = true
        world.faults.pictures = [5]
        let ask = { world.controls.requestKeyframe("a newcomer") }
        let complete = { world.completesAside = true }
        try world.run(Self.nothing(2) + [ask, {}, complete] + Self.nothing(3))
        #expect(world.troubles == [.failed] && world.notes.count == 1)
        #expect(world.submitted.map(\.isKeyframe).prefix(7) == [true, false, false, false, false, true, false])
        #expect(world.submitted.count { $0.isKeyframe } == 2)
    }

    @Test("a keyframe of the second encode is coded aside, too")
    func secondKeyframeAside() throws {
        let world = PipelineWorld()
        world.codesAside = true
        let begin = { world.controls.setSecond(.megabits(1)) }
        let ask = { world.controls.requestKeyframe("lost", of: .second) }
        let complete = { world.completesAside = true }
        try world.run([begin] + Self.nothing(6) + [ask] + Self.nothing(6) + [complete] + Self.nothing(6))
        let second = world.submitted.filter { $0.encoding == .second }
        #expect(second.count { $0.isKeyframe } == 2 && second.first?.isKeyframe == true)
        let at = try #require(second.map(\.isKeyframe).lastIndex(of: true))
        #expect(at >= 5 && second.count > at + 1, "\(second.map(\.isKeyframe))")
        #expect(
            second.map(\.frameIndex) == second.indices.map { EncodingID.second.firstFrameIndex + UInt64($0) })
        let main = world.submitted.filter { $0.encoding == .main }
        #expect(main.count { $0.isKeyframe } == 1)
        #expect(main.map(\.frameIndex) == main.indices.map(UInt64.init))
    }
}
