/// A command, or the answer to one (RTMP section 7.2): `connect`, `createStream`, `publish`, `_result`, `onStatus`.
///
/// No description holds its arguments: a stream's key may be among them.
package struct RTMPCommand: Sendable, Hashable {
    package var name: String
    /// Tells which command an answer is for; 0 where none is wanted.
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

    /// Reads a message of a command; `nil` for other messages, and where its values begin otherwise.
    package init?(_ message: RTMPMessage) throws(AMF0Fault) {
        let values: [AMF0Value]
        switch message.type {
        case .command: values = try AMF0Value.read(message.payload)
        // A byte 0 ahead of AMF0: values in AMF3 itself are behind a mark that is not read.
        case .commandAMF3 where message.payload.first == 0: values = try AMF0Value.read(message.payload, from: 1)
        default: return nil
        }
        guard values.count >= 2, let name = values[0].text, let transaction = values[1].number else { return nil }
        self.init(
            name, transaction: transaction, object: values.count > 2 ? values[2] : .null,
            arguments: Array(values.dropFirst(3)))
    }

    /// - Parameter streamID: 0 for the connection's own.
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
    /// Its `level`: `status`, `warning` or `error`.
    package var level: String? { information?["level"]?.text }

    /// Its `description`: a text for people, in which a stream's key may be.
    package var explanation: String? { information?["description"]?.text }

    private var information: AMF0Value? { arguments.first { $0["code"] != nil } }
}

extension RTMPCommand: CustomStringConvertible, CustomReflectable {
    package var description: String { name }
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
