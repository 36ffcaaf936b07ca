import HelioTransferWire

/// Fuzzes the messages of the transfer channel, for the clipboard and for files. A parsed message must survive writing
/// and parsing, within the limits, and belong to one of the two only.
package enum TransferWireFuzz {
    package static func run(_ bytes: [UInt8]) {
        if let message = try? TransferMessage(parsing: bytes.span.bytes) {
            let written = message.serialised()
            precondition(written.count == message.size && written.count <= bytes.count, "a message grew")
            let again = try? TransferMessage(parsing: written.span.bytes)
            precondition(again == message, "a message changed on its way")
            precondition(!FileMessage.isAboutFiles(bytes), "a message of the clipboard is about files")
        }
        if let message = try? FileMessage(parsing: bytes.span.bytes) {
            // Nothing is left out: the bytes are exactly the message.
            precondition(message.serialised() == bytes && message.size == bytes.count, "a message changed on its way")
            precondition(FileMessage.isAboutFiles(bytes), "a message about files is not known as one")
            if case .entry(_, _, let entry) = message {
                precondition(entry.path.allSatisfy { !$0.contains("/") && $0 != ".." }, "a path leads elsewhere")
            }
        }
    }
}
