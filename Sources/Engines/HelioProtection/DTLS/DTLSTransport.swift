package import HelioCore

/// One end of a DTLS association (RFC 6347), driven like every engine: datagrams and instants in, datagrams and
/// events out. A driver fills it with a library; engines see this alone.
///
/// The client's first flight waits in `poll` as soon as the transport is made. What arrives before the association is
/// established is not authenticated, so a sender that can forge datagrams of the peer's address can end a handshake;
/// nobody can make it succeed with another certificate than the expected one, or touch an established association.
package protocol DTLSTransport: AnyObject {
    /// Counts of dropped datagrams and records. A peer's junk ends up here and nowhere else.
    var drops: DropCounter<DTLSDrop> { get }

    /// When `tick` is next needed, and why; `nil` when only an input can change anything.
    var deadline: Deadline? { get }

    /// Takes a datagram of the peer's: any bytes of any length.
    func handle(_ datagram: [UInt8], now: Instant)

    /// Retransmits a flight or gives up, if that is due. Calling it early is harmless.
    func tick(now: Instant)

    /// The next output, or `nil` when there is none. Drain it after every other call.
    func poll() -> DTLSOutput?

    /// Protects `data` and leaves it to `poll` as one datagram, which may get lost on the way like any.
    func send(_ data: [UInt8]) throws(DTLSError)

    /// Ends the association, telling the peer if there is one.
    func close()
}
