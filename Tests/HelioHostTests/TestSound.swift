import HelioCore

/// One origin's sound, captured and encoded on demand: every packet is identified by its payload.
///
/// Its media time passes 2^32 after two seconds, so that 32-bit timestamps wrap.
struct TestSound {
    static let firstTime: Int64 = 1 << 32 - 96_000

    /// The identification in a packet's payload.
    struct Mark: Equatable {
        var mediaTime: Int64
        var frames: Int
    }

    let origin: SoundOrigin
    /// The time between two packets in sample frames, if longer than a packet: the rest is silence.
    var spacing: Int64 = 0
    /// True if there is only silence: no packets are made.
    var isSilent = false
    private(set) var demand = SoundDemand.none
    /// The time of the next packet of each active encode.
    private var next: [(encode: SoundEncode, time: Int64)] = []
    /// The encodes whose encoder delivers nothing although it is requested.
    var broken: Set<SoundEncode> = []

    init(_ origin: SoundOrigin) { self.origin = origin }

    static func captured(_ time: Int64) -> Instant {
        .zero + .nanoseconds((time - firstTime) * 1_000_000_000 / 48_000)
    }

    static func time(_ instant: Instant) -> Int64 { firstTime + instant.nanoseconds * 48 / 1_000_000 }

    static func frames(_ encode: SoundEncode) -> Int { Int((encode.packetDuration.inSeconds * 48_000).rounded()) }

    mutating func set(_ demand: SoundDemand, now: Instant) {
        self.demand = demand
        next.removeAll { !demand.encodes.contains($0.encode) }
        let added = demand.encodes.filter { encode in !next.contains { $0.encode == encode } }
        for encode in added.sorted(by: { $0.bitrate > $1.bitrate }) {
            // An encoder starts at the next whole packet.
            let frames = Int64(Self.frames(encode))
            let step = max(frames, spacing)
            next.append((encode, (Self.time(now) + step - 1) / step * step))
        }
    }

    var deadline: Instant? {
        next.map { Self.captured($0.time + Int64(Self.frames($0.encode))) + .microseconds(1) }.min()
    }

    /// Returns the packets that are complete by now.
    mutating func packets(now: Instant) -> [EncodedSound] {
        var all: [EncodedSound] = []
        for index in next.indices {
            let (encode, _) = next[index]
            let frames = Self.frames(encode)
            while Self.captured(next[index].time + Int64(frames)) <= now {
                if !isSilent, !broken.contains(encode) {
                    all.append(packet(encode, next[index].time, frames))
                }
                next[index].time += max(Int64(frames), spacing)
            }
        }
        return all.sorted { $0.mediaTime + Int64($0.frames) < $1.mediaTime + Int64($1.frames) }
    }

    private func packet(_ encode: SoundEncode, _ time: Int64, _ frames: Int) -> EncodedSound {
        let size = encode.codec == .pcm ? frames * 4 : encode.bitrate * frames / 48_000 / 8
        var payload = (0..<8).map { UInt8(truncatingIfNeeded: time >> ($0 * 8)) }
        payload += [UInt8(frames >> 8), UInt8(frames & 255)]
        while payload.count < size { payload.append(UInt8(truncatingIfNeeded: payload.count)) }
        return EncodedSound(
            origin: origin, encode: encode, payload: payload, mediaTime: time, frames: frames,
            captured: Self.captured(time))
    }

    /// Parses a payload; returns `nil` if it was modified.
    static func mark(_ payload: [UInt8]) -> Mark? {
        guard payload.count > 10 else { return nil }
        for index in 10..<payload.count where payload[index] != UInt8(truncatingIfNeeded: index) { return nil }
        let time = (0..<8).reduce(Int64(0)) { $0 | Int64(payload[$1]) << ($1 * 8) }
        return Mark(mediaTime: time, frames: Int(payload[8]) << 8 | Int(payload[9]))
    }
}

/// A viewer's received sound of one origin.
struct HeardSound {
    private(set) var packets: [ReceivedSound] = []
    private(set) var clocks: [(clock: SoundClock, at: Instant)] = []
    /// The number of packets whose payload or timestamp is not the source's.
    private(set) var wrong = 0
    private var numbers: Set<ExtendedSequence> = []
    /// The number of packets that were delivered more than once.
    private(set) var twice = 0
    /// The delays from the end of capture to arrival, of packets not recovered from redundancy.
    private(set) var delays: [Duration] = []

    mutating func take(_ sound: ReceivedSound, now: Instant) {
        if !numbers.insert(sound.sequence).inserted { twice += 1 }
        packets.append(sound)
        guard let mark = TestSound.mark(sound.payload),
            UInt32(truncatingIfNeeded: mark.mediaTime) == UInt32(truncatingIfNeeded: sound.mediaTime)
        else {
            wrong += 1
            return
        }
        if !sound.isRedundant {
            delays.append(now - TestSound.captured(mark.mediaTime + Int64(mark.frames)))
        }
    }

    mutating func take(_ clock: SoundClock, now: Instant) { clocks.append((clock, now)) }

    mutating func removeAll() { self = HeardSound() }

    /// The numbers of sample frames between the first and the last received ones, of those that are missing, and of
    /// those that arrived in two packets with different numbers.
    var account: (frames: Int, missing: Int, doubled: Int) {
        let marks = packets.compactMap { TestSound.mark($0.payload) }.sorted { $0.mediaTime < $1.mediaTime }
        guard let first = marks.first else { return (0, 0, 0) }
        var end = first.mediaTime
        var (missing, doubled) = (0, 0)
        for mark in marks {
            if mark.mediaTime > end { missing += Int(mark.mediaTime - end) }
            if mark.mediaTime < end { doubled += Int(min(end, mark.mediaTime + Int64(mark.frames)) - mark.mediaTime) }
            end = max(end, mark.mediaTime + Int64(mark.frames))
        }
        return (Int(end - first.mediaTime), missing, doubled)
    }

    var codecs: Set<SoundCodec> { Set(packets.map(\.codec)) }
}
