private import Glibc
internal import HelioExtension

/// A generator of a 440 Hz tone in place of the apps' sound: 48 kHz, two channels, in blocks of 10 ms.
struct Tone {
    private static let rate = 48000
    private static let samples = 480
    private static let stretch: Int64 = 10_000_000

    private var next: Int64?
    private var phase = 0.0

    /// Sends the tone up to `now`, in nanoseconds of the machine's monotonic clock.
    mutating func give(until now: Int64, to relay: BroadcastRelay) {
        // The tone continues at the time where it stopped, or after a long pause 20 blocks before `now`.
        var at = max(next ?? now, now - 20 * Self.stretch)
        while at <= now {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(Self.samples * 4)
            for _ in 0..<Self.samples {
                phase = (phase + 2 * .pi * 440 / Double(Self.rate)).truncatingRemainder(dividingBy: 2 * .pi)
                let value = UInt16(bitPattern: Int16(sin(phase) * 8000))
                for _ in 0..<2 { bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }
            }
            relay.write(
                samples: bytes, sampleRate: Self.rate, channels: 2, isMicrophone: false,
                presentationTime: .nanoseconds(at))
            at += Self.stretch
        }
        next = at
    }
}
