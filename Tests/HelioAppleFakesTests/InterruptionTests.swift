#if canImport(HelioLinuxSink)
import HelioAppleFakes
import HelioAppleMedia
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import HelioViewing
import Synchronization
import Testing

/// Events that end Apple's capture or codec sessions during a mirroring session.
@Suite("Interruptions of Apple's sessions", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct InterruptionTests {
    static let size = PixelSize(width: 854, height: 480)

    private func check(_ sight: Sight, _ panel: FakePanel, of way: Way = .appleToLinux) {
        let luma = panel.pictures.luma(of: sight.pixels, against: panel.picture, way.color)
        #expect(luma >= FidelityTests.leastLuma)
        #expect(panel.pictures.worstPatch(of: panel.picture, sight.rgb) <= FidelityTests.mostError)
    }

    @Test("a compression session that the background ended is replaced within the picture", arguments: Way.fromApple)
    func encoderInBackground(way: Way) async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(way, panel) { session in
            let encoding = try #require(session.encoding)
            for number in 1...3 { check(try await session.show(number), panel) }
            #expect(encoding.made.count == 1)
            encoding.fates = [.invalid]
            check(try await session.show(4), panel)
            #expect(encoding.made.count == 2 && encoding.invalidated == 1)
            for number in 5...6 { check(try await session.show(number), panel) }
            #expect(encoding.made.count == 2)
            #expect(encoding.keyframesAsked.last == false)
        }
    }

    @Test(
        "after a decompression session that the background ended a keyframe is asked for, and the picture goes on",
        arguments: Way.toApple, [FakeSessions.Trouble.invalidAtOnce, .invalidInCallback, .badData, .leftOut])
    func decoderInBackground(way: Way, trouble: FakeSessions.Trouble) async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(way, panel) { session in
            let decoding = try #require(session.decoding)
            for number in 1...3 { check(try await session.show(number), panel, of: way) }
            let asked = session.encoding?.keyframesAsked.filter(\.self).count
            decoding.state.withLock { $0.troubles[$0.samples] = [trouble] }
            // The same picture is sent once more, as the requested keyframe.
            check(try await session.show(4), panel, of: way)
            check(try await session.show(5), panel, of: way)
            if let asked { #expect(session.encoding?.keyframesAsked.filter(\.self).count == asked + 1) }
            #expect(decoding.state.withLock { $0.formats.count } == 2)
        }
    }

    @Test(
        "a capture that the system ended is taken up again, and nobody notices but for the wait",
        arguments: Way.fromApple)
    func captureEnds(way: Way) async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(way, panel) { session in
            check(try await session.show(1), panel)
            panel.stopCaptures(.bySystem)
            check(try await session.show(2), panel)
        }
    }

    @Test("a Mac that slept and woke is shown again by itself", arguments: Way.fromApple)
    func wakes(way: Way) async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(way, panel) { session in
            check(try await session.show(1), panel)
            panel.sleep()
            try await eventually("captures are tried in vain") { panel.refusedStarts >= 2 }
            panel.wake()
            check(try await session.show(2), panel)
        }
    }

    @Test(
        "a picture that the session left out, or that can't be read, comes all the same, though nothing moves any more",
        arguments: [CodecSessions.Fate.dropped, .truncated])
    func leftOut(fate: CodecSessions.Fate) async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(.appleToLinux, panel) { session in
            check(try await session.show(1), panel)
            try #require(session.encoding).fates = [fate, fate]
            check(try await session.show(2), panel)
        }
    }

    @Test("hardware that fails is replaced by software, and the picture comes")
    func hardwareFails() async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(.appleToLinux, panel) { session in
            check(try await session.show(1), panel)
            let encoding = try #require(session.encoding)
            encoding.hardwareFails = true
            check(try await session.show(2), panel)
            check(try await session.show(3), panel)
            #expect(encoding.made.map(\.coder) == [.best, .software])
        }
    }

    @Test("a display that gives no picture costs nothing, and is shown once it gives one")
    func blank() async throws {
        let panel = FakePanel(Self.size)
        panel.set(isBlank: true)
        let waiter = CountingWaiter()
        let (platform, sink) = (FakeAppleSource(panel, waiter: waiter), FakeAppleSink())
        try await Session.withSource(platform, .avc) { source in
            try await Session.withViewer(sink, sink.kept, of: source) {
                // The pointer is polled 30 times a second once a viewer watches.
                try await eventually("somebody watches") { platform.pointer.looks >= 3 }
                let before = (waits: waiter.looks, pointer: platform.pointer.looks)
                try await eventually("time passes") { platform.pointer.looks >= before.pointer + 10 }
                let looks = waiter.looks - before.waits
                #expect(looks < 200, "\(looks) in a third of a second")
                panel.set(isBlank: false)
                var reader = sink.kept.reader
                let picture = try await reader.next { panel.pictures.number(in: $0.buffer) == 0 }
                check(try #require(picture.sight), panel)
            }
        }
    }

    @Test("who joins later has a keyframe at once, though nothing moves")
    func secondViewer() async throws {
        let panel = FakePanel(Self.size)
        try await Session.run(.appleToLinux, panel) { session in
            check(try await session.show(9), panel)
            let late = FakeAppleSink()
            try await Session.withViewer(late, late.kept, of: session.source) {
                var reader = late.kept.reader
                let picture = try await reader.next { panel.pictures.number(in: $0.buffer) == 9 }
                check(try #require(picture.sight), panel)
            }
            #expect(session.encoding?.keyframesAsked.last == true)
        }
    }
}
#endif
