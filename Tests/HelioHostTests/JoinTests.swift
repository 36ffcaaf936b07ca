import HelioAdmission
import HelioControlWire
import HelioCore
import HelioHost
import HelioRemote
import HelioRemoteWire
import HelioSession
import HelioSimulation
import Testing

/// A complete join of each kind of viewer, with engines alone: admission, negotiation, path, first picture, control,
/// leaving.
@Suite("A whole join")
struct JoinTests {
    private static func names(_ events: [SourceHost.Event]) -> [String] {
        events.compactMap {
            switch $0 {
            case .joined: "joined"
            case .left(_, _, _, let reason): "left: \(reason)"
            case .watched(let isWatched): isWatched ? "watched" : "unwatched"
            default: nil
            }
        }
    }

    @Test(
        "a browser's: ICE, DTLS and SCTP too",
        arguments: [("lan", LinkConditions.lan), ("wifi", .wifi), ("5 % lost", .lossy5)])
    func browser(name: String, conditions: LinkConditions) throws {
        for seed in UInt64(1)...8 {
            let world = JoinWorld(conditions, seed: seed)
            try world.run(.seconds(30)) {
                world.frames.count >= 3 && world.openChannels.count == 2
                    && world.told.contains { if case .ticket = $0 { true } else { false } }
            }
            let first = try #require(world.firstFrame, "\(name), seed \(seed)")
            // Eight round trips on a path without loss: four for signalling, and those of ICE, DTLS and the picture.
            if conditions.loss == .none {
                #expect(first - world.began < .milliseconds(50) + conditions.delay * 20, "\(name), seed \(seed)")
            }
            #expect(world.state == .watching && Self.names(world.events) == ["watched", "joined"])
            #expect(world.openChannels.count == 2, "\(name), seed \(seed)")

            try world.does(.mouseDown(.left, at: PressPlace(.center, order: 1)))
            try world.run(.seconds(5)) { !world.injected.isEmpty && world.injected.last?.isButtonDown == true }
            #expect(world.injected.last?.isButtonDown == true, "\(name), seed \(seed)")

            let before = world.frames.count
            try world.run(.seconds(1))
            #expect(world.frames.count > before + 30, "\(name), seed \(seed)")
            let viewer = try #require(world.viewer)
            #expect(viewer.isWeb && viewer.packetsSent > 0 && viewer.bytesSent > viewer.packetsSent)

            world.leave()
            try world.run(.seconds(40)) { world.state == nil }
            #expect(Self.names(world.events).dropLast() == ["watched", "joined", "unwatched"])
            // The viewer's goodbye may be lost.
            let last = Self.names(world.events).last
            #expect(last == "left: left" || conditions.loss != .none && last == "left: no way to the peer works")
            // The button is released.
            #expect(world.injected.last?.isButtonDown == false)
            #expect(world.host.held.values.allSatisfy { $0 == 0 } && world.control.channelCount == 0)
            #expect(!world.isSocketOpen)
        }
    }

    @Test("a browser whose network goes away is told of as gone, and leaves nothing")
    func vanished() throws {
        let world = JoinWorld(.lan)
        try world.run(.seconds(5)) { world.frames.count >= 3 }
        let cut = world.now..<world.now + .seconds(3600)
        world.toHost.partitions = [cut]
        world.toBrowser.partitions = [cut]
        try world.run(.seconds(120)) { world.state == nil }
        #expect(Self.names(world.events).last == "left: no way to the peer works")
        #expect(world.now - cut.lowerBound < .seconds(60))
        #expect(world.host.held.values.allSatisfy { $0 == 0 } && world.control.channelCount == 0)
    }

    @Test(
        "a viewer's of our own kind", arguments: [("lan", LinkConditions.lan), ("wifi", .wifi), ("5 % lost", .lossy5)])
    func native(name: String, conditions: LinkConditions) throws {
        for seed in UInt64(1)...8 {
            var world = SessionWorld(conditions, seed: seed)
            try world.run(.seconds(2))
            #expect(world.viewer.isPlaying && world.viewer.frames > 60, "\(name), seed \(seed)")
            #expect(Self.names(world.host.events) == ["joined"])
            world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
            try world.run(.seconds(1))
            #expect(world.host.injected.contains(.key(usage: 9, isDown: true)), "\(name), seed \(seed)")
            world.viewer.leave(now: world.now)
            try world.run(.seconds(10))
            #expect(Self.names(world.host.events) == ["joined", "left: left"])
            #expect(world.host.injected.last == .key(usage: 9, isDown: false))
            #expect(world.host.host.held.values.allSatisfy { $0 == 0 } && world.host.control.channelCount == 0)
        }
    }
}

extension InjectedInput {
    fileprivate var isButtonDown: Bool? { if case .button(_, let isDown) = self { isDown } else { nil } }
}
