/// The reason why a `RendezvousConnection` dropped something or gave a connection up.
package enum RendezvousPortDrop: String, CaseIterable, Hashable, Sendable {
    /// A datagram while too much waits to be sent.
    case dataWaiting = "data-waiting"
    /// A connection whose server does not read: too much waits to be sent.
    case unread
    /// A frame to send while there is no connection.
    case notConnected = "not-connected"
    /// A connection that could not be made.
    case notReached = "not-reached"
    /// A connection whose answer to the WebSocket's request took too long.
    case slowAnswer = "slow-answer"
    /// An answer that is no WebSocket's.
    case notRendezvous = "not-rendezvous"
    /// A connection that the network's HTTP proxy has refused.
    case proxyRefused = "proxy-refused"
    /// A connection on which the server no longer answers pings.
    case silent
    /// A frame that breaks RFC 6455, or is too long.
    case malformedFrame = "malformed-frame"
    /// A text message, which the protocol does not have.
    case textMessage = "text-message"
}
