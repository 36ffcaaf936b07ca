package import HelioCore

/// One packet of Opus for a recording.
package struct RecordedSound: Sendable {
    package var origin: SoundOrigin
    package var payload: [UInt8]
    /// The time of the first sample's capture, on the clock of all of the recording's pictures and sound.
    package var captured: Instant

    package init(origin: SoundOrigin, payload: [UInt8], captured: Instant) {
        self.origin = origin
        self.payload = payload
        self.captured = captured
    }
}
