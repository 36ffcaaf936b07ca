/// The `Heliograph` authentication scheme in RTSP's headers.
///
///     WWW-Authenticate: Heliograph nonce="HEX"                   (host)
///     Authorization: Heliograph nonce="HEX", proof="HEX"         (viewer)
struct ProofHeader {
    static let scheme = "Heliograph"

    var nonce: [UInt8]
    var proof: [UInt8]

    static func challenge(_ nonce: [UInt8]) -> String { "\(scheme) nonce=\"\(hex(nonce))\"" }

    static func nonce(inChallenge value: String) -> [UInt8]? { fields(value)?["nonce"].flatMap(bytes) }

    var value: String { "\(Self.scheme) nonce=\"\(Self.hex(nonce))\", proof=\"\(Self.hex(proof))\"" }

    init(nonce: [UInt8], proof: [UInt8]) {
        self.nonce = nonce
        self.proof = proof
    }

    init?(claim value: String) {
        guard let fields = Self.fields(value), let nonce = fields["nonce"].flatMap(Self.bytes),
            let proof = fields["proof"].flatMap(Self.bytes)
        else { return nil }
        self.init(nonce: nonce, proof: proof)
    }

    private static func fields(_ value: String) -> [String: String]? {
        guard value.utf8.count <= 512, value.hasPrefix(scheme + " ") else { return nil }
        var fields: [String: String] = [:]
        for part in value.dropFirst(scheme.count + 1).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            let name = pair[0].filter { $0 != " " }
            fields[String(name)] = pair[1].filter { $0 != "\"" && $0 != " " }
        }
        return fields
    }

    static func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// At most 64 bytes: no nonce, proof or ticket is longer.
    static func bytes(_ hex: String) -> [UInt8]? {
        let digits = hex.utf8.map { character -> UInt8? in
            Character(UnicodeScalar(character)).hexDigitValue.map(UInt8.init)
        }
        guard digits.count % 2 == 0, digits.count <= 128, !digits.contains(nil) else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0]! << 4 | digits[$0 + 1]! }
    }
}
