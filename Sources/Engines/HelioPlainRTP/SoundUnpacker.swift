internal import HelioBitstream
internal import HelioCore
internal import HelioMedia
internal import HelioRTP
internal import HelioSDP

/// The converter from another program's RTP audio packets to `ReceivedSound`. Each output has one access unit, a media
/// time in 48 kHz sample frames, and a sequence number that has gaps only for missing units.
///
/// If the stream restarts with other sequence numbers and timestamps, the output's numbers and times continue.
struct SoundUnpacker {
    /// The reason for dropping a packet.
    enum Drop: String, CaseIterable, Hashable, Sendable {
        case malformed = "sound-malformed"
        /// An AAC packet that arrived after a later one.
        case late = "sound-late"
    }

    /// The maximum jump in sequence numbers within a stream, equal to `UnprovenSource.mostAhead`. A larger jump is a
    /// restart.
    private static let farthest: Int64 = 3000

    private let sound: PlainSound
    private var depacketizer: AACDepacketizer?
    private(set) var drops = DropCounter<Drop>()

    /// The newest packet, with its RTP values and the corresponding values of the output.
    private struct Newest {
        var source: SSRC?
        var sequence: Int64
        var ticks: Int64
        var arrival: Instant
        /// The output sequence number of the packet's last unit.
        var number: UInt64
        var unitTicks: Int64
        /// True if packets after this unit were lost or malformed.
        var lacksSome = false
    }

    private var newest: Newest?
    /// The offset from the stream's times to media times, in 48 kHz sample frames.
    private var offset: Int64 = 0

    init(_ sound: PlainSound) {
        self.sound = sound
        depacketizer = sound.depacketizer
    }

    /// Returns the media time of an RTP timestamp close to that of the newest packet; `nil` before the first packet.
    func mediaTime(_ timestamp: UInt32) -> Int64? { newest.map { time(MediaClock.widened(timestamp, near: $0.ticks)) } }

    private func time(_ ticks: Int64) -> Int64 {
        let rate = Int64(sound.description.clockRate)
        return offset &+ (ticks / rate &* 48000) &+ ticks % rate * 48000 / rate
    }

    /// Converts a packet to audio with the output's numbers and media times. The result is empty if the packet has no
    /// payload or is dropped.
    ///
    /// - Parameter source: the SSRC of the packet's stream.
    mutating func take(_ packet: ReceivedPacket, of source: SSRC?) -> [ReceivedSound] {
        // Ignore packets without payload, which consist of padding or only open a firewall.
        guard !packet.payload.isEmpty else { return [] }
        let sequence = Int64(clamping: packet.sequence.rawValue)
        if let last = newest, last.source != source || abs(sequence - last.sequence) > Self.farthest {
            begin(anew: last, packet, sequence, source)
        }
        let last = newest
        let ticks = last.map { MediaClock.widened(packet.timestamp, near: $0.ticks) } ?? Int64(packet.timestamp)
        let payload = packet.bytes.span.bytes.extracting(packet.payload)
        if depacketizer != nil { return takeUnits(payload, packet, sequence, ticks, source) }
        guard let bytes = samplesOrOpus(payload) else {
            drops.count(.malformed)
            return []
        }
        let number = last.map { UInt64(clamping: Int64(clamping: $0.number) + sequence - $0.sequence) } ?? Self.first
        if last.map({ sequence > $0.sequence }) ?? true {
            newest = Newest(
                source: source, sequence: sequence, ticks: ticks, arrival: packet.arrival, number: number,
                unitTicks: ticks)
        }
        return [
            ReceivedSound(
                codec: sound.codec, payload: bytes, sequence: ExtendedSequence(number), mediaTime: time(ticks),
                beginsTalk: packet.marker, arrival: packet.arrival)
        ]
    }

    /// The first output sequence number. It leaves numbers for packets that precede the first received one.
    private static let first: UInt64 = 0x1_0000

    /// Continues the output's numbers and media times after a restart of the stream. The first new packet gets the next
    /// number; its media time follows the last one by the time between their arrivals.
    private mutating func begin(
        anew last: Newest, _ packet: ReceivedPacket, _ sequence: Int64, _ source: SSRC?
    ) {
        let pause = max(.zero, packet.arrival - last.arrival)
        let expected = time(last.ticks) &+ MediaClock.soundTime(.zero + pause)
        depacketizer?.reset()
        let ticks = Int64(packet.timestamp)
        offset = 0
        offset = expected &- time(ticks)
        newest = Newest(
            source: source, sequence: sequence - 1, ticks: ticks, arrival: packet.arrival, number: last.number + 1,
            unitTicks: ticks - Int64(sound.unitLength))
    }

    /// Returns the payload in the decoder's format; `nil` if it is invalid.
    private func samplesOrOpus(_ payload: RawSpan) -> [UInt8]? {
        switch sound.description.encoding {
        case .opus: OpusPacket(payload).flatMap { _ in payload.bytes(at: 0, count: payload.byteCount) }
        case .linear16:
            L16Payload.frames(bytes: payload.byteCount, channels: sound.format.channels).flatMap { _ in
                payload.bytes(at: 0, count: payload.byteCount)
            }
        case .muLaw: G711Payload.linear(payload, law: .mu)
        case .aLaw: G711Payload.linear(payload, law: .a)
        case .aac, .latm: nil
        }
    }

    private mutating func takeUnits(
        _ payload: RawSpan, _ packet: ReceivedPacket, _ sequence: Int64, _ ticks: Int64, _ source: SSRC?
    ) -> [ReceivedSound] {
        let last = newest
        if let last {
            guard sequence > last.sequence else {
                drops.count(.late)
                return []
            }
            if sequence > last.sequence + 1 { depacketizer?.reset() }
        }
        var units: [[UInt8]] = []
        var isMalformed = false
        do throws(AACPayload.Malformation) {
            units = try depacketizer?.take(payload, timestamp: packet.timestamp, marker: packet.marker) ?? []
        } catch {
            drops.count(.malformed)
            isMalformed = true
        }
        let length = Int64(max(1, sound.unitLength))
        var present =
            last
            ?? Newest(
                source: source, sequence: sequence, ticks: ticks, arrival: packet.arrival, number: Self.first - 1,
                unitTicks: ticks - length)
        if sequence > present.sequence + 1 || isMalformed { present.lacksSome = true }
        if present.lacksSome, !units.isEmpty {
            // Derive the number of missing units from the timestamps, as a lost packet may have contained several.
            let missing = (ticks - present.unitTicks + length / 2) / length - 1
            present.number += UInt64(min(max(0, missing), Self.farthest))
            present.lacksSome = false
        }
        present.sequence = sequence
        present.ticks = ticks
        present.arrival = packet.arrival
        var sounds: [ReceivedSound] = []
        for (index, unit) in units.enumerated() {
            present.number += 1
            present.unitTicks = ticks &+ Int64(index) * length
            sounds.append(
                ReceivedSound(
                    codec: .aac, payload: unit, sequence: ExtendedSequence(present.number),
                    mediaTime: time(present.unitTicks), arrival: packet.arrival))
        }
        newest = present
        return sounds
    }
}
