/// Somebody at the other end of a `SignalingService`. To be used on the service's event loop alone.
package protocol SignalingConnection: AnyObject {
    /// Never used again by the same service.
    var id: UInt64 { get }

    /// For people and to count guesses by: an IP address where the service knows it.
    var remoteAddress: String { get }

    /// Whether it is known who this is: who isn't makes room when there are too many. At first, nobody is.
    var isAdmitted: Bool { get set }

    /// Sends a message in UTF-8, behind those sent before. Where the other does not read, it is closed in place of
    /// letting messages pile up. Does nothing once it is being closed.
    func send(_ message: [UInt8])

    /// Ends it in good order, when what was sent is on its way. No message comes from it any more, `closed` does.
    func close()
}
