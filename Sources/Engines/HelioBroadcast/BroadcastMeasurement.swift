/// A transport's measurements of its connection.
package struct BroadcastMeasurement: Sendable, Hashable {
    /// The round trip to the peer; `nil` if it is unknown.
    package var roundTrip: Duration?
    /// The bytes sent since the connection began, including headers and retransmissions.
    package var sentBytes: Int64

    package init(roundTrip: Duration?, sentBytes: Int64) {
        self.roundTrip = roundTrip
        self.sentBytes = sentBytes
    }
}
