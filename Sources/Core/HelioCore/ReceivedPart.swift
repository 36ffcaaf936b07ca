/// A part of an access unit: one or more whole NAL units, on their way from the jitter buffer to the decoder before the
/// rest of the access unit has arrived.
///
/// The access unit's `ReceivedFrame` contains these bytes again, but is never output if packets are lost.
package struct ReceivedPart: Sendable {
    /// A position in the stream's access units. A part whose start equals another part's end continues that part.
    package struct Place: Sendable, Hashable {
        /// The access unit's RTP timestamp.
        package var timestamp: UInt32
        /// The number of the access unit's bytes before the position.
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
