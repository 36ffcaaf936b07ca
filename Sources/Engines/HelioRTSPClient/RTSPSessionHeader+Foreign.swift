internal import HelioRTSP

extension RTSPSessionHeader {
    /// As foreign servers write it: any visible identifier, sent back as it is, and a timeout where one can be read.
    init?(foreign value: String) {
        let parts = value.split(separator: ";", omittingEmptySubsequences: false).map { part in
            part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        }
        guard let id = parts.first, !id.isEmpty, id.count <= 128,
            id.allSatisfy({ $0.isASCII && $0.asciiValue.map { (0x21...0x7E).contains($0) } ?? false })
        else { return nil }
        let prefix = "timeout="
        let timeout = parts.dropFirst().map { String($0) }.first { $0.lowercased().hasPrefix(prefix) }
        self.init(id: String(id), timeout: timeout.flatMap { Int($0.dropFirst(prefix.count)) })
    }
}
