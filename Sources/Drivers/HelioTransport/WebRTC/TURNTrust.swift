internal import NIOCore
private import NIOPosix
internal import NIOSSL

/// Whom TURN servers by TLS are believed by: the authorities that this machine trusts, or those of a file.
final class TURNTrust {
    private let authorities: String?
    private var context: EventLoopFuture<NIOSSLContext>?

    /// - Parameter authorities: a file of certificates (PEM), in place of the system's.
    init(authorities: String?) {
        self.authorities = authorities
    }

    /// One server, by the name that its certificate has to have.
    struct Server {
        let trust: TURNTrust
        let name: String

        func handler(on loop: any EventLoop) -> EventLoopFuture<NIOLoopBound<NIOSSLClientHandler>> {
            trust.context(on: loop).flatMapThrowing { [name] context in
                NIOLoopBound(try NIOSSLClientHandler(context: context, server: name), eventLoop: loop)
            }
        }
    }

    /// Made once. The system's authorities are some hundred certificates: they are read beside the event loop.
    private func context(on loop: any EventLoop) -> EventLoopFuture<NIOSSLContext> {
        if let context { return context }
        let making = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [authorities] in
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.minimumTLSVersion = .tlsv12
            if let authorities { configuration.trustRoots = .file(authorities) }
            return try NIOSSLContext(configuration: configuration)
        }
        context = making
        return making
    }
}
