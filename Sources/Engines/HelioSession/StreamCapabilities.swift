package import HelioCore

/// The capabilities of a sink, sent with its request for the stream. A numeric limit that is `nil` does not apply.
///
///     Heliograph-Accepts: codecs=h265,h264;hardware=h265;size=1920x1080;fps=60;bitrate=8000000;chroma=420;
///                         sound=pcm,opus;pointers=kept          (one line in the header)
package struct StreamCapabilities: Sendable, Hashable {
    static let headerName = "Heliograph-Accepts"

    /// The codecs that the sink decodes, best first; never empty.
    package var codecs: [VideoCodec]
    /// The codecs among `codecs` that the sink decodes by hardware.
    package var hardware: Set<VideoCodec>
    package var largest: PixelSize?
    package var framesPerSecond: Int?
    package var bitrate: Bitrate?
    /// True if the sink displays 4:4:4 chroma.
    package var takesFullChroma: Bool
    /// The audio codecs that the sink plays, among PCM and Opus; empty if it wants no sound.
    package var sound: [SoundCodec]
    /// True if the sink keeps pointer shapes: see `CursorList`.
    package var keepsPointers: Bool

    package init(
        codecs: [VideoCodec] = VideoCodec.allCases, hardware: Set<VideoCodec> = [], largest: PixelSize? = nil,
        framesPerSecond: Int? = nil,
        bitrate: Bitrate? = nil, takesFullChroma: Bool = true, sound: [SoundCodec] = [],
        keepsPointers: Bool = true
    ) {
        self.codecs = codecs
        self.hardware = hardware
        self.largest = largest
        self.framesPerSecond = framesPerSecond
        self.bitrate = bitrate
        self.takesFullChroma = takesFullChroma
        self.sound = Self.carried.filter(sound.contains)
        self.keepsPointers = keepsPointers
    }

    /// The audio codecs that a session can carry.
    private static let carried: [SoundCodec] = [.pcm, .opus]

    /// Parses a header; `nil` if it is malformed. Unknown names and codecs are ignored, so that newer sinks may send
    /// more.
    package init?(headerValue: String) {
        self.init(codecs: [], takesFullChroma: false, keepsPointers: false)
        for field in headerValue.split(separator: ";") {
            let pair = field.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { return nil }
            let value = String(pair[1])
            switch pair[0] {
            case "codecs":
                for codec in Self.codecs(value) where !codecs.contains(codec) { codecs.append(codec) }
            case "hardware": hardware = Set(Self.codecs(value))
            case "size":
                let sides = value.split(separator: "x").compactMap { Int($0) }
                guard sides.count == 2, sides.allSatisfy({ (16...16384).contains($0) }) else { return nil }
                largest = PixelSize(width: sides[0], height: sides[1])
            case "fps":
                guard let number = Int(value), (1...1000).contains(number) else { return nil }
                framesPerSecond = number
            case "bitrate":
                guard let number = Self.bitrate(pair[1]) else { return nil }
                bitrate = number
            case "chroma": takesFullChroma = value == "444"
            case "sound":
                let names = value.split(separator: ",").compactMap { SoundCodec(rawValue: String($0)) }
                sound = Self.carried.filter(names.contains)
            case "pointers": keepsPointers = value == "kept"
            default: break
            }
        }
        if codecs.isEmpty { return nil }
        hardware.formIntersection(codecs)
    }

    private static func codecs(_ names: String) -> [VideoCodec] {
        names.split(separator: ",").compactMap { VideoCodec(rawValue: String($0)) }
    }

    /// Parses a bitrate; `nil` outside 10 kbit/s to 10 Gbit/s.
    package static func bitrate(_ text: Substring) -> Bitrate? {
        guard let number = Int(text), (10_000...10_000_000_000).contains(number) else { return nil }
        return Bitrate(bitsPerSecond: number)
    }

    var headerValue: String {
        var fields = ["codecs=" + codecs.map(\.rawValue).joined(separator: ",")]
        let byHardware = codecs.filter(hardware.contains).map(\.rawValue)
        if !byHardware.isEmpty { fields.append("hardware=" + byHardware.joined(separator: ",")) }
        if let largest { fields.append("size=\(largest)") }
        if let framesPerSecond { fields.append("fps=\(framesPerSecond)") }
        if let bitrate { fields.append("bitrate=\(bitrate.bitsPerSecond)") }
        fields.append("chroma=" + (takesFullChroma ? "444" : "420"))
        if !sound.isEmpty { fields.append("sound=" + sound.map(\.rawValue).joined(separator: ",")) }
        if keepsPointers { fields.append("pointers=kept") }
        return fields.joined(separator: ";")
    }
}
