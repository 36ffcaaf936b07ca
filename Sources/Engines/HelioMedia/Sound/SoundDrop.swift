/// A reason for which the playout of sound throws something away, by name.
package enum SoundDrop: String, Sendable, CaseIterable, Hashable {
    /// A packet that came twice, or redundancy for one that had come.
    case duplicate
    /// A packet that came after its time had been played, concealed or passed over.
    case late
    /// A packet that would have made the buffer longer than it may be: the oldest is thrown away.
    case overflow
    /// A packet whose time can't be: far from where packets are at this moment.
    case implausible
    /// Sound passed over to catch up after a stall, a packet each.
    case skipped
    /// A payload that the decoder does not take, or a codec for which there is none.
    case undecodable
    /// A payload that decodes to nothing, or to more than a packet may hold.
    case badLength = "bad-length"
}
