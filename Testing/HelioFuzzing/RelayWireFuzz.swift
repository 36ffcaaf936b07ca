import HelioCore
import HelioRelayWire

/// Fuzzes the relay's message parser for both sides. The result must not depend on how the bytes are split, and a
/// parsed message must survive a round trip.
package enum RelayWireFuzz {
    /// Parses the bytes after the first one as a stream; the first byte determines how the stream is split.
    package static func run(_ bytes: [UInt8]) {
        let stream = Array(bytes.dropFirst())
        for side in [RelaySide.broadcastExtension, .app] {
            let whole = read(stream, side, piece: max(1, stream.count))
            let pieces = read(stream, side, piece: 1 + Int(bytes.first ?? 0) % 7)
            precondition(
                whole.messages == pieces.messages && whole.error == pieces.error, "splitting changed the result")
            var size = 0
            for message in whole.messages {
                let written = message.serialised()
                size += written.count
                let again = read(written, side, piece: written.count)
                precondition(again.messages == [message] && again.error == nil, "a message changed on its way")
            }
            precondition(size <= stream.count, "more was read than came")
        }
    }

    private static func read(
        _ bytes: [UInt8], _ side: RelaySide, piece: Int
    ) -> (
        messages: [RelayMessage], error: RelayWireError?
    ) {
        let limits = RelayLimits(nalUnit: 1000, sound: 500)
        var reader = RelayReader(from: side, limits: limits)
        var messages: [RelayMessage] = []
        var start = 0
        do throws(RelayWireError) {
            while start < bytes.count {
                let end = min(bytes.count, start + piece)
                reader.append(Array(bytes[start..<end]))
                start = end
                while let message = try reader.next() { messages.append(message) }
                precondition(reader.bufferedByteCount < 1000 + RelayMessage.headerSize, "more is kept than a message")
            }
        } catch {
            precondition(reader.bufferedByteCount == 0, "something is kept after the end")
            return (messages, error)
        }
        return (messages, nil)
    }
}
