/// A command or a response to one (RTMP section 7.2): `connect`, `createStream`, `publish`, `_result`, `onStatus`.
///
/// Descriptions omit the arguments, which may include a stream's key.
package struct RTMPCommand: Sendable, Hashable {
    package var name: String
    /// The number by which a response is matched to its command; 0 if no response is expected.
    package var transaction: Double
    package var object: AMF0Value
    package var arguments: [AMF0Value]

    package init(
        _ name: String, transaction: Double = 0, object: AMF0Value = .null, arguments: [AMF0Value] = []
    ) {
        self.name = name
        self.transaction = transaction
        self.object = object
        self.arguments = arguments
    }

    /// Reads a command message; `nil` for other messages, and for values that do not begin with a name and a
    /// transaction number.
    package init?(_ message: RTMPMessage) throws(AMF0Fault) {
        let values: [AMF0Value]
        switch message.type {
        case .command: values = try AMF0Value.read(message.payload)
        // AMF3 commands begin with a byte 0 and continue in AMF0. A marker would switch to AMF3 values, which are not
        // supported.
        case .commandAMF3 where message.payload.first == 0: values = try AMF0Value.read(message.payload, from: 1)
        default: return nil
        }
        guard values.count >= 2, let name = values[0].text, let transaction = values[1].number else { return nil }
        self.init(
            name, transaction: transaction, object: values.count > 2 ? values[2] : .null,
            arguments: Array(values.dropFirst(3)))
    }

    /// - Parameter streamID: the message stream, 0 for the connection itself.
    package func message(streamID: UInt32 = 0) -> RTMPMessage {
        var payload: [UInt8] = []
        AMF0Value.string(name).write(into: &payload)
        AMF0Value.number(transaction).write(into: &payload)
        object.write(into: &payload)
        for argument in arguments { argument.write(into: &payload) }
        return RTMPMessage(.command, streamID: streamID, payload: payload)
    }

    /// The `code` of an information object, such as `NetStream.Publish.Start`.
    package var code: String? { information?["code"]?.text }
    /// The `level` of an information object: `status`, `warning` or `error`.
    package var level: String? { information?["level"]?.text }

    /// The `description` of an information object: human-readable text, which may contain a stream's key.
    package var explanation: String? { information?["description"]?.text }

    private var information: AMF0Value? { arguments.first { $0["code"] != nil } }
}

extension RTMPCommand: CustomStringConvertible, CustomReflectable {
    package var description: String { name }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
