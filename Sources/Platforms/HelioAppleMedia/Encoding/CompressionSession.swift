package import HelioCore

/// A compression session: the calls of a `VTCompressionSession` that `SessionEncoder` needs.
///
/// All calls come from one thread at a time.
package protocol CompressionSession<Picture>: AnyObject {
    associatedtype Picture

    /// True if hardware codes.
    var isHardware: Bool { get }

    /// Sets a property, of a running session, too.
    func set(_ property: CompressionProperty) -> SessionStatus

    /// Submits a picture, without a copy.
    ///
    /// - Parameters:
    ///   - time: the capture time, later than that of the picture before.
    ///   - reply: gets the result, once, on any thread, during the call or later; nothing if the call fails.
    func encode(
        _ picture: Picture, at time: Instant, isKeyframe: Bool, reply: SessionReply<CompressionResult>
    ) -> SessionStatus

    /// Ends the session. No call follows but this one.
    func invalidate()
}
