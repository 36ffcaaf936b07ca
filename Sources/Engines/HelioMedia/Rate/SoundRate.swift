package import HelioCore

/// The rate at which sound is sent on a path, by which the rest of the path's rate is the picture's.
package struct SoundRate: Sendable {
    private static let window = Duration.milliseconds(500)
    /// The rate is told in steps, so that no encoder is reset for nothing: 16 kbit/s.
    private static let step = 16_000

    private var begun: Instant?
    private var bytes = 0
    package private(set) var current = Bitrate(bitsPerSecond: 0)

    package init() {}

    /// Notes a packet of sound that has left, in bytes.
    package mutating func note(_ size: Int, now: Instant) {
        if begun == nil { begun = now }
        bytes += size
        update(now)
    }

    package mutating func update(_ now: Instant) {
        guard let begun, now - begun >= Self.window else { return }
        let rate = Double(bytes) * 8 / (now - begun).inSeconds
        let isOver = bytes == 0
        current = Bitrate(bitsPerSecond: (Int(rate) + Self.step - 1) / Self.step * Self.step)
        bytes = 0
        self.begun = isOver ? nil : now
    }

    /// What sound leaves of a path's rate: half of it at least.
    package func rest(of bitrate: Bitrate) -> Bitrate {
        Bitrate(bitsPerSecond: max(bitrate.bitsPerSecond / 2, bitrate.bitsPerSecond - current.bitsPerSecond))
    }
}
