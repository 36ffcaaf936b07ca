/// What a `SignalingService` tells, for each connection in this order.
package enum SignalingEvent {
    /// Somebody is there.
    case opened(any SignalingConnection)
    /// A whole message, valid UTF-8 and of bounded size.
    case message(any SignalingConnection, [UInt8])
    /// Gone, whoever ended it. The last of this connection.
    case closed(any SignalingConnection)
}
