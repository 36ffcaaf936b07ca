import HelioPhoneWire

/// Fuzzes the parsers of messages between the host and a phone. The result must not depend on how the bytes are split,
/// and a parsed message must survive a round trip.
package enum PhoneWireFuzz {
    /// Parses the bytes after the first one, as reports with a greeting and without, and as orders; the first byte
    /// determines how the stream is split.
    package static func run(_ bytes: [UInt8]) {
        let stream = Array(bytes.dropFirst())
        let piece = 1 + Int(bytes.first ?? 0) % 7
        check(stream, piece, PhoneReport.self, after: .control)
        check(stream, piece, PhoneReport.self, after: nil)
        check(stream, piece, PhoneOrder.self, after: nil)
    }

    private static func check<Message: PhoneMessage>(
        _ stream: [UInt8], _ piece: Int, _: Message.Type, after greeting: PhoneChannel?
    ) {
        let whole = read(stream, max(1, stream.count), Message.self, greeting)
        let pieces = read(stream, piece, Message.self, greeting)
        precondition(whole.messages == pieces.messages && whole.error == pieces.error, "splitting changed the result")
        for message in whole.messages {
            let written = message.serialised
            let again = read(written, written.count, Message.self, nil)
            precondition(again.messages == [message] && again.error == nil, "a message changed on its way")
        }
    }

    private static func read<Message: PhoneMessage>(
        _ bytes: [UInt8], _ piece: Int, _: Message.Type, _ greeting: PhoneChannel?
    ) -> (messages: [Message], error: PhoneWireError?) {
        var reader = PhoneReader<Message>(after: greeting)
        var messages: [Message] = []
        var start = 0
        do throws(PhoneWireError) {
            while start < bytes.count {
                let end = min(bytes.count, start + piece)
                reader.append(Array(bytes[start..<end]))
                start = end
                while let message = try reader.next() { messages.append(message) }
                precondition(
                    reader.bufferedByteCount <= PhoneLimits.picture + PhoneWire.headerSize,
                    "more is kept than a message")
            }
        } catch {
            precondition(reader.bufferedByteCount == 0, "something is kept after the end")
            return (messages, error)
        }
        return (messages, nil)
    }
}
