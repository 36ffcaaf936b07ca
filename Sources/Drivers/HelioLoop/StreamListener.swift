package import NIOCore
private import NIOPosix

/// Opens TCP ports that take connections, with the options that all our servers want.
package enum StreamListener {
    /// Starts to listen; the channel's local address tells the port where 0 was asked for.
    ///
    /// - Parameter accept: called on the loop with each connection, to set up its handlers. An error closes the
    ///   connection.
    package static func bind(
        host: String, port: Int, on loop: any EventLoop, accept: @escaping @Sendable (any Channel) throws -> Void
    ) -> EventLoopFuture<any Channel> {
        let bootstrap = ServerBootstrap(group: loop)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.backlog, value: 128)
            .childChannelOption(.socketOption(.so_keepalive), value: 1)
            // Requests and answers are small and somebody waits for each.
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    ThinStream.prepare(channel)
                    try accept(channel)
                }
            }
        // A number is taken as it is: the resolver refuses `::` where no interface has an address of IPv6.
        guard let address = try? SocketAddress(ipAddress: host, port: port) else {
            return bootstrap.bind(host: host, port: port)
        }
        return bootstrap.bind(to: address)
    }
}
