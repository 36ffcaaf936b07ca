/// The source of a `RemoteSignalingService`'s calls: a connection to a rendezvous server. Used on the service's event
/// loop, apart from `link`.
package protocol SignalingCallSource: AnyObject, Sendable {
    /// The link by which clients call, with its secret.
    var link: String { get }
    /// Connects to the rendezvous server, and hands each call to the service from now on.
    func begin(_ service: RemoteSignalingService)
    /// Frees the place of a call that has ended.
    func released(_ call: SealedCall)
    /// Leaves the rendezvous server, once the ends of the calls are on their way.
    func end()
}
