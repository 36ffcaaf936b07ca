internal import HelioTLS
internal import NIOCore
private import NIOPosix

/// The authorities that are trusted for TURN servers by TLS: those that this machine trusts, or those in a file.
final class TURNTrust {
    private let authorities: String?
    private var context: EventLoopFuture<TLSClientContext>?

    /// - Parameter authorities: a file of certificates (PEM), in place of the system's.
    init(authorities: String?) {
        self.authorities = authorities
    }

    /// A server, with the name that its certificate has to have.
    struct Server {
        let trust: TURNTrust
        let name: String

        func handler(on loop: any EventLoop) -> EventLoopFuture<NIOLoopBound<TLSHandler>> {
            trust.context(on: loop).flatMapThrowing { [name] context in
                NIOLoopBound(try context.handler(server: name), eventLoop: loop)
            }
        }
    }

    /// The TLS context, made once. The system's authorities are some hundred certificates: they are read off the event
    /// loop.
    private func context(on loop: any EventLoop) -> EventLoopFuture<TLSClientContext> {
        if let context { return context }
        let making = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [authorities] in
            try TLSClientContext(from: .tls12, authorities: authorities.map { .file($0) } ?? .system)
        }
        context = making
        return making
    }
}
