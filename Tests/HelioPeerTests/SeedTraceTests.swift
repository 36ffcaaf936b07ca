import Foundation
import HelioCore
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSDP
import HelioSTUN
import HelioSimulation
import Testing

/// Prints traces for `ReproducibilityTests`, which runs it in two processes.
struct SeedTraceTests {
    private func tell(_ trace: SeedTrace, _ world: String) {
        if ProcessInfo.processInfo.environment["HELIO_SEED_TRACE"] != nil { print(trace.line(world)) }
    }

    /// Six tracks of a host whose packets are sent at the same instants.
    @Test func mediaWorld() throws {
        var host = Peer("host", MediaWorld.configuration("host"))
        var viewer = Peer("viewer", MediaWorld.configuration("viewer"))
        var streams: [Transceiver.ID: SendingStream] = [:]
        for _ in 0..<6 {
            let stream = host.stream()
            streams[try host.negotiation.addTrack(.video, stream, receives: false)] = stream
        }
        try host.exchange(with: &viewer)
        let media = try #require(host.negotiation.agreement?.media)
        var sender = MediaEnd("host", media, streams)
        var receiver = MediaEnd("viewer", try #require(viewer.negotiation.agreement?.media))
        var trace = SeedTrace()
        for number in 0..<150 {
            let now = Instant.zero + .milliseconds(number * 20)
            for section in media {
                var frames = FrameSource(section.transceiver, start: now, seed: UInt64(number))
                frames.wantsKeyframe = number % 50 == 0
                for slice in frames.take() {
                    let sent = EncodedSlice(
                        frameIndex: UInt64(number), annexB: slice.annexB, isFirst: slice.isFirst, isLast: slice.isLast,
                        isKeyframe: slice.isKeyframe, timing: slice.timing)
                    sender.transport.send(sent, codec: .h264, on: section.transceiver, now: now)
                }
            }
            sender.tick(now: now)
            receiver.tick(now: now)
            var sequence = 0
            while let packet = sender.pollDatagram(now: now) {
                sequence += 1
                if (sequence + number) % 17 != 0 { receiver.receive(packet, now: now) }
            }
            while let packet = receiver.pollDatagram(now: now) { sender.receive(packet, now: now) }
        }
        for packet in sender.sent + receiver.sent { trace.add(packet) }
        for frame in receiver.frames { trace.add(frame.annexB) }
        #expect(trace.count > 3000 && receiver.frames.count > 300)
        tell(trace, "MediaWorld")
    }

    /// DTLS uses the system's randomness: its records are excluded from the trace, and of protected packets only header
    /// and size count.
    @Test func peerWorld() throws {
        let pair = try MediaPair(seed: 77, .init(loss: 0.03, relays: (.udp, .udp))) { a, _ in
            a.stunServers = [PeerWorld.server]
        } prepare: {
            world in
            for name in ["t", "u", "v"] {
                try world.call(world.a) { _ = try $0.addTrack(.video, stream: name, receives: false, now: $1) }
            }
        }
        let world = pair.world
        for transceiver in world.a.connection.transceivers { pair.start(world.a, transceiver.id) }
        try world.run(for: .seconds(5))
        var trace = SeedTrace()
        for node in [world.a, world.b] {
            for bytes in node.sent {
                switch DatagramKind(bytes.span.bytes) {
                case .stun: trace.add(bytes)
                case .rtp: trace.add(Array(bytes.prefix(12)) + Array("\(bytes.count)".utf8))
                default: break
                }
            }
            for frame in node.frames { trace.add(frame.annexB) }
            trace.add("\(node.states) \(node.candidates)")
        }
        #expect(trace.count > 1000)
        tell(trace, "PeerWorld")
    }
}
