package import HelioControlWire
package import HelioSession

/// Receives the events of a viewer's session from its `SinkClient`.
///
/// A thread of the control channel is the event loop for what arrives through a tunnel; no method may block.
package protocol SinkClientDelegate: AnyObject, Sendable {
    /// Handles an event of the session. Called on the event loop; must not block.
    func handle(_ event: SinkSession.Event)
    /// The host's pointer has moved to this position, normalised. Called on a thread of the control channel.
    func cursorMoved(x: Float, y: Float)
    /// The driver has changed to this viewer, another viewer or nobody. Called on a thread of the control channel.
    func driverChanged(to driver: Driver)
    /// Another viewer asks this viewer, which drives now, for control. Called on a thread of the control channel.
    func controlRequested(by name: String)
}
