/// A transport's measurements of its connection.
package struct BroadcastMeasurement: Sendable, Hashable {
    /// The round trip to the other end; `nil` if it is unknown.
    package var roundTrip: Duration?
    /// The bytes handed to the network since the connection began, including headers and retransmissions.
    package var sentBytes: Int64

    package init(roundTrip: Duration?, sentBytes: Int64) {
        self.roundTrip = roundTrip
        self.sentBytes = sentBytes
    }
}
