/// An app's own encoder or decoder, in place of Heliograph's (row 23): the calls that both kinds get.
///
/// The order is always the same: `initialize` once, `start`, then `pause` and `resume` by turns, `stop` once.
/// Each call comes on one of the session's threads, one at a time: take note and return, don't wait.
public protocol MediaPlugin: Sendable {
    /// The session is set up with these attributes, which both ends agreed on (row 31).
    func initialize(_ attributes: MediaAttributes)
    /// Media may flow.
    func start()
    /// Nothing flows until `resume`: at a source, nobody watches.
    func pause()
    /// Media flows again; a source's next frame has to be a keyframe.
    func resume()
    /// The session is over.
    func stop()
    /// The running stream has other attributes from now on.
    func attributesChanged(_ attributes: MediaAttributes)
}

extension MediaPlugin {
    /// Does nothing.
    public func initialize(_ attributes: MediaAttributes) {}
    /// Does nothing.
    public func start() {}
    /// Does nothing.
    public func pause() {}
    /// Does nothing.
    public func resume() {}
    /// Does nothing.
    public func stop() {}
    /// Does nothing.
    public func attributesChanged(_ attributes: MediaAttributes) {}
}
