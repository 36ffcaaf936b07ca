/// An app's own source or player of sound, which replaces Heliograph's (requirement rows 21 to 23): the calls that
/// sources and players have in common.
///
/// The order is always the same: `initialize` once, `start`, then `pause` and `resume` alternately, `stop` once. The
/// calls are made on the session's threads, one at a time, and must return without waiting.
public protocol AudioPlugin: Sendable {
    /// Called when the session is set up, with the attributes of the sound.
    func initialize(_ attributes: SoundAttributes)
    /// Called when sound may be sent or received.
    func start()
    /// Called when no sound is sent or received until `resume`.
    func pause()
    /// Called when sound is sent or received again.
    func resume()
    /// Called when the session is over.
    func stop()
    /// Called when the attributes of the running stream change.
    func attributesChanged(_ attributes: SoundAttributes)
}

extension AudioPlugin {
    /// The default implementation does nothing.
    public func initialize(_ attributes: SoundAttributes) {}
    /// The default implementation does nothing.
    public func start() {}
    /// The default implementation does nothing.
    public func pause() {}
    /// The default implementation does nothing.
    public func resume() {}
    /// The default implementation does nothing.
    public func stop() {}
    /// The default implementation does nothing.
    public func attributesChanged(_ attributes: SoundAttributes) {}
}
