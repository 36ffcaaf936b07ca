import HelioCore

/// Detects echoes: copies made on this machine of content that was received from the other end.
///
/// Programs that keep a history of the clipboard paste its content and put it on the clipboard again, as a copy of
/// their own. With such a program at both ends, one copy would go back and forth for ever. So pasted content is
/// remembered by its digest, and the next copy in the same format is read before it is offered.
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

    /// Forgets all pasted content, as after a new offer of the other end.
    mutating func reset() { pasted = [:] }

    /// Remembers content that was pasted on this machine.
    mutating func remember(_ content: [UInt8], _ format: ClipboardFormat) { pasted[format] = Digest(content) }

    /// The format in which a copy may be an echo; `nil` if it can't be one.
    func suspiciousFormat(_ entries: [ClipboardEntry]) -> ClipboardFormat? {
        entries.first { pasted[$0.format] != nil }?.format
    }

    /// Returns true if the suspect's content is what was pasted. Otherwise forgets all pasted content.
    mutating func isEcho(_ content: [UInt8]?, _ format: ClipboardFormat) -> Bool {
        let isEcho = content.flatMap { ClipboardContent.prepared($0, format) }.map { Digest($0) == pasted[format] }
        if isEcho != true { reset() }
        return isEcho ?? false
    }
}
