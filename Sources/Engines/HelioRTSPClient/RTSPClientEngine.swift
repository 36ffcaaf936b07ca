package import HelioCore

/// The interface between the engine of an RTSP client, for playing or recording, and its driver.
package protocol RTSPClientEngine: AnyObject, Engine, SendableMetatype
where Input: RTSPClientInput, Output == RTSPClientOutput<Event> {
    associatedtype Event: Sendable
    associatedtype Statistics: DropReporting, Sendable

    /// Ends the session with BYE and TEARDOWN, and closes the connection.
    func leave(now: Instant)
    var statistics: Statistics { get }
}

/// An input from the driver of an RTSP client to its engine.
package protocol RTSPClientInput: Sendable {
    static func link(_ event: RTSPLinkEvent) -> Self
}
