package import HelioCore

/// The engine of an RTSP client that plays or records, as its driver sees it.
package protocol RTSPClientEngine: AnyObject, Engine, SendableMetatype
where Input: RTSPClientInput, Output == RTSPClientOutput<Event> {
    associatedtype Event: Sendable
    associatedtype Statistics: DropReporting, Sendable

    /// Ends the server's session in good order.
    func leave(now: Instant)
    var statistics: Statistics { get }
}

/// An input from the driver of an RTSP client to its engine.
package protocol RTSPClientInput: Sendable {
    static func link(_ event: RTSPLinkEvent) -> Self
}
