package import HelioCore

/// The client's or server's end of a DTLS association (RFC 6347). It is used like an engine, with datagrams and
/// instants in, datagrams and events out, and implemented by a driver with a library.
///
/// A client's first flight can be polled as soon as the transport has been made. Handshake datagrams are not
/// authenticated, so an attacker that can forge the peer's address can make the handshake fail. It can neither complete
/// it with another certificate, nor affect an established association.
package protocol DTLSTransport: AnyObject {
    /// The number of dropped datagrams and records by reason.
    var drops: DropCounter<DTLSDrop> { get }

    /// The time and reason of the next `tick`; `nil` if no timer is running.
    var deadline: Deadline? { get }

    /// Handles a datagram from the peer, which may contain arbitrary bytes.
    func handle(_ datagram: [UInt8], now: Instant)

    /// Retransmits a flight, or fails the handshake, if it is due. An early call has no effect.
    func tick(now: Instant)

    /// Returns the next output, or `nil` if there is none. Call it after every other method until it returns `nil`.
    func poll() -> DTLSOutput?

    /// Encrypts `data` into one datagram, which `poll` then returns. The delivery is unreliable.
    func send(_ data: [UInt8]) throws(DTLSError)

    /// Ends the association, and sends close_notify if it is established.
    func close()
}
