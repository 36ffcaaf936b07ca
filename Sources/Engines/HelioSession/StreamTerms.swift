package import HelioCore
import HelioSDP

/// The agreed frame rate, bitrate, profile and level of a stream, and the frame rate and bitrate encoded now, as a host
/// sends them to its viewers: in its offer, and as the body of a SET_PARAMETER request when they change.
///
///     a=heliograph-terms:fps=60;bitrate=20000000;now=5000000;now-fps=30;profile=66;level=42
package struct StreamTerms: Sendable, Hashable {
    static let contentType = "application/x-heliograph-terms"
    /// The size limit of a message in bytes; valid ones are much shorter.
    private static let longest = 256

    /// The agreed frame rate, the maximum of `codedFramesPerSecond`.
    package var framesPerSecond: Int
    /// The agreed bitrate, the maximum of `coded`.
    package var bitrate: Bitrate
    /// The bitrate that is encoded now: that of the slowest viewer's path. Never above `bitrate`.
    package var coded: Bitrate
    /// The encoder's present frame rate limit: at most `framesPerSecond`, and lower if the path carries no more.
    package var codedFramesPerSecond: Int
    /// The codec's `profile_idc`; `nil` unless one end requires it.
    package var profile: UInt8?
    /// The codec's `level_idc`; `nil` unless one end requires it.
    package var level: UInt8?

    /// - Parameter codedFramesPerSecond: the frame rate limit encoded now; `nil`: the format's.
    package init(_ format: VideoFormat, coded: Bitrate, codedFramesPerSecond: Int? = nil) {
        framesPerSecond = format.framesPerSecond
        bitrate = format.bitrate
        self.coded = min(coded, format.bitrate)
        self.codedFramesPerSecond = min(codedFramesPerSecond ?? format.framesPerSecond, format.framesPerSecond)
        profile = format.profile
        level = format.level
    }

    /// Parses a message's body; `nil` if it is malformed.
    package init?(body: [UInt8]) {
        guard body.count <= Self.longest else { return nil }
        self.init(attributeValue: String(decoding: body, as: UTF8.self))
    }

    /// Copies the agreed numbers into a format.
    func apply(to format: inout VideoFormat) {
        format.framesPerSecond = framesPerSecond
        format.bitrate = bitrate
        format.profile = profile
        format.level = level
    }

    var body: [UInt8] { Array(text.utf8) }

    private var text: String {
        var fields = [
            "fps=\(framesPerSecond)", "bitrate=\(bitrate.bitsPerSecond)", "now=\(coded.bitsPerSecond)",
        ]
        if codedFramesPerSecond < framesPerSecond { fields.append("now-fps=\(codedFramesPerSecond)") }
        if let profile { fields.append("profile=\(profile)") }
        if let level { fields.append("level=\(level)") }
        return fields.joined(separator: ";")
    }
}

extension StreamTerms: AttributeValue {
    package static let attributeName = "heliograph-terms"

    /// Parses the value; unknown names are ignored, so that newer hosts may send more.
    package init?(attributeValue: String?) {
        var (rate, nowRate): (Int?, Int?)
        var (most, now, profile, level): (Bitrate?, Bitrate?, UInt8?, UInt8?)
        for field in (attributeValue ?? "").split(separator: ";") {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            switch pair[0] {
            case "fps":
                guard let number = Int(pair[1]), (1...1000).contains(number) else { return nil }
                rate = number
            case "bitrate":
                guard let number = StreamCapabilities.bitrate(pair[1]) else { return nil }
                most = number
            case "now":
                guard let number = StreamCapabilities.bitrate(pair[1]) else { return nil }
                now = number
            case "now-fps":
                guard let number = Int(pair[1]), (1...1000).contains(number) else { return nil }
                nowRate = number
            case "profile":
                guard let number = UInt8(pair[1]) else { return nil }
                profile = number
            case "level":
                guard let number = UInt8(pair[1]) else { return nil }
                level = number
            default: break
            }
        }
        guard let rate, let most else { return nil }
        framesPerSecond = rate
        bitrate = most
        coded = min(now ?? most, most)
        codedFramesPerSecond = min(nowRate ?? rate, rate)
        self.profile = profile
        self.level = level
    }

    package var attributeValue: String? { text }
}
