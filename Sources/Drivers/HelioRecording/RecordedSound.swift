package import HelioCore

/// One packet of Opus for a recording.
package struct RecordedSound: Sendable {
    package var origin: SoundOrigin
    package var payload: [UInt8]
    /// The time at which the first sample was captured, on the clock that the recording's pictures and sound share.
    package var captured: Instant

    package init(origin: SoundOrigin, payload: [UInt8], captured: Instant) {
        self.origin = origin
        self.payload = payload
        self.captured = captured
    }
}
