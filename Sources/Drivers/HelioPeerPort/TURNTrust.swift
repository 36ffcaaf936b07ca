internal import HelioTLS
internal import NIOCore
private import NIOPosix

/// The certificate authorities to trust for TURN servers over TLS, from the system or from a file.
final class TURNTrust {
    private let authorities: String?
    private var context: EventLoopFuture<TLSClientContext>?

    /// - Parameter authorities: the path of a PEM file to use instead of the system's authorities.
    init(authorities: String?) {
        self.authorities = authorities
    }

    /// A server, with the name that its certificate has to contain.
    struct Server {
        let trust: TURNTrust
        let name: String

        func handler(on loop: any EventLoop) -> EventLoopFuture<NIOLoopBound<TLSHandler>> {
            trust.context(on: loop).flatMapThrowing { [name] context in
                NIOLoopBound(try context.handler(server: name), eventLoop: loop)
            }
        }
    }

    /// Returns the TLS context, which is made once. The system's authorities are some hundred certificates, so they are
    /// read on another thread than the event loop's.
    private func context(on loop: any EventLoop) -> EventLoopFuture<TLSClientContext> {
        if let context { return context }
        let making = NIOThreadPool.singleton.runIfActive(eventLoop: loop) { [authorities] in
            try TLSClientContext(from: .tls12, authorities: authorities.map { .file($0) } ?? .system)
        }
        context = making
        return making
    }
}
