package import HelioAdmission
package import HelioCore
package import HelioRTP

/// The engine of an RTSP server that others play from or record to, as its driver sees it.
package protocol RTSPServerEngine: AnyObject, Engine, SendableMetatype
where Input: RTSPServerInput, Output == RTSPServerOutput<Event> {
    associatedtype Event: Sendable
    associatedtype Statistics: DropReporting, Sendable

    /// Sets the UDP ports that the driver has opened for all connections: this even port and the next.
    func setMediaPort(_ port: UInt16)
    /// The progress of a connection that has set up no track; `nil` once it has set one up.
    func progress(of connection: ConnectionID) -> Stranger.Progress?
    /// Closes every connection, in good order if possible.
    func stop(now: Instant)
    var statistics: Statistics { get }
}

/// An input from the driver of an RTSP server to its engine.
package protocol RTSPServerInput: ConnectionInput, Sendable {
    /// Makes an input of a datagram on one of the two UDP ports; `nil` if the engine does not use it.
    ///
    /// - Parameters:
    ///   - track: the track for which `.listen` named the datagram's source address and port; `nil` if there is none.
    ///   - isWhole: `false` for a datagram longer than the driver's limit.
    static func datagram(_ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack?, isWhole: Bool) -> Self?
}
