import HelioCore
import HelioHost
import HelioRTP
import HelioSimulation
import Testing

@testable import HelioSession

/// What one viewer that was let in can make of everybody's stream by its reports.
@Suite("What a guest's reports can do")
struct GuestTests {
    private static let range = Bitrate.kilobits(300)...Bitrate.megabits(20)

    /// A hundred of them within a second.
    @Test(
        "the encoder is told seldom, and nothing that was not agreed on, whatever a guest says",
        arguments: [
            "zero": [0], "tiny": [1, 999, 500, 64], "huge": [1 << 62, 1 << 50], "a step": [5_000_000, 5_500_001],
            "by a hair": [5_000_000, 5_020_000], "up and down": [0, 1 << 62],
            "all": [0, 20_000_000, 700_000, 1 << 40, 999],
        ].sorted { $0.key < $1.key })
    func rates(name: String, said: [Int]) throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.pass(.seconds(1))
        _ = world.takeBitrates()
        for second in 1...5 {
            for index in 0..<100 {
                world.suggest(said[index % said.count], guest)
                world.pass(.milliseconds(10))
            }
            let told = world.takeBitrates()
            // Two rises, and after each falls to half or less.
            #expect(told.count <= 6, "\(name), second \(second): \(told)")
            #expect(told.allSatisfy { Self.range.contains($0) }, "\(name): \(told)")
            if name == "by a hair", second > 1 { #expect(told.isEmpty) }
            if name == "huge" { #expect(told.isEmpty) }
        }
        if name == "zero" || name == "tiny" {
            #expect(world.host.statistics.viewers[0].suggestedBitrate == .kilobits(300))
        }
        if name == "huge" { #expect(world.host.statistics.viewers[0].suggestedBitrate == .megabits(20)) }
    }

    @Test("a hundred different words within a second are a few changes, down and up again")
    func ramp() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        for step in 0..<100 {
            world.suggest(20_000_000 - abs(50 - step) * 390_000, guest)
            world.pass(.milliseconds(10))
        }
        let told = world.takeBitrates()
        #expect((1...6).contains(told.count) && told.allSatisfy { Self.range.contains($0) }, "\(told)")
    }

    @Test("the last word counts once it may")
    func lastWord() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.suggest(8_000_000, guest)
        world.suggest(6_000_000, guest)
        world.suggest(7_000_000, guest)
        #expect(world.takeBitrates().map(\.bitsPerSecond) == [8_000_000])
        world.pass(.milliseconds(501))
        #expect(world.takeBitrates().map(\.description) == ["7.0 Mbit/s"])
    }

    @Test("the rate is the agreed one again when who was slow has left")
    func left() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.suggest(0, guest)
        #expect(world.takeBitrates() == [.kilobits(300)])
        world.pass(.seconds(1))
        world.leave(guest)
        #expect(world.takeBitrates() == [.megabits(20)])
    }

    @Test("a huge word does not take the pacer away: a keyframe leaves at five times the agreed rate at the most")
    func pacer() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.suggest(1 << 62, guest)
        world.pass(.seconds(1))
        let before = guest.bytes
        let unit: [UInt8] = [0, 0, 0, 1, 0x65] + [UInt8](repeating: 0x80, count: 3_000_000)
        let timing = FrameTiming(damaged: world.now, captured: world.now)
        world.tell(
            .slice(
                EncodedSlice(
                    frameIndex: 0, annexB: unit, isFirst: true, isLast: true, isKeyframe: true, timing: timing)))
        #expect(guest.bytes - before < 200_000, "at once")
        world.pass(.milliseconds(100))
        #expect(guest.bytes - before < 200_000 + 1_300_000)
        world.pass(.milliseconds(200))
        #expect(guest.bytes - before > 3_000_000)
    }

    @Test("keyframes are limited for the host as a whole, and who joins has one at once all the same")
    func keyframes() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch(), try world.watch()]
        world.pass(.seconds(3))
        _ = world.takeKeyframes()
        var asked = 0
        for _ in 0..<1000 {
            for guest in guests { world.losePicture(guest) }
            world.pass(.milliseconds(10))
            asked += world.takeKeyframes().count
        }
        // Two a second, and four at once to begin with.
        #expect((20...24).contains(asked), "\(asked)")
        let newcomer = try world.watch()
        world.pass(.milliseconds(100))
        #expect(world.takeKeyframes().contains("a viewer joined"))
        _ = newcomer
    }

    @Test("a keyframe answers all that was asked for before it")
    func oneForAll() throws {
        let world = GuestWorld()
        let guests = [try world.watch(), try world.watch()]
        world.pass(.seconds(3))
        _ = world.takeKeyframes()
        for guest in guests { world.losePicture(guest) }
        #expect(world.takeKeyframes().count == 1)
        var encoder = TestEncoder(seed: 1)
        for slice in encoder.frame(keyframe: true, now: world.now) { world.tell(.slice(slice)) }
        world.pass(.seconds(1))
        #expect(world.takeKeyframes().isEmpty)
        world.losePicture(guests[0])
        #expect(world.takeKeyframes().count == 1)
    }

    @Test("pausing and going on again is no way around the limit")
    func pauses() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.pass(.seconds(3))
        _ = world.takeKeyframes()
        var asked = 0
        for _ in 0..<100 {
            try world.pauseAndGoOn(guest)
            world.pass(.milliseconds(100))
            asked += world.takeKeyframes().count
        }
        #expect((2...24).contains(asked), "\(asked)")
    }

    @Test("viewers are told what is agreed on, and what is coded for, when it changes (rows 18, 31)")
    func terms() throws {
        let world = GuestWorld()
        let guest = try world.watch()
        world.suggest(5_000_000, guest)
        #expect(guest.terms.map(\.coded) == [.megabits(5)])
        #expect(guest.terms.map(\.bitrate) == [.megabits(20)])
        let limited = try world.watch(StreamCapabilities(framesPerSecond: 25, bitrate: .megabits(2)))
        #expect(guest.terms.last == StreamTerms(body: Array("fps=25;bitrate=2000000;now=2000000".utf8)))
        world.leave(limited)
        #expect(guest.terms.last?.framesPerSecond == 60 && guest.terms.last?.bitrate == .megabits(20))
        #expect(limited.terms.isEmpty, "what was in the offer is not told again")
    }
}
