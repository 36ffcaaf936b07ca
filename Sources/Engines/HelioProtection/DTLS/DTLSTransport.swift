package import HelioCore

/// One end of a DTLS association (RFC 6347), driven like every engine: datagrams and instants in, datagrams and events
/// out. A driver implements it with a library; engines see only this protocol.
///
/// The client's first flight waits in `poll` as soon as the transport is made. Datagrams before the association is
/// established are not authenticated, so a sender that can forge the peer's address can end a handshake; nobody can
/// make it succeed with another certificate than the expected one, or affect an established association.
package protocol DTLSTransport: AnyObject {
    /// Counts of dropped datagrams and records, by reason. A peer's junk has no other effect.
    var drops: DropCounter<DTLSDrop> { get }

    /// When `tick` is next needed, and why; `nil` when only an input can change anything.
    var deadline: Deadline? { get }

    /// Takes a datagram of the peer's: any bytes of any length.
    func handle(_ datagram: [UInt8], now: Instant)

    /// Retransmits a flight, or fails the handshake, if that is due. Calling it early is harmless.
    func tick(now: Instant)

    /// The next output, or `nil` when there is none. Drain it after every other call.
    func poll() -> DTLSOutput?

    /// Encrypts `data` into one datagram for `poll`, which may get lost like any other.
    func send(_ data: [UInt8]) throws(DTLSError)

    /// Ends the association, and notifies the peer if there is one.
    func close()
}
