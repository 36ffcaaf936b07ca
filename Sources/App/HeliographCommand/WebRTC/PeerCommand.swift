/// A command to a JSON-driven peer (Tests/ForeignPeers/Programs/README.md).
struct PeerCommand: Decodable, Sendable {
    struct Server: Decodable, Sendable {
        /// The server's URLs, decoded from one string or from an array.
        struct Addresses: Decodable, Sendable {
            let all: [String]

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let one = try? container.decode(String.self) {
                    all = [one]
                } else {
                    all = try container.decode([String].self)
                }
            }
        }

        var urls: Addresses
        var username: String?
        var credential: String?
    }

    var type: String

    // The fields of `configure`.
    var iceServers: [Server]?
    var iceTransportPolicy: String?

    // The fields of `offer`, `answer` and `candidate`.
    var sdp: String?
    var candidate: String?

    // The fields of `open`, `send` and `close`.
    var label: String?
    var ordered: Bool?
    var maxRetransmits: Int?
    var `protocol`: String?
    var bytes: Int?
    var count: Int?
    var seed: Int?
    var text: Bool?
}
