import HelioTransferWire

/// Fuzzes the messages of the transfer channel. What parses must come back the same after being written, within the
/// bounds.
package enum TransferWireFuzz {
    package static func run(_ bytes: [UInt8]) {
        guard let message = try? TransferMessage(parsing: bytes.span.bytes) else { return }
        let written = message.serialised()
        precondition(written.count == message.size && written.count <= bytes.count, "a message grew")
        let again = try? TransferMessage(parsing: written.span.bytes)
        precondition(again == message, "a message changed on its way")
    }
}
