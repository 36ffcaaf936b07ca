/// Who sends a file, as the names of its parts have it: what was cut goes on with the same sender and with nobody else.
package struct PartSender: Hashable, Sendable {
    /// 16 hexadecimal digits.
    let text: String

    /// - Parameter digest: of what the sender alone knows; its first 8 bytes count.
    package init(_ digest: [UInt8]) {
        text = digest.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }.joined()
    }
}
