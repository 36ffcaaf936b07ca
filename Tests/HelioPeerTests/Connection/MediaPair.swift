import HelioCore
import HelioPeer
import HelioRTP
import HelioSDP
import HelioSimulation
import Testing

/// Two connections of which `a` sends a video to `b`, and checks of the received frames.
struct MediaPair {
    let world: PeerWorld
    /// The transceiver's identifier at either end.
    let screen: Transceiver.ID
    let view: Transceiver.ID

    /// Negotiates and connects both ends.
    init(
        seed: UInt64 = 1, _ conditions: PeerWorld.Conditions = .init(), sendsBothWays: Bool = false,
        configure: (inout PeerConnectionConfiguration, inout PeerConnectionConfiguration) -> Void = { _, _ in },
        prepare: (PeerWorld) throws -> Void = { _ in }
    ) throws {
        world = PeerWorld(seed: seed, conditions, configure: configure)
        let world = world
        screen = try world.call(world.a) { try $0.addTrack(.video, stream: "s", receives: sendsBothWays, now: $1) }
        if sendsBothWays {
            try world.call(world.b) { _ = try $0.addTrack(.video, stream: "t", receives: true, now: $1) }
        }
        try prepare(world)
        try world.begin()
        try #require(try world.run(for: .seconds(20)) { world.isConnected })
        view = try #require(world.b.agreement?.media.first?.transceiver)
    }

    /// Starts sending frames.
    func start(_ node: PeerNode, _ id: Transceiver.ID, size: Int = 3000) {
        node.sources[id] = FrameSource(id, start: world.now + .milliseconds(5))
        node.sources[id]?.size = size
    }

    /// The first fault in the received frames of a source; `nil` if all are unchanged, in order, and none refers to a
    /// missing one.
    static func fault(_ frames: [ReceivedFrame], of source: FrameSource) -> String? {
        var last = -1
        for frame in frames {
            guard let number = source.numbers[frame.annexB] else { return "a frame that nobody sent" }
            if frame.isKeyframe ? number <= last : number != last + 1 { return "\(number) after \(last)" }
            last = number
        }
        return frames.isEmpty ? "no frame" : nil
    }

    /// Expects that `b` has received at least this share of the frames of `a`, without faults.
    func expectFrames(atLeast share: Double, _ name: Comment? = nil) throws {
        let source = try #require(world.a.sources[screen])
        let frames = world.b.framesOf[view] ?? []
        #expect(Self.fault(frames, of: source) == nil, name)
        #expect(Double(frames.count) / Double(source.count) >= share, name)
    }

    /// The RTP packets that a node has sent; the payloads are encrypted, the headers are not.
    static func packets(of node: PeerNode) -> [(header: RTPHeader, bytes: [UInt8])] {
        node.sent.compactMap { packet in
            guard let first = packet.first, first & 0xC0 == 0x80, !RTCPPacket.isRTCP(packet.span.bytes) else {
                return nil
            }
            return RTPHeader.parse(packet.span.bytes).map { ($0, packet) }
        }
    }
}
