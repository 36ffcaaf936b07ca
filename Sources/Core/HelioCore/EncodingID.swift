/// One of the encodes that a source makes of its screen.
package enum EncodingID: UInt8, Sendable, Hashable, CaseIterable {
    /// The encode that viewers are sent by default.
    case main
    /// The encode for viewers with much slower paths than the other viewers: smaller pictures, and fewer frames.
    case second

    /// The index of the encode's first frame. No two encodes share a frame index, so that a viewer that was sent both
    /// never mistakes one frame for another.
    package var firstFrameIndex: UInt64 { self == .main ? 0 : 1 << 40 }
}
