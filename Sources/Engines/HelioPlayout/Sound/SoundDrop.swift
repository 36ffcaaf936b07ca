/// A reason for which audio playout drops something, by name.
package enum SoundDrop: String, Sendable, CaseIterable, Hashable {
    /// A packet received twice, or redundancy for a packet already received.
    case duplicate
    /// A packet that arrived after its time had been played, concealed or skipped.
    case late
    /// A packet evicted because the buffer exceeded its limit: the oldest goes first.
    case overflow
    /// A packet whose media time is impossible: far from those of other packets at this moment.
    case implausible
    /// Sound skipped to catch up after a stall, counted in packets.
    case skipped
    /// A payload that the decoder rejects, or a codec without a decoder.
    case undecodable
    /// A payload that decodes to nothing, or to more than a packet may hold.
    case badLength = "bad-length"
}
