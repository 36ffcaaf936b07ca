/// `a=ptime:20`: the duration of media in a packet, in milliseconds, possibly with a fraction: `2.5` (RFC 8866
/// section 6.4).
package struct PacketTime: MillisecondsAttribute {
    package static let attributeName = "ptime"
    package var duration: Duration

    package init(_ duration: Duration) { self.duration = duration }
}

/// `a=maxptime:120`: the longest duration of media in a packet that the description's sender accepts, in milliseconds
/// (RFC 8866 section 6.5).
package struct MaximumPacketTime: MillisecondsAttribute {
    package static let attributeName = "maxptime"
    package var duration: Duration

    package init(_ duration: Duration) { self.duration = duration }
}

/// An attribute whose value is a time in milliseconds, above 0 and below 10,001 ms: `ptime` and `maxptime`.
package protocol MillisecondsAttribute: AttributeValue {
    var duration: Duration { get }
    init(_ duration: Duration)
}

extension MillisecondsAttribute {
    package init?(attributeValue: String?) {
        guard let duration = attributeValue.flatMap({ Milliseconds.read($0) }) else { return nil }
        self.init(duration)
    }
    package var attributeValue: String? { Milliseconds.text(duration) }
}

/// Milliseconds as text, with up to three digits of a fraction.
private enum Milliseconds {
    /// Reads a time above 0 and below 10,001 ms; ignores the fraction's digits after the third. Returns `nil` if
    /// malformed.
    static func read(_ text: String) -> Duration? {
        let (whole, fraction) = Text.cut(text, at: UInt8(ascii: "."))
        guard let milliseconds = Text.decimal(whole), milliseconds <= 10_000 else { return nil }
        var microseconds = 0
        if let fraction {
            guard fraction.utf8.count <= 9, Text.decimal(fraction) != nil else { return nil }
            microseconds = Int(Text.decimal((fraction + "000").prefix(3)) ?? 0)
        }
        let total = Int(milliseconds) * 1000 + microseconds
        return total > 0 ? .microseconds(total) : nil
    }

    static func text(_ duration: Duration) -> String {
        let parts = duration.components
        let microseconds = max(1, parts.seconds * 1_000_000 + parts.attoseconds / 1_000_000_000_000)
        var fraction = String(1000 + microseconds % 1000).dropFirst()
        while fraction.last == "0" { fraction.removeLast() }
        return "\(microseconds / 1000)" + (fraction.isEmpty ? "" : ".\(fraction)")
    }
}
