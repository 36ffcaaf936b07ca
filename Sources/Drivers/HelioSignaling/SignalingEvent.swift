/// An event of a `SignalingService`. The events of each connection are reported in this order.
public enum SignalingEvent: Sendable {
    /// A connection is open for messages.
    case opened(any SignalingConnection)
    /// A whole message, valid UTF-8 and at most 64 KiB.
    case message(any SignalingConnection, [UInt8])
    /// A connection is closed, by either end: the last event of this connection.
    case closed(any SignalingConnection)
}
