import HelioCore
import HelioMedia
import HelioRTP
import HelioSimulation

/// A source's video as RTP packets. Each frame's bytes are determined by its number, so that a test can recognise a
/// frame and check that it is complete.
struct TestStream {
    private let codec: VideoCodec
    private var packetizer: RTPPacketizer
    private let firstTimestamp: UInt32
    private let ticksPerFrame: UInt32
    private(set) var frames: UInt64 = 0

    init(
        codec: VideoCodec = .h264, firstSequence: UInt64 = 0x1_0000, firstTimestamp: UInt32 = 0,
        ticksPerFrame: UInt32 = 1500, packetSize: Int = 300
    ) {
        self.codec = codec
        self.firstTimestamp = firstTimestamp
        self.ticksPerFrame = ticksPerFrame
        packetizer = RTPPacketizer(
            codec: codec, ssrc: SSRC(1), payloadType: PayloadType(96), firstSequence: ExtendedSequence(firstSequence),
            maximumPacketSize: packetSize, timingExtensionID: 1)
    }

    /// The next frame's packets.
    mutating func next(isKeyframe: Bool, bytes: Int, now: Instant) -> [(sequence: ExtendedSequence, bytes: [UInt8])] {
        let annexB = Self.annexB(frames, codec: codec, isKeyframe: isKeyframe, bytes: bytes)
        let slice = EncodedSlice(
            frameIndex: frames, annexB: annexB, isFirst: true, isLast: true, isKeyframe: isKeyframe,
            timing: FrameTiming(damaged: now - .milliseconds(3), captured: now - .milliseconds(2)))
        let timestamp = firstTimestamp &+ UInt32(truncatingIfNeeded: frames) &* ticksPerFrame
        var packets: [(sequence: ExtendedSequence, bytes: [UInt8])] = []
        packetizer.packetize(slice, timestamp: timestamp, sent: now, reserve: 0) { sequence, bytes, _ in
            packets.append((sequence, bytes))
        }
        frames += 1
        return packets
    }

    /// Parameter sets for a keyframe, and two slices; without zeros, so there are no emulated start codes.
    static func annexB(_ number: UInt64, codec: VideoCodec, isKeyframe: Bool, bytes: Int) -> [UInt8] {
        var result: [UInt8] = []
        func unit(_ header: [UInt8], _ count: Int) {
            result += [0, 0, 0, 1] + header
            var random = SeededGenerator(seed: number &* 31 &+ UInt64(result.count))
            for _ in 0..<count { result.append(UInt8(1 + random.next() % 255)) }
        }
        switch (codec, isKeyframe) {
        case (.h264, true):
            unit([0x67], 12)
            unit([0x68], 4)
        case (.h265, true):
            unit([0x40, 1], 10)
            unit([0x42, 1], 20)
            unit([0x44, 1], 4)
        default: break
        }
        let header: [UInt8] = codec == .h264 ? [isKeyframe ? 0x65 : 0x41] : [isKeyframe ? 0x26 : 0x02, 1]
        unit(header, bytes / 2)
        unit(header, bytes - bytes / 2)
        return result
    }

    /// Parses a packet as the session does after decryption.
    static func open(_ bytes: [UInt8], extender: inout SequenceExtender, arrival: Instant) -> MediaPacket? {
        guard let header = RTPHeader.parse(bytes.span.bytes), let payload = header.payload(in: bytes.span.bytes) else {
            return nil
        }
        let sequence = extender.extended(header.sequence)
        extender.accept(sequence)
        let range = RTPHeaderExtension.find(id: 1, of: header, in: bytes.span.bytes)
        let timing = range.flatMap { FrameTimingExtension.parse(bytes.span.bytes.extracting($0)) }
        return MediaPacket(
            bytes: bytes, payload: payload, sequence: sequence, timestamp: header.timestamp, marker: header.marker,
            timing: timing, arrival: arrival)
    }
}

/// The outputs of a jitter buffer, by kind.
struct Outputs {
    var parts: [ReceivedPart] = []
    var frames: [ReceivedFrame] = []
    var nacks: [[UInt64]] = []
    var keyframeRequests: [JitterBuffer.KeyframeReason] = []

    init(draining buffer: inout JitterBuffer) {
        while let output = buffer.poll() {
            switch output {
            case .part(let part): parts.append(part)
            case .frame(let frame): frames.append(frame)
            case .nack(let list): nacks.append(list.map(\.rawValue))
            case .needKeyframe(let reason): keyframeRequests.append(reason)
            case .needRepair: break
            }
        }
    }
}
