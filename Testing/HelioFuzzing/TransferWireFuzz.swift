import HelioTransferWire

/// Fuzzes the parsers of the transfer channel's messages, for the clipboard and for files. A parsed message must
/// survive a round trip and not grow, and must belong to only one of the two.
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
            // Unlike the clipboard's messages, files' messages must be serialised to exactly the parsed bytes.
            precondition(message.serialised() == bytes && message.size == bytes.count, "a message changed on its way")
            precondition(FileMessage.isAboutFiles(bytes), "a message about files is not known as one")
            if case .entry(_, _, let entry) = message {
                precondition(entry.path.allSatisfy { !$0.contains("/") && $0 != ".." }, "a path leads elsewhere")
            }
        }
    }
}
