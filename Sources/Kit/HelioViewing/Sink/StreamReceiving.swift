internal import HelioCore
internal import HelioSession
internal import HelioSound

/// Receives a connection's stream, on the connection's event loop; must not block.
protocol StreamReceiving: AnyObject, Sendable {
    /// The stream begins: called before its first frame.
    func began(_ format: VideoFormat, allowsControl: Bool)
    /// The agreed terms or the target bitrate have changed.
    func take(_ terms: StreamTerms)
    /// Takes a part that can be decoded before its frame is complete, if the connection's setup asks for parts.
    func take(_ part: ReceivedPart)
    /// Takes a frame. Returns false to request a keyframe.
    func take(_ frame: ReceivedFrame) -> Bool
    /// Takes a packet of sound, or a change of its format or clock.
    func take(_ sound: SoundNews)
}
