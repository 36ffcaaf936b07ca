package import HelioAdmission
package import HelioCore
package import HelioRTP

/// The interface between the engine of an RTSP server, for playing or recording, and its driver.
package protocol RTSPServerEngine: AnyObject, Engine, SendableMetatype
where Input: RTSPServerInput, Output == RTSPServerOutput<Event> {
    associatedtype Event: Sendable
    associatedtype Statistics: DropReporting, Sendable

    /// Sets the pair of UDP ports that the driver has opened for all connections: `port`, which is even, and `port +
    /// 1`.
    func setMediaPort(_ port: UInt16)
    /// The progress of a connection for `Stranger`; `nil` once the client is established.
    func progress(of connection: ConnectionID) -> Stranger.Progress?
    /// Ends every session, with BYE where media are exchanged, and closes every connection.
    func stop(now: Instant)
    var statistics: Statistics { get }
}

/// An input from the driver of an RTSP server to its engine.
package protocol RTSPServerInput: ConnectionInput, Sendable {
    /// Makes an input from a datagram on one of the two UDP ports; `nil` if the engine does not use it.
    ///
    /// - Parameters:
    ///   - track: the track whose `.listen` matches the datagram's source address and port; `nil` if there is none.
    ///   - isWhole: false if the datagram was truncated, as it exceeds the driver's limit.
    static func datagram(_ bytes: [UInt8], _ channel: RTPChannel, _ track: PlainTrack?, isWhole: Bool) -> Self?
}
