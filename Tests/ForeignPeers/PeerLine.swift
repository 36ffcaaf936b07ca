/// One line to or from a peer, as documented in Tests/ForeignPeers/Programs/README.md. The type determines which
/// members are present; the README gives their units.
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

    /// The selected candidate pair: types (host, srflx, prflx, relay) and protocols as the stack reports them.
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
    /// The candidate's text; `nil` means that there are no more candidates.
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
    /// The mean luma of the newest picture, 0 to 255.
    package var luma: Double?
    /// The pixel format of the newest picture by its WebCodecs name, for example `I444`. Only Chromium reports it.
    package var format: String?

    // direction
    package var direction: String?

    // sound
    /// The tone of one channel: hertz, and decibels below a sine of full scale.
    package struct Tone: Codable, Sendable {
        package var frequency: Double
        package var level: Double
    }

    package var tones: [Tone]?
    /// The sample rate of the stack's output, in hertz.
    package var rate: Int?
    /// Milliseconds: the tone's length, the total of its gaps, and its delay from input to output.
    package var length: Double?
    package var gaps: Double?
    package var delay: Double?

    // stats
    package var tonesHeard: Int?
    package var soundPackets: Int?
    package var soundSamples: Int?
    package var concealedSamples: Int?
    /// The milliseconds by which the capture time of the displayed picture is later than that of the sound being
    /// played.
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
    /// The number of dropped items by name. Only `heliograph webrtc` reports it.
    package var drops: [String: Int]?

    /// The text of an error or a refusal. In a `send` command it is a Boolean, whether the messages are text; hence its
    /// two types.
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

    /// A candidate line; `nil` means that there are no more candidates.
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

    /// A command to send `count` messages of `bytes` bytes generated from `seed`, and to wait for their echoes.
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

    /// A command that sets the direction of the peer's sound section and makes a new offer.
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
