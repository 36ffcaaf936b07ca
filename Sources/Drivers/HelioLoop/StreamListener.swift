package import NIOCore
private import NIOPosix

/// Opens listening TCP ports, with the options that all servers of this project share.
package enum StreamListener {
    /// Starts to listen. If the port is 0, the system picks a free port, which the channel's local address contains.
    ///
    /// - Parameters:
    ///   - backlog: the number of connections that wait in the system to be accepted.
    ///   - limit: the limit on accepted connections; `nil` accepts all connections.
    ///   - limited: called on the loop each time that the limit refuses a connection or pauses the listener.
    ///   - accept: called on the loop with each connection, to set up its handlers. An error closes the connection.
    package static func bind(
        host: String, port: Int, on loop: any EventLoop, backlog: Int32 = 128,
        limit: (any AcceptLimiting)? = nil, limited: @escaping @Sendable (AcceptEvent) -> Void = { _ in },
        accept: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: backlog)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let limit else { return }
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(limit, report: limited))
                }
            }
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            // Requests and answers are small, and their latency matters.
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    ThinStream.prepare(channel)
                    try accept(channel)
                }
            }
        // A numeric address is not resolved: the resolver refuses `::` if no interface has an IPv6 address.
        guard let address = try? SocketAddress(ipAddress: host, port: port) else {
            return bootstrap.bind(host: host, port: port)
        }
        return bootstrap.bind(to: address)
    }
}
