package import HelioCore

/// A TCP flow with unlimited data, controlled by CUBIC (RFC 9438): the competing traffic that video shares a path with.
package struct CubicFlow: Sendable {
    package var sender: CubicSender
    package var receiver: CubicReceiver

    /// - Parameter start: the time at which the flow begins to send.
    package init(start: Instant = .zero) {
        sender = CubicSender(start: start)
        receiver = CubicReceiver()
    }
}
