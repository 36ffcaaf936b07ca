package import HelioCore

/// What became of an origin's sound so far.
package struct SoundTally: Sendable {
    /// The encodes that are made now.
    package var encodes: Set<SoundEncode> = []
    /// The packets of each encode since sharing began.
    package var packets: [SoundEncode: Int] = [:]
    /// What was dropped since sharing began, counted by reason.
    package var drops: [String: Int] = [:]
    /// The sample frames that nobody took in time.
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
