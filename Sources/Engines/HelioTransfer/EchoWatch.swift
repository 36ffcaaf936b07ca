import HelioCore

/// Detects echoes: copies made on this machine whose content was received from the peer.
///
/// A clipboard manager pastes the clipboard's content and puts it on the clipboard again, as its own copy. With such a
/// program at both ends, a copy would be sent back and forth forever. So the hash of pasted content is stored, and a
/// later copy in the same format is read and compared before it is offered.
struct EchoWatch {
    /// A copy that may be an echo, while its content is read.
    struct Suspect {
        var read: ClipboardReadID
        var format: ClipboardFormat
        var serial: ClipboardSerial
        var entries: [ClipboardEntry]
        var since: Instant
    }

    private struct Digest: Equatable {
        var count: Int
        var hash: Int

        init(_ content: [UInt8]) {
            count = content.count
            var hasher = Hasher()
            content.withUnsafeBytes { hasher.combine(bytes: $0) }
            hash = hasher.finalize()
        }
    }

    private var pasted: [ClipboardFormat: Digest] = [:]
    var suspect: Suspect?

    /// Forgets all pasted content, as after a new offer of the peer.
    mutating func reset() { pasted = [:] }

    /// Stores the hash of content that was pasted on this machine.
    mutating func remember(_ content: [UInt8], _ format: ClipboardFormat) { pasted[format] = Digest(content) }

    /// The format in which a copy may be an echo; `nil` if it can't be one.
    func suspiciousFormat(_ entries: [ClipboardEntry]) -> ClipboardFormat? {
        entries.first { pasted[$0.format] != nil }?.format
    }

    /// Returns true if a copy's content equals the content that was pasted in this format. Otherwise forgets all pasted
    /// content.
    mutating func isEcho(_ content: [UInt8]?, _ format: ClipboardFormat) -> Bool {
        let isEcho = content.flatMap { ClipboardContent.prepared($0, format) }.map { Digest($0) == pasted[format] }
        if isEcho != true { reset() }
        return isEcho ?? false
    }
}
