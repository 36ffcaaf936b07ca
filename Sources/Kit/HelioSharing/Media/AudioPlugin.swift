/// An app's own source or player of sound, in place of Heliograph's (requirement rows 21 to 23): the calls that sources
/// and players have in common.
///
/// The order is always the same: `initialize` once, `start`, then `pause` and `resume` in turns, `stop` once. Calls
/// come on the session's threads, one at a time, and must return without waiting.
public protocol AudioPlugin: Sendable {
    /// Called when the session is set up, with the attributes of the sound.
    func initialize(_ attributes: SoundAttributes)
    /// Called when sound may flow.
    func start()
    /// Called when no sound flows until `resume`.
    func pause()
    /// Called when sound flows again.
    func resume()
    /// Called when the session is over.
    func stop()
    /// Called when the attributes of the running stream change.
    func attributesChanged(_ attributes: SoundAttributes)
}

extension AudioPlugin {
    /// Does nothing.
    public func initialize(_ attributes: SoundAttributes) {}
    /// Does nothing.
    public func start() {}
    /// Does nothing.
    public func pause() {}
    /// Does nothing.
    public func resume() {}
    /// Does nothing.
    public func stop() {}
    /// Does nothing.
    public func attributesChanged(_ attributes: SoundAttributes) {}
}
