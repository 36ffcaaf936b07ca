import HelioCore
import HelioSoundCodecs
import HelioWebRTC

/// Decodes the sound of one track without a jitter buffer, and measures the test tone in it.
struct SoundEar {
    /// The number of packets that have not arrived at all.
    var lost: Int { missing.count }
    /// The number of packets that arrived after a later one, and were not decoded: when a peer switches to another
    /// pair, its packets arrive at two sockets for a moment, which are read in any order.
    private(set) var late = 0
    private var missing: Set<Int> = []
    private let decoder: OpusDecoder
    private var meter = ToneMeter()
    private var last: (number: Int, end: Duration)?

    init() throws {
        decoder = try OpusDecoder(SoundFormat(sampleRate: TestTone.rate, channels: 2))
    }

    mutating func hear(_ sound: HelioWebRTC.ReceivedSound, now: Double) throws -> HeardTone? {
        var samples: [Float] = []
        if let last {
            guard sound.number > last.number else {
                late += 1
                missing.remove(sound.number)
                return nil
            }
            missing.formUnion(last.number + 1..<sound.number)
            // Silence is not sent, and a lost packet is silent here.
            let silent = min(max(.zero, sound.time - last.end), .seconds(2))
            samples = [Float](repeating: 0, count: Int(silent.nanoseconds * 48 / 1_000_000) * 2)
        }
        if sound.packet.isEmpty {
            last?.number = sound.number
            return nil
        }
        let decoded = try decoder.decode(sound.packet)
        last = (sound.number, sound.time + .nanoseconds(decoded.count / 2 * 1_000_000 / 48))
        return meter.hear(samples + decoded, now: now)
    }
}
