/// A connection to a client of a `SignalingService`. To be used on the service's event loop alone.
package protocol SignalingConnection: AnyObject {
    /// The connection's number, never used again by the same service.
    var id: UInt64 { get }

    /// The client's IP address where the service knows it: for people, and to count guesses by.
    var remoteAddress: String { get }

    /// True where what is sent is encrypted on the way.
    var isSecure: Bool { get }

    /// True once the client was admitted: others are evicted when there are too many. At first it is false.
    var isAdmitted: Bool { get set }

    /// Sends a message in UTF-8, behind those sent before. Where the client does not read, the connection is closed
    /// rather than letting messages pile up. Does nothing once it is being closed.
    func send(_ message: [UInt8])

    /// Closes the connection in good order, when the messages sent before are on their way. No message comes from it
    /// any more; `closed` does.
    func close()
}
