/// An app's own encoder or decoder, which replaces Heliograph's (requirement row 23): the calls that encoders and
/// decoders have in common.
///
/// The order is always the same: `initialize` once, `start`, then `pause` and `resume` alternately, `stop` once. The
/// calls are made on the session's threads, one at a time, and must return without waiting.
public protocol MediaPlugin: Sendable {
    /// Called when the session is set up, with the attributes that both ends have agreed on (requirement row 31).
    func initialize(_ attributes: MediaAttributes)
    /// Called when media may be sent or received.
    func start()
    /// Called when no media are sent or received until `resume`. A source is paused while nobody watches.
    func pause()
    /// Called when media are sent or received again; a source's next frame has to be a keyframe.
    func resume()
    /// Called when the session is over.
    func stop()
    /// Called when the attributes of the running stream change.
    func attributesChanged(_ attributes: MediaAttributes)
}

extension MediaPlugin {
    /// The default implementation does nothing.
    public func initialize(_ attributes: MediaAttributes) {}
    /// The default implementation does nothing.
    public func start() {}
    /// The default implementation does nothing.
    public func pause() {}
    /// The default implementation does nothing.
    public func resume() {}
    /// The default implementation does nothing.
    public func stop() {}
    /// The default implementation does nothing.
    public func attributesChanged(_ attributes: MediaAttributes) {}
}
