/// The beginning of an access unit, or what follows on it, on its way from the jitter buffer to the decoder while the rest
/// is still being sent: one or more whole NAL units.
///
/// The access unit's `ReceivedFrame` holds all of it again, and may never come.
package struct ReceivedPart: Sendable {
    package var codec: VideoCodec
    /// The NAL units in Annex-B form, with start codes of 4 bytes.
    package var annexB: [UInt8]
    /// The bytes of the access unit before these; 0 begins one.
    package var offset: Int
    /// The access unit's RTP timestamp.
    package var timestamp: UInt32

    package init(codec: VideoCodec = .h264, annexB: [UInt8], offset: Int, timestamp: UInt32) {
        self.codec = codec
        self.annexB = annexB
        self.offset = offset
        self.timestamp = timestamp
    }

    /// The offset of what follows on it.
    package var end: Int { offset + annexB.count }
}
