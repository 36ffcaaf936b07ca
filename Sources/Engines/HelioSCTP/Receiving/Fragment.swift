/// A received fragment of an incomplete message.
struct Fragment: Sendable {
    var flags: DataChunk.Flags
    var stream: UInt16
    var sequence: UInt16
    var protocolID: UInt32
    var payload: [UInt8]
    /// The first and last TSN, and the number of bytes, of the run of adjacent fragments. They are valid only at the
    /// two ends of the run, which suffices to join runs in constant time.
    var first: TransmissionSequence
    var last: TransmissionSequence
    var runBytes: Int

    init(_ chunk: DataChunk, payload: [UInt8], at tsn: TransmissionSequence) {
        flags = chunk.flags
        stream = chunk.stream
        sequence = chunk.sequence
        protocolID = chunk.protocolID
        self.payload = payload
        first = tsn
        last = tsn
        runBytes = payload.count
    }

    var isBeginning: Bool { flags.contains(.beginning) }
    var isEnd: Bool { flags.contains(.end) }
    var isUnordered: Bool { flags.contains(.unordered) }

    /// Returns true if `next`, the fragment with the following TSN, continues the same message.
    func isContinued(by next: Fragment) -> Bool {
        !isEnd && !next.isBeginning && stream == next.stream && isUnordered == next.isUnordered
            && (isUnordered || sequence == next.sequence)
    }
}
