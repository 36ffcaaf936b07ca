/// One line to a peer or from it, as Tests/ForeignPeers/Programs/README.md has them. Which members are there depends on
/// the type; numbers are of the units that the README gives.
package struct PeerLine: Codable, Sendable {
    package struct ICEServer: Codable, Sendable {
        package var urls: [String]
        package var username: String?
        package var credential: String?

        package init(urls: [String], username: String? = nil, credential: String? = nil) {
            self.urls = urls
            self.username = username
            self.credential = credential
        }
    }

    /// The candidates that a connection uses: types (host, srflx, prflx, relay), and protocols as the stack tells them.
    package struct CandidatePair: Codable, Sendable {
        package struct End: Codable, Sendable {
            package var type: String
            package var `protocol`: String
        }

        package var local: End
        package var remote: End
    }

    package var type: String

    // configure
    package var iceServers: [ICEServer]?
    package var iceTransportPolicy: String?

    // offer, answer, candidate
    package var sdp: String?
    /// `nil` ends them.
    package var candidate: String?
    package var sdpMid: String?

    // state; error, unsupported
    package var state: String?
    package var command: String?

    // channel, channelClosed, open, send, close, message, echoed
    package var label: String?
    package var ordered: Bool?
    package var maxRetransmits: Int?
    package var `protocol`: String?
    package var incoming: Bool?
    package var bytes: Int?
    package var count: Int?
    package var seed: Int?
    package var sha256: String?
    package var isText: Bool?

    // frames
    package var width: Int?
    package var height: Int?
    /// The mean of the newest picture, 0 to 255.
    package var luma: Double?
    /// Of the newest picture, as the Web names it: `I444`, say. Chromium tells it.
    package var format: String?

    // direction
    package var direction: String?

    // sound
    /// What one ear hears: hertz, and decibels below a sine of full scale.
    package struct Tone: Codable, Sendable {
        package var frequency: Double
        package var level: Double
    }

    package var tones: [Tone]?
    /// Of the stack's output, in hertz.
    package var rate: Int?
    /// In milliseconds: how long the tone was, the holes in it, and how much later it came out than it went in.
    package var length: Double?
    package var gaps: Double?
    package var delay: Double?

    // stats
    package var tonesHeard: Int?
    package var soundPackets: Int?
    package var soundSamples: Int?
    package var concealedSamples: Int?
    /// By how many milliseconds the picture that is shown was captured later than the sound that is heard.
    package var playoutOffset: Double?
    package var messagesSent: Int?
    package var messagesReceived: Int?
    package var bytesSent: Int?
    package var bytesReceived: Int?
    package var echoes: Int?
    package var framesSent: Int?
    package var framesReceived: Int?
    package var framesDecoded: Int?
    package var framesEncoded: Int?
    package var nackCount: Int?
    package var candidatePair: CandidatePair?
    /// What was thrown away, by name. Ours tells it.
    package var drops: [String: Int]?

    /// What an error or a refusal says; in a command to send, whether it is text, which is why it has two types.
    package var text: Text?

    package enum Text: Codable, Sendable {
        case said(String)
        case flag(Bool)

        package init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else {
                self = .said(try container.decode(String.self))
            }
        }

        package func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .said(let text): try container.encode(text)
            case .flag(let flag): try container.encode(flag)
            }
        }
    }

    package init(_ type: String) {
        self.type = type
    }
}

extension PeerLine {
    package static func offer(_ sdp: String) -> PeerLine { description("offer", sdp) }
    package static func answer(_ sdp: String) -> PeerLine { description("answer", sdp) }
    package static let stats = PeerLine("stats")
    package static let restart = PeerLine("restart")
    package static let stop = PeerLine("stop")

    /// Without a text: there are no more.
    package static func candidate(_ text: String?, mid: String? = "0") -> PeerLine {
        var line = PeerLine("candidate")
        line.candidate = text
        line.sdpMid = text == nil ? nil : mid
        return line
    }

    package static func open(
        _ label: String, ordered: Bool = true, maxRetransmits: Int? = nil, protocol: String = ""
    ) -> PeerLine {
        var line = PeerLine("open")
        line.label = label
        line.ordered = ordered
        line.maxRetransmits = maxRetransmits
        line.protocol = `protocol`
        return line
    }

    /// Messages of the seed's, each of that many bytes, which the peer wants to come back.
    package static func send(
        on label: String, bytes: Int, count: Int = 1, seed: Int = 0, isText: Bool = false
    ) -> PeerLine {
        var line = PeerLine("send")
        line.label = label
        line.bytes = bytes
        line.count = count
        line.seed = seed
        line.text = .flag(isText)
        return line
    }

    /// The direction that its section of sound is to have, of which it makes an offer.
    package static func direction(_ direction: String) -> PeerLine {
        var line = PeerLine("direction")
        line.direction = direction
        return line
    }

    package static func close(_ label: String) -> PeerLine {
        var line = PeerLine("close")
        line.label = label
        return line
    }

    private static func description(_ type: String, _ sdp: String) -> PeerLine {
        var line = PeerLine(type)
        line.sdp = sdp
        return line
    }
}
