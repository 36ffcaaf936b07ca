/// A connection to a client of a `SignalingService`. Used on any thread; the properties, apart from `isAdmitted`, do not
/// change once the connection is open.
public protocol SignalingConnection: AnyObject, Sendable {
    /// The connection's number, never used again by the same service.
    var id: UInt64 { get }

    /// The client's IP address, if the service knows it. It is shown to the user, and guesses of codes are counted by
    /// it.
    var remoteAddress: String { get }

    /// True if messages are encrypted in transit.
    var isSecure: Bool { get }

    /// True once the receiver has admitted the client. Clients that are not admitted are evicted when there are too
    /// many connections.
    var isAdmitted: Bool { get set }

    /// Sends a message in UTF-8, at most 65,000 bytes, after those sent before. A longer one may close the connection. If the client does not read, the connection is closed, so
    /// that no messages pile up. Does nothing once the connection is being closed.
    func send(_ message: [UInt8])

    /// Closes the connection once the messages sent before are on their way. No more messages from the client are
    /// reported, only `SignalingEvent.closed`.
    func close()
}
