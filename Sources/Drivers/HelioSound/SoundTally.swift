package import HelioCore

/// The statistics of the sound that is captured from one `SoundOrigin`.
package struct SoundTally: Sendable {
    /// The encodings that are currently made.
    package var encodes: Set<SoundEncode> = []
    /// The number of packets of each encoding since sharing began.
    package var packets: [SoundEncode: Int] = [:]
    /// The drops since sharing began, counted by reason.
    package var drops: [String: Int] = [:]
    /// The number of sample frames that were lost because they were not read in time.
    package var overruns: UInt64 = 0

    package init(
        encodes: Set<SoundEncode> = [], packets: [SoundEncode: Int] = [:], drops: [String: Int] = [:],
        overruns: UInt64 = 0
    ) {
        self.encodes = encodes
        self.packets = packets
        self.drops = drops
        self.overruns = overruns
    }
}
