package import HelioCore

/// The agreement of a source and all its sinks on the stream, with its reasons. The source has a
/// preferred codec, and may have a hardware encoder.
///
/// The codec is the one that the source encodes by hardware, if all sinks also decode it by hardware; otherwise the
/// first codec in the source's order that every sink decodes. Each number (frame rate, bitrate) is the minimum of those
/// of the source and all sinks. The picture keeps its aspect ratio and is made small enough for all.
package struct StreamAgreement: Sendable, Hashable {
    package var format: VideoFormat
    /// The maximum width and height that all sinks accept, each taken separately; `nil`: any. It also applies when the
    /// source's own size changes: see `PixelSize.fitted`.
    package var largest: PixelSize?
    /// Human-readable reasons: for each difference from the source's wanted format, and for a codec that both ends
    /// process by hardware.
    package var reasons: [String] = []

    /// - Parameters:
    ///   - wanted: the source's wanted format; its frame rate and bitrate are upper limits of the agreed ones.
    ///   - codecs: the codecs that the source can encode, best first.
    ///   - hardware: the codec that the source can encode by hardware, for sinks that decode it by hardware; `nil`:
    ///     none.
    ///
    /// Fails if no codec is common to all.
    package init?(
        wanted: VideoFormat, codecs: [VideoCodec], hardware: VideoCodec? = nil, sinks: [StreamCapabilities]
    ) {
        format = wanted
        let byHardware = hardware.flatMap { codec in
            !sinks.isEmpty && sinks.allSatisfy { $0.hardware.contains(codec) } ? codec : nil
        }
        let common = codecs.first { codec in sinks.allSatisfy { $0.codecs.contains(codec) } }
        guard let codec = byHardware ?? common else { return nil }
        format.codec = codec
        if codec != wanted.codec {
            // The wanted profile and level belong to the wanted codec, so they don't apply.
            (format.profile, format.level) = (nil, nil)
        }
        if codec == byHardware {
            reasons.append("\(codec.encodingName), by hardware at both ends")
        } else if codec != wanted.codec {
            reasons.append("\(codec.encodingName), as a viewer does not decode \(wanted.codec.encodingName)")
        }
        for rate in sinks.compactMap(\.framesPerSecond) where rate < format.framesPerSecond {
            format.framesPerSecond = rate
        }
        if format.framesPerSecond < wanted.framesPerSecond {
            reasons.append("\(format.framesPerSecond) frames a second, the most that a viewer takes")
        }
        for rate in sinks.compactMap(\.bitrate) where rate < format.bitrate { format.bitrate = rate }
        if format.bitrate < wanted.bitrate {
            reasons.append("\(format.bitrate.bitsPerSecond / 1000) kbit/s, the most that a viewer takes")
        }
        if format.chroma == .yuv444, !sinks.allSatisfy(\.takesFullChroma) {
            format.chroma = .yuv420
            reasons.append("4:2:0, as a viewer does not show 4:4:4")
        }
        for sink in sinks.compactMap(\.largest) {
            let most = largest ?? sink
            largest = PixelSize(width: min(most.width, sink.width), height: min(most.height, sink.height))
        }
        format.size = wanted.size.fitted(within: largest)
        if let largest, format.size != wanted.size {
            reasons.append("\(format.size), not \(wanted.size), as a viewer takes at most \(largest)")
        }
    }
}
