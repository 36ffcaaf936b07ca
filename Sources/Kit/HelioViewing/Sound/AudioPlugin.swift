/// An app's own source or player of sound, in place of Heliograph's (rows 21 to 23): the calls that both kinds get.
///
/// The order is always the same: `initialize` once, `start`, then `pause` and `resume` by turns, `stop` once.
/// Each call comes on one of the session's threads, one at a time: take note and return, don't wait.
public protocol AudioPlugin: Sendable {
    /// The session is set up, and sound has these attributes.
    func initialize(_ attributes: SoundAttributes)
    /// Sound may flow.
    func start()
    /// Nothing flows until `resume`.
    func pause()
    /// Sound flows again.
    func resume()
    /// The session is over.
    func stop()
    /// The running stream has other attributes from now on.
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
