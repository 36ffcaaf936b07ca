internal import HelioTransfer

/// The names of partly received files: `.heliograph-part-SENDER-FILE`. Two transfers of the same file by the same
/// sender get the same name, so that the second resumes the first.
enum PartName {
    static let prefix = ".heliograph-part-"

    /// The prefix of all part names of a sender.
    static func prefix(of sender: PartSender) -> String { prefix + sender.text + "-" }

    static func name(_ sender: PartSender, _ path: [SafeName], size: UInt64, modified: UInt64) -> String {
        // FNV-1a suffices, as a digest of the bytes received so far verifies that both transfers are of the same file.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for name in path {
            for byte in name.text.utf8 { add(byte) }
            add(0)
        }
        for shift in stride(from: 0, to: 64, by: 8) {
            add(UInt8(truncatingIfNeeded: size >> UInt64(shift)))
            add(UInt8(truncatingIfNeeded: modified >> UInt64(shift)))
        }
        let digits = String(hash, radix: 16)
        return prefix(of: sender) + String(repeating: "0", count: 16 - digits.count) + digits
    }
}
