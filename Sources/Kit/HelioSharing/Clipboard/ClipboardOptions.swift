package import HelioCore
package import HelioTransferWire

/// The options for sharing the clipboard between the two ends of a session. It is shared only with the viewer that
/// drives, and only while both ends allow it.
///
/// A copy at one end is only announced at the other; its content is sent when it is pasted there. Content that a
/// program marks as secret, such as a password manager's, is not announced.
public struct ClipboardOptions: Sendable, Hashable {
    /// True if content copied at this end may be pasted at the other end.
    public var gives = true
    /// True if content copied at the other end may be pasted at this end.
    public var takes = true
    /// The maximum size of one clipboard content in bytes, within the range `limits`. The smaller limit of the two ends
    /// applies.
    public var limit = 16 << 20
    /// True if text that is only selected, X11's PRIMARY, is shared too, to be pasted with the middle button.
    public var includesMarked = false

    /// The range of `limit`.
    public static let limits = 1...(32 << 20)

    /// Makes options for both directions, with contents of up to 16 MiB.
    public init() {}

    /// The terms for the session's negotiation. Throws `invalidArgument` for a limit out of range.
    package func terms() throws(HelioError) -> ClipboardTerms {
        guard Self.limits.contains(limit) else {
            throw HelioError(
                .invalidArgument, "A clipboard of up to \(limit) bytes: give 1 to \(Self.limits.upperBound).")
        }
        return ClipboardTerms(maySend: gives, mayReceive: takes, mostBytes: UInt32(limit))
    }
}
