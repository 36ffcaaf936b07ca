internal import HelioBitstream
package import HelioCore
package import HelioMedia
internal import HelioSDP

/// The streams to play from another program's SDP (a response to DESCRIBE, or a publisher's ANNOUNCE): the first
/// decodable video stream and the first decodable audio stream.
///
/// Cameras send invalid SDP, except in the lines that players need. So only these are parsed, in any order: `m=`,
/// `a=control`, `a=rtpmap`, `a=fmtp` and `a=rtcp-fb`.
package struct PlainDescription: Sendable {
    package enum Failure: Error, Sendable, Equatable {
        case unreadable
        case noVideo
        /// The description has video, but no playable one. The text is the human-readable format.
        case unsupported(String)
    }

    package var codec: VideoCodec
    package var payloadType: PayloadType
    /// The absolute URI of the video stream, for SETUP.
    package var streamURI: String
    /// The audio stream; `nil` if there is no playable one.
    package private(set) var sound: PlainSound?
    /// The human-readable reason if `sound` is `nil`.
    package private(set) var soundObstacle: String?
    /// The URIs of all streams except the video, including the audio. Several streams may have the same URI.
    package var otherStreamURIs: [String]
    /// True if the sender accepts keyframe requests (RFC 4585).
    package var takesFeedback: Bool
    /// The absolute URI for PLAY and TEARDOWN.
    package var sessionURI: String
    /// The parameter sets in decoding order, without start codes; empty if the description has none.
    package var parameterSets: [[UInt8]]
    /// The picture size; `nil` if the description has no sequence parameter set.
    package var size: PixelSize?

    /// The receive format of the video stream.
    package var format: ReceiveFormat {
        var format = ReceiveFormat(payloadType: payloadType, video: codec)
        format.takesPictureLoss = takesFeedback
        format.parameterSets = parameterSets
        return format
    }

    /// Parses a description. Throws a `Failure` if it can't be read or has no playable video.
    ///
    /// - Parameter base: the base URI of relative control URLs.
    package init(_ body: [UInt8], base: String) throws(Failure) {
        guard let description = try? SessionDescription(parsing: Self.essence(of: body)) else { throw .unreadable }
        guard description.media.contains(where: { $0.kind == .video }) else { throw .noVideo }
        sessionURI = Self.join(base, description.attributes.first(ControlURL.self)?.url)
        var obstacle = "in no format that it names"
        for (index, video) in description.media.enumerated() where video.kind == .video {
            switch Self.stream(of: video) {
            case .success(let map):
                codec = map.codec
                payloadType = map.type
                parameterSets = video.attributes.formatParameters(for: map.type)?.parameterSets(codec) ?? []
                let samples = parameterSets.lazy.compactMap { SampleFormat($0.span.bytes, codec: map.codec) }.first
                size = samples?.size
                if let what = samples?.obstacle { throw .unsupported(what) }
                streamURI = Self.join(base, video.attributes.first(ControlURL.self)?.url)
                otherStreamURIs = description.media.enumerated().filter { $0.offset != index }.map {
                    Self.join(base, $0.element.attributes.first(ControlURL.self)?.url)
                }
                takesFeedback =
                    video.transport == "RTP/AVPF"
                    || video.attributes.values(of: RTCPFeedback.self).contains { feedback in
                        feedback.kind == "nack" && feedback.parameter == "pli"
                            && [nil, map.type].contains(feedback.payloadType)
                    }
                findSound(in: description, base: base)
                return
            case .failure(let why): obstacle = why.text
            }
        }
        throw .unsupported(obstacle)
    }

    /// Finds the audio stream, which is optional.
    private mutating func findSound(in description: SessionDescription, base: String) {
        soundObstacle = "the stream has none"
        for audio in description.media where audio.kind == .audio {
            guard Self.transports.contains(audio.transport) else {
                soundObstacle = "it is sent as \(Self.shown(audio.transport))"
                continue
            }
            let uri = Self.join(base, audio.attributes.first(ControlURL.self)?.url)
            let known = audio.sounds
            if known.isEmpty { soundObstacle = "it is \(Self.encoding(of: audio))" }
            for format in known where uri != streamURI {
                do throws(PlainSound.Obstacle) {
                    sound = try PlainSound(format, uri: uri)
                    soundObstacle = nil
                    return
                } catch {
                    soundObstacle = "it has \(error.text)"
                }
            }
        }
    }

    /// Returns the human-readable name of a section's first audio format.
    private static func encoding(of audio: MediaSection) -> String {
        guard let number = audio.formats.first.flatMap({ UInt8($0) }), number < 128 else { return "in no known format" }
        let map = audio.attributes.rtpMap(for: PayloadType(number))
        return map.map { shown($0.encoding) } ?? "RTP payload type \(number)"
    }

    private static let transports = ["RTP/AVP", "RTP/AVPF"]

    private struct Obstacle: Error {
        var text: String
    }

    /// Reduces a description to the lines that are parsed, after a header with the lines that SDP requires.
    private static func essence(of body: [UInt8]) -> [UInt8] {
        var lines: [[UInt8]] = []
        let wanted = ["m=", "a=control:", "a=rtpmap:", "a=fmtp:", "a=rtcp-fb:"].map { Array($0.utf8) }
        for line in body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            guard wanted.contains(where: { line.starts(with: $0) }) else { continue }
            var line = Array(line)
            while line.last == 0x20 { line.removeLast() }
            lines.append(line)
        }
        let head = "v=0\r\no=- 0 0 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n"
        return Array(head.utf8) + lines.flatMap { $0 + [0x0D, 0x0A] }
    }

    private static func stream(of video: MediaSection) -> Result<(codec: VideoCodec, type: PayloadType), Obstacle> {
        guard transports.contains(video.transport) else {
            return .failure(Obstacle(text: "sent as \(shown(video.transport))"))
        }
        var obstacle = Obstacle(text: "in no format that it names")
        for format in video.formats {
            guard let number = UInt8(format), number < 128 else { continue }
            let type = PayloadType(number)
            guard let map = video.attributes.rtpMap(for: type) else {
                // Static payload types need no rtpmap (RFC 3551 table 5).
                obstacle.text = number == 26 ? "JPEG" : number == 32 ? "MPEG" : "RTP payload type \(number)"
                continue
            }
            guard let codec = VideoCodec.allCases.first(where: { $0.encodingName == map.encoding.uppercased() }),
                map.clockRate == 90_000
            else {
                obstacle.text = shown(map.encoding)
                continue
            }
            if let text = unsupportedMode(video.attributes.formatParameters(for: type), codec: codec) {
                obstacle.text = text
                continue
            }
            return .success((codec, type))
        }
        return .failure(obstacle)
    }

    /// Returns the human-readable name of an unsupported packetization mode, in which packets are not in decoding order
    /// (RFC 6184 section 6.4, RFC 7798 section 4.2); `nil` if the mode is supported.
    private static func unsupportedMode(_ parameters: FormatParameters?, codec: VideoCodec) -> String? {
        switch codec {
        case .h264: parameters?["packetization-mode"] == "2" ? "H264 in interleaved packets" : nil
        case .h265:
            ["0", nil].contains(parameters?["sprop-max-don-diff"]) ? nil : "H265 in interleaved packets"
        }
    }

    /// Sanitises a word from the server for a message: limits it to 24 characters, and replaces all except ASCII
    /// letters, digits, "/", "-" and "." by "?".
    private static func shown(_ word: String) -> String {
        String(word.prefix(24).map { $0.isASCII && ($0.isLetter || $0.isNumber || "/-.".contains($0)) ? $0 : "?" })
    }

    /// Appends a control URL to the base URI, unless it is absolute (RFC 2326 appendix C.1.1). Relative references are
    /// not resolved by the rules of URIs, as servers expect players to append them.
    package static func join(_ base: String, _ control: String?) -> String {
        guard let control, control != "*" else { return base }
        let scheme = control.utf8.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "/") }
        if control.utf8.dropFirst(scheme.count).starts(with: "://".utf8), !scheme.isEmpty { return control }
        let path = control.utf8.first == UInt8(ascii: "/") ? Substring(control.utf8.dropFirst()) : control[...]
        return base.utf8.last == UInt8(ascii: "/") ? base + path : "\(base)/\(path)"
    }
}
