/// What a transport has measured of its connection.
package struct BroadcastMeasurement: Sendable, Hashable {
    /// The time to the other end and back.
    package var roundTrip: Duration?
    /// Bytes that were handed to the network, headers and repetitions included, since the connection began.
    package var sentBytes: Int64

    package init(roundTrip: Duration?, sentBytes: Int64) {
        self.roundTrip = roundTrip
        self.sentBytes = sentBytes
    }
}
