/// What an app plugs into a session in place of Heliograph's own encoder or decoder (row 23).
///
/// The order is always the same: `initialize` once, `start`, then `pause` and `resume` by turns, `stop` once.
/// Called on the session's own threads, one call at a time: take note and return, don't wait.
public protocol MediaPlugin: Sendable {
    /// The session is set up, and this is what both ends agreed on (row 31).
    func initialize(_ attributes: MediaAttributes)
    /// Media may flow.
    func start()
    /// Nothing flows until `resume`: at a source, nobody watches.
    func pause()
    /// Media flows again; a source's next frame has to be a keyframe.
    func resume()
    /// The session is over.
    func stop()
    /// The running stream has become another.
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

/// An app's own encoder: what the session asks of it. What it has coded goes into ``MirrorSource/write(_:)``.
public protocol VideoSourcePlugin: MediaPlugin {
    /// The next frame has to be a keyframe (row 15).
    ///
    /// - Parameter reason: for logs.
    func keyframeNeeded(reason: String)
    /// What the slowest viewer's path can take, bits a second (rows 16 and 17).
    func bitrateSuggested(_ bitsPerSecond: Int)
}

/// An app's own decoder.
public protocol VideoSinkPlugin: MediaPlugin {
    /// Takes a whole access unit, in decoding order; none is missing between a keyframe and the next.
    ///
    /// - Returns: false when it can't be decoded or taken: a keyframe is asked for.
    func receive(_ frame: EncodedFrame) -> Bool
}
