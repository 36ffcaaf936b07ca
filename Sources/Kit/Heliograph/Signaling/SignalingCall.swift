private import HelioAdmission
public import HelioCore
private import HelioProtection
private import HelioRendezvousPort
public import HelioSignaling
private import NIOCore
private import NIOPosix

/// A client's call to a `RemoteSignalingService`: the other end of one of its connections.
///
/// It is a signalling service too, with a single connection, that to the host. So the code of an app that handles
/// connections is the same at both ends. The first message has to be `SignalingMessage.hello`.
public final class SignalingCall: SignalingService {
    private let end: CallingEnd
    private let loop: any EventLoop

    /// Makes a call, which `start` begins. Throws `invalidArgument` if the link is malformed, or names no rendezvous
    /// server.
    ///
    /// - Parameters:
    ///   - link: the link of the service, `RemoteSignalingService.link`.
    ///   - server: the server's address with its certificate's fingerprint, if no authority has signed that; `nil`
    ///     takes the address that is in the link.
    public init(_ link: String, server: String? = nil) throws(HelioError) {
        let parsed = try ShareLink(parsing: link)
        guard let host = parsed.rendezvous else {
            throw HelioError(.invalidArgument, "The link names no rendezvous server: copy the whole link again.")
        }
        loop = MultiThreadedEventLoopGroup.singleton.next()
        end = try CallingEnd(
            RendezvousPlace(parsing: server ?? host.server), to: host.device, secret: SecretBytes(parsed.secret),
            on: loop)
    }

    /// Calls the host, and returns once it was reached; the connection was then reported as `opened`. Cancelling the
    /// task ends the attempt.
    ///
    /// Throws `unreachable` if the server or the host can't be reached, `refused` if the host takes no such call, and
    /// `invalidArgument` on a further call.
    public func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError) {
        do {
            try await withTaskCancellationHandler {
                try await loop.flatSubmit { [end] in end.open(receiver) }.get()
            } onCancel: {
                end.close()
            }
        } catch {
            throw error as? HelioError ?? HelioError(.unreachable, "The host can't be called.", cause: error)
        }
    }

    /// Ends the call.
    public func stop() async { try? await loop.submit { [end] in end.close() }.get() }
}
