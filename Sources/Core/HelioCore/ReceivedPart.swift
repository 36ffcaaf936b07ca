/// The beginning or a continuation of an access unit, on its way from the jitter buffer to the decoder while the rest
/// is still being sent: one or more whole NAL units.
///
/// The access unit's `ReceivedFrame` contains all of it again, but may never arrive.
package struct ReceivedPart: Sendable {
    /// A position in the stream's access units. A part that starts at one continues the part that ends there.
    package struct Place: Sendable, Hashable {
        /// The access unit's RTP timestamp.
        package var timestamp: UInt32
        /// The bytes of the access unit before the position; 0 at its beginning.
        package var offset: Int

        package init(timestamp: UInt32, offset: Int) {
            self.timestamp = timestamp
            self.offset = offset
        }
    }

    package var codec: VideoCodec
    /// The NAL units in Annex-B form, with start codes of 4 bytes.
    package var annexB: [UInt8]
    package var start: Place

    package init(codec: VideoCodec = .h264, annexB: [UInt8], start: Place) {
        self.codec = codec
        self.annexB = annexB
        self.start = start
    }

    package var end: Place { Place(timestamp: start.timestamp, offset: start.offset + annexB.count) }
}
