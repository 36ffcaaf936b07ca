/// A session that decodes samples one after the other: a `VTDecompressionSession`, or its substitute in a test.
///
/// Made for one format; used from one thread.
package protocol DecompressionSession<Buffer>: AnyObject {
    associatedtype Buffer: PictureBuffer

    /// True if hardware decodes; known once the session is there.
    var isHardware: Bool { get }

    /// True if the session can go on with other parameter sets.
    func accepts(_ format: DecompressionFormat) -> Bool

    /// Starts to decode a sample: NAL units, each after a length of `DecompressionFormat.lengthSize` bytes.
    ///
    /// The session copies the sample, or retains it, until it has called `done` (defect 6). It calls `done` once, on
    /// any thread, before or after this returns; not at all if this returns another status than `done`.
    func decode(
        _ sample: [UInt8], format: DecompressionFormat, done: @escaping @Sendable (DecompressionResult<Buffer>) -> Void
    ) -> SessionStatus

    /// Ends the session for good. Pictures that are still being decoded may or may not be delivered.
    func invalidate()
}

/// The result of decoding a sample.
package struct DecompressionResult<Buffer: PictureBuffer>: Sendable {
    package var status: SessionStatus
    /// The picture; `nil` after an error, or if the session skipped it.
    package var buffer: Buffer?

    package init(status: SessionStatus, buffer: Buffer?) {
        self.status = status
        self.buffer = buffer
    }
}

/// Makes sessions.
package protocol DecompressionSessionMaking<Session>: Sendable {
    associatedtype Session: DecompressionSession

    /// The name for people: 'VideoToolbox'.
    var name: String { get }
    /// Makes a session whose pictures have `format.samples`. A status other than `done` is the reason why there is
    /// none.
    func make(_ format: DecompressionFormat) -> (session: Session?, status: SessionStatus)
}
