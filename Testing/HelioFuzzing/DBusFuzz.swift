import HelioDBusWire

/// Fuzzes the messages of a bus: the first byte is the place at which the stream is cut in two. What is read and written
/// again is read as the same.
package enum DBusFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count > 1 else { return }
        let stream = bytes[1...]
        let whole = messages([stream])
        let cut = stream.index(stream.startIndex, offsetBy: Int(bytes[0]) % stream.count)
        let parts = messages([stream[..<cut], stream[cut...]])
        precondition(whole.messages == parts.messages && whole.fault == parts.fault, "a cut changes what is read")
        for message in whole.messages {
            guard let arguments = try? message.arguments() else { continue }
            let written = answer(arguments)
            // Text that was no UTF-8 may have grown.
            guard written.count <= DBusMessage.mostBytes else { continue }
            let again = messages([written[...]]).messages
            precondition(again.count == 1, "what is written is no message")
            guard let same = try? again[0].arguments() else { preconditionFailure("what is written can't be read") }
            precondition(answer(same) == written, "what is written is read as something else")
        }
    }

    private static func answer(_ arguments: [DBusValue]) -> [UInt8] {
        var message = DBusMessage.signal("/fuzz", "org.example", "Fuzz", arguments)
        message.serial = 1
        return message.encoded()
    }

    private static func messages(_ parts: [ArraySlice<UInt8>]) -> (messages: [DBusMessage], fault: DBusFault?) {
        var input = DBusInput()
        var messages: [DBusMessage] = []
        do throws(DBusFault) {
            for part in parts {
                input.append(part)
                while let message = try input.next() { messages.append(message) }
            }
        } catch {
            return (messages, error)
        }
        return (messages, nil)
    }
}
