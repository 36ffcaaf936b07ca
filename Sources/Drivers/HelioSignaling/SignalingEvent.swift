/// An event of a `SignalingService`. The events of each connection are reported in this order.
package enum SignalingEvent {
    /// A connection is open for messages.
    case opened(any SignalingConnection)
    /// A whole message, valid UTF-8 and of bounded size.
    case message(any SignalingConnection, [UInt8])
    /// A connection is closed, by either end: the last event of this connection.
    case closed(any SignalingConnection)
}
