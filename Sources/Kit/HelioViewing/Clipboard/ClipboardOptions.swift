package import HelioCore
package import HelioTransferWire

/// How the clipboard is shared between the two ends of a session: with whoever drives, and while both ends want it.
///
/// What is copied at one end is only announced at the other; content crosses when somebody pastes it there. What a
/// program marks as a secret, as password keepers do, is not announced.
public struct ClipboardOptions: Sendable, Hashable {
    /// Whether what is copied here can be pasted at the other end.
    public var gives = true
    /// Whether what is copied at the other end can be pasted here.
    public var takes = true
    /// The most bytes of one content, within `limits`. The smaller number of both ends counts.
    public var limit = 16 << 20
    /// Whether text that is only marked counts as copied, too, and can be pasted with the middle button: X11's PRIMARY.
    public var includesMarked = false

    /// The range of `limit`.
    public static let limits = 1...(32 << 20)

    /// Makes options for both ways, of up to 16 MiB.
    public init() {}

    /// Throws `invalidArgument` for a limit out of range.
    package func terms() throws(HelioError) -> ClipboardTerms {
        guard Self.limits.contains(limit) else {
            throw HelioError(
                .invalidArgument, "A clipboard of up to \(limit) bytes: give 1 to \(Self.limits.upperBound).")
        }
        return ClipboardTerms(maySend: gives, mayReceive: takes, mostBytes: UInt32(limit))
    }
}
