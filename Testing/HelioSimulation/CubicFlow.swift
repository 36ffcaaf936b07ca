package import HelioCore

/// A TCP flow that always has something to send and is governed by CUBIC (RFC 9438): what video has to share a path
/// with.
package struct CubicFlow: Sendable {
    package var sender: CubicSender
    package var receiver: CubicReceiver

    /// - Parameter start: when it begins to send.
    package init(start: Instant = .zero) {
        sender = CubicSender(start: start)
        receiver = CubicReceiver()
    }
}
