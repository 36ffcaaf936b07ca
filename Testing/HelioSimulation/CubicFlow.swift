package import HelioCore

/// A TCP flow with unlimited data and CUBIC congestion control (RFC 9438), as competing traffic on the path of a video
/// stream.
package struct CubicFlow: Sendable {
    package var sender: CubicSender
    package var receiver: CubicReceiver

    /// - Parameter start: the time at which the flow begins to send.
    package init(start: Instant = .zero) {
        sender = CubicSender(start: start)
        receiver = CubicReceiver()
    }
}
