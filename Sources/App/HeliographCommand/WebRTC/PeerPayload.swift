internal import HelioWebRTC

/// Generates the messages that a JSON-driven peer sends and expects to be echoed
/// (Tests/ForeignPeers/Programs/README.md).
enum PeerPayload {
    /// Makes message `number` of a series, in which every byte depends on its offset. A text begins with an arrow, so
    /// that it is not pure ASCII.
    static func message(seed: Int, number: Int, bytes: Int, isText: Bool) -> DataMessage {
        let base = seed &+ 31 &* number
        var all = (0..<bytes).map { UInt8(truncatingIfNeeded: base &+ 13 &* ($0 >> 8) &+ 7 &* ($0 & 255)) }
        guard isText else { return .binary(all) }
        for place in all.indices { all[place] = 32 + all[place] % 95 }
        if all.count >= 3 { all.replaceSubrange(..<3, with: "\u{2192}".utf8) }
        return .text(String(decoding: all, as: UTF8.self))
    }
}
