/// The limits of a `RendezvousConnection`.
package struct RendezvousPortSettings: Sendable {
    /// The longest time until the server accepts the TCP connection.
    package var connectTimeout = Duration.seconds(10)
    /// The longest time from the TCP connection to the WebSocket.
    package var openingTimeout = Duration.seconds(15)
    /// The interval of pings, which keep the connection in the tables of routers. A server that has not answered a ping
    /// when the next ping is due is given up.
    package var pingInterval = Duration.seconds(25)
    /// The maximum number of bytes queued for the server. Beyond it, the connection is closed.
    package var maximumWaiting = 1 << 20
    /// The maximum number of bytes queued for the server when a datagram is added. Beyond it, the datagram is dropped:
    /// a late one is worth nothing.
    package var maximumWaitingForData = 64 << 10
    /// The longest wait for the server to close its side of the connection.
    package var closeTimeout = Duration.seconds(2)
    /// Reads a variable of the environment, which names the network's HTTP proxy (`HTTPProxy.find`).
    package var variable: @Sendable (String) -> String? = HTTPProxy.environment

    package init() {}
}
