package import HelioAdmission
package import HelioCore
package import HelioRTP

/// The engine of an RTSP server, as its driver sees it: one that others play from, or one that others record to.
package protocol RTSPServerEngine: AnyObject, Engine, SendableMetatype
where Input: RTSPServerInput, Output == RTSPServerOutput<Event> {
    associatedtype Event: Sendable
    associatedtype Statistics: DropReporting, Sendable

    /// Sets the driver's UDP ports: this even port and the next.
    func setMediaPort(_ port: UInt16)
    /// The progress of a connection that has set up nothing; `nil` for one that has.
    func progress(of connection: ConnectionID) -> Stranger.Progress?
    /// Closes every connection, in good order where that is possible.
    func stop(now: Instant)
    var statistics: Statistics { get }
}

/// An input from the driver of an RTSP server to its engine.
package protocol RTSPServerInput: ConnectionInput, Sendable {
    /// Makes an input of a datagram on one of the two UDP ports; `nil` where the engine has no use for it.
    ///
    /// - Parameters:
    ///   - track: the track for which `.listen` named the address and port that it comes from; `nil` where it comes
    ///     from another.
    ///   - isWhole: `false` for one that was longer than the driver takes.
    static func datagram(_ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack?, isWhole: Bool) -> Self?
}
