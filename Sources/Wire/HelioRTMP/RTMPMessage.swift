/// An RTMP message, which is sent as chunks (section 6).
package struct RTMPMessage: Sendable, Hashable {
    package var type: RTMPMessageType
    /// The message stream, 0 for the connection itself.
    package var streamID: UInt32
    /// The timestamp in milliseconds, which wraps after 49 days.
    package var timestamp: UInt32
    package var payload: [UInt8]

    package init(_ type: RTMPMessageType, streamID: UInt32 = 0, timestamp: UInt32 = 0, payload: [UInt8]) {
        self.type = type
        self.streamID = streamID
        self.timestamp = timestamp
        self.payload = payload
    }
}
