package import HelioCore

/// What a playout of sound has done since it began, and how it stands now.
package struct SoundStatistics: Sendable, Hashable {
    /// The codec of the last packet played.
    package var codec: SoundCodec?
    /// The delay aimed at, from a packet's arrival on the shortest way to its samples being asked for, in milliseconds.
    package var targetDelay = 0.0
    /// The delay as it is.
    package var delay = 0.0
    /// How much later packets come than on the shortest way, in milliseconds: 95 % of the last seconds' come within.
    package var jitter = 0.0
    /// The rate at which the source's clock runs ahead of the output's, in parts per million, as far as it was found.
    package var drift = 0.0
    /// Packets that came, by themselves or as redundancy, and were taken.
    package var packets = 0
    /// Packets that redundancy or the next packet brought back (RFC 2198, Opus' in-band FEC).
    package var recovered = 0
    /// Packets whose time came before they did.
    package var lost = 0
    /// The sound made up, in milliseconds.
    package var concealed = 0.0
    /// Sound stretched to be longer, in milliseconds gained.
    package var lengthened = 0.0
    /// Sound shortened, in milliseconds saved.
    package var shortened = 0.0
    /// How often sound was due and none was there. Silence that was not sent (DTX) is none.
    package var underruns = 0
    /// Interruptions that can be heard: longer than 20 ms without real sound where sound was due, or a jump.
    package var gaps = 0
    /// How often the stream began anew: its time jumped.
    package var restarts = 0

    package init() {}
}
