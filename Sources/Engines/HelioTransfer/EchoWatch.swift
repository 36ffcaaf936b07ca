import HelioCore

/// Finds out whether what was copied here is only what the other end gave.
///
/// Programs that keep a history of the clipboard paste what they see and put it on the clipboard again, as a copy of
/// their own. With one of them at both ends, one copy would go back and forth for ever. So what was pasted is remembered
/// by its digest, and the next copy in such a format is read before it is offered.
struct EchoWatch {
    /// A copy that is looked at.
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

    /// The other end has made a new offer.
    mutating func reset() { pasted = [:] }

    /// Remembers what was given to a program of this machine.
    mutating func remember(_ content: [UInt8], _ format: ClipboardFormat) { pasted[format] = Digest(content) }

    /// The format in which a copy could be what was pasted; `nil`: it can't be.
    func suspiciousFormat(_ entries: [ClipboardEntry]) -> ClipboardFormat? {
        entries.first { pasted[$0.format] != nil }?.format
    }

    /// Takes the suspect's content. Returns true if it is what was pasted; nothing is suspicious any longer if not.
    mutating func isEcho(_ content: [UInt8]?, _ format: ClipboardFormat) -> Bool {
        let isEcho = content.flatMap { ClipboardContent.prepared($0, format) }.map { Digest($0) == pasted[format] }
        if isEcho != true { reset() }
        return isEcho ?? false
    }
}
