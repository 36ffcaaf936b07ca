package import HelioAdmission
package import HelioCore
package import HelioRTP
import HelioRTSP

/// The engine of an RTSP server, as its driver sees it: one that is played from, or one that is recorded to.
package protocol RTSPServerEngine: AnyObject, Engine, SendableMetatype
where Input: RTSPServerInput, Output == RTSPServerOutput<Event> {
    associatedtype Event: Sendable
    associatedtype Statistics: DropReporting, Sendable

    /// Tells where the driver's UDP sockets are: at this even port and the next.
    func setMediaPort(_ port: UInt16)
    /// How far a connection is that has set up nothing; `nil` for one that has.
    func progress(of connection: ConnectionID) -> Stranger.Progress?
    /// Closes every connection, in good order where that is possible.
    func stop(now: Instant)
    var statistics: Statistics { get }
}

/// What the driver of an RTSP server tells its engine.
package protocol RTSPServerInput: ConnectionInput, Sendable {
    /// A datagram on one of the two UDP ports; `nil` where the engine has no use for it.
    ///
    /// - Parameters:
    ///   - isExpected: whether it comes from where `.listen` named.
    ///   - isWhole: `false` for one that was longer than the driver takes.
    static func datagram(_ bytes: [UInt8], _ channel: RTPChannel, isExpected: Bool, isWhole: Bool) -> Self?
}
