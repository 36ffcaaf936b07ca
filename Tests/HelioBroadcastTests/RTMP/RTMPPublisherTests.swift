import HelioCore
import HelioProtection
import HelioRTMP
import Testing

@testable import HelioBroadcast

/// One `RTMPPublisher` without a network: the tests deliver the server's bytes and read the outputs.
struct RTMPPublisherTests {
    private struct Stage {
        var publisher: RTMPPublisher
        var outputs: [RTMPPublisher.Output] = []
        private let server: ScriptedServer

        init(_ server: ScriptedServer) throws {
            var random = SeededGenerator(seed: 1)
            publisher = RTMPPublisher(
                to: try RTMPWorld.address(), BroadcastTracks(video: .h264, sound: .opus(channels: 2)),
                random: &random)
            self.server = server
            drain()
        }

        mutating func handle(_ input: RTMPPublisher.Input) {
            publisher.handle(input, now: .zero)
            drain()
        }

        /// Delivers the pending output to the server, without reporting it as sent.
        private mutating func drain() {
            while let output = publisher.poll() {
                guard case .send(let bytes) = output else {
                    outputs.append(output)
                    continue
                }
                for answer in server.answer(bytes) { publisher.handle(.received(answer), now: .zero) }
            }
        }
    }

    private static func unit(_ kind: BroadcastUnit.Kind, _ bytes: [UInt8]) -> BroadcastUnit {
        BroadcastUnit(kind: kind, bytes: bytes, time: .zero)
    }

    /// The publisher accepts units while little is buffered, and none before the server accepts the stream.
    @Test func hasRoom() throws {
        var early = try Stage(ScriptedServer(answers: 1))
        #expect(!early.publisher.hasRoom)
        early.handle(.end)
        #expect(early.outputs == [.ended(nil)])

        var stage = try Stage(ScriptedServer(answers: 3))
        #expect(stage.outputs == [.live])
        #expect(stage.publisher.hasRoom)
        stage.handle(.unit(Self.unit(.keyframe, RTMPWorld.picture(0, isKeyframe: true, size: 40000))))
        #expect(!stage.publisher.hasRoom)
        stage.handle(.written(20000))
        #expect(stage.publisher.hasRoom)
        #expect(stage.publisher.sentBytes == 20000)
        stage.handle(.end)
        #expect(stage.outputs == [.live])
        stage.handle(.written(1 << 20))
        #expect(stage.outputs == [.live, .ended(nil)])
        #expect(stage.publisher.unsentBytes == 0)
    }

    /// An unsupported unit is reported, and the units that depend on it are skipped.
    @Test func unsuitable() throws {
        var stage = try Stage(ScriptedServer(answers: 3))
        stage.outputs = []
        stage.handle(.unit(Self.unit(.picture, RTMPWorld.picture(0, isKeyframe: false))))
        stage.handle(.unit(Self.unit(.keyframe, [1, 2, 3])))
        stage.handle(.unit(Self.unit(.picture, RTMPWorld.picture(1, isKeyframe: false))))
        #expect(stage.outputs == [.unsuitable, .unsuitable, .unsuitable])
        stage.handle(.unit(Self.unit(.keyframe, RTMPWorld.picture(2, isKeyframe: true))))
        stage.handle(.unit(Self.unit(.picture, RTMPWorld.picture(3, isKeyframe: false))))
        // An access unit without a slice: nothing depends on it.
        stage.handle(.unit(Self.unit(.picture, [0, 0, 1, 0x06, 5, 1, 0x80])))
        stage.handle(.unit(Self.unit(.picture, RTMPWorld.picture(4, isKeyframe: false))))
        stage.handle(.unit(Self.unit(.sound, [UInt8](repeating: 1, count: 100_000))))
        #expect(stage.outputs == [.unsuitable, .unsuitable, .unsuitable, .unsuitable, .unsuitable])
    }

    @Test func flooded() throws {
        var stage = try Stage(ScriptedServer(answers: 3))
        let pings = ScriptedServer.chunks((0..<1000).map { RTMPControl.ping($0).message })
        for _ in 0..<2000 { stage.handle(.received(pings)) }
        #expect(stage.outputs.last == .ended(.flooded))
    }

    /// Servers that close the connection in response to the key, and before it.
    @Test func hangUps() throws {
        var stage = try Stage(ScriptedServer(answers: 2))
        stage.handle(.disconnected)
        #expect(stage.outputs == [.ended(.hungUp)])
        stage = try Stage(ScriptedServer(answers: 0))
        stage.handle(.disconnected)
        #expect(stage.outputs == [.ended(.lost)])
    }
}
