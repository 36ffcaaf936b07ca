package import HelioCore

/// The rate of the sound sent on a path; the rest of the path's rate is left to video.
package struct SoundRate: Sendable {
    private static let window = Duration.milliseconds(500)
    /// The granularity of `current`, 16 kbit/s, so that no encoder is reconfigured for small changes.
    private static let step = 16_000

    private var begun: Instant?
    private var bytes = 0
    package private(set) var current = Bitrate(bitsPerSecond: 0)

    package init() {}

    /// Records that a sound packet of `size` bytes left.
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

    /// The part of a path's rate that sound leaves to video: at least half.
    package func rest(of bitrate: Bitrate) -> Bitrate {
        Bitrate(bitsPerSecond: max(bitrate.bitsPerSecond / 2, bitrate.bitsPerSecond - current.bitsPerSecond))
    }
}
