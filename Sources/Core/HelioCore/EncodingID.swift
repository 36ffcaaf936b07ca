/// One of the encodes that a source makes of its one screen.
package enum EncodingID: UInt8, Sendable, Hashable, CaseIterable {
    /// The encode that everybody is sent, as a rule.
    case main
    /// The encode for viewers whose paths carry far less than the others': smaller, and with fewer frames.
    case second

    /// The index of the encode's first frame: no two encodes have frames of the same index, so that no frame is taken
    /// for another's where a viewer has been sent both.
    package var firstFrameIndex: UInt64 { self == .main ? 0 : 1 << 40 }
}
