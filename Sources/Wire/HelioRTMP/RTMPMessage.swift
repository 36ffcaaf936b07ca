/// A message of RTMP: what chunks carry (section 6).
package struct RTMPMessage: Sendable, Hashable {
    package var type: RTMPMessageType
    /// 0 for the connection itself.
    package var streamID: UInt32
    /// Milliseconds; begins anew after 49 days.
    package var timestamp: UInt32
    package var payload: [UInt8]

    package init(_ type: RTMPMessageType, streamID: UInt32 = 0, timestamp: UInt32 = 0, payload: [UInt8]) {
        self.type = type
        self.streamID = streamID
        self.timestamp = timestamp
        self.payload = payload
    }
}
