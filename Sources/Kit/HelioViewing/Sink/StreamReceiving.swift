internal import HelioCore
internal import HelioSession
internal import HelioSound

/// Receives a connection's stream, on the connection's event loop; must not block.
protocol StreamReceiving: AnyObject, Sendable {
    /// Called when the stream begins, before its first frame.
    func began(_ format: VideoFormat, allowsControl: Bool)
    /// Called when the agreed terms or the target bitrate have changed.
    func take(_ terms: StreamTerms)
    /// Receives a part of a frame that can be decoded before the frame is complete, if the connection's setup requests
    /// parts.
    func take(_ part: ReceivedPart)
    /// Receives a frame. Returns false to request a keyframe.
    func take(_ frame: ReceivedFrame) -> Bool
    /// Receives a packet of sound, or a change of the sound's format or clock.
    func take(_ sound: SoundNews)
}
