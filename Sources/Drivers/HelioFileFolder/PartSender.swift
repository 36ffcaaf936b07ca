/// The identifier of a file's sender in part names: only the same sender can resume a transfer.
package struct PartSender: Hashable, Sendable {
    /// The identifier, 16 hexadecimal digits.
    let text: String

    /// - Parameter digest: the digest of a secret that only the sender knows; its first 8 bytes are used.
    package init(_ digest: [UInt8]) {
        text = digest.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
