package import HelioCore

/// The encoders of an Apple machine, with the names by which the user chooses them.
package struct AppleEncoderCatalog: Sendable {
    private let listed: [ListedEncoder]

    /// - Parameter listed: VideoToolbox's list; a codec without an entry is not usable.
    package init(_ listed: [ListedEncoder]) { self.listed = listed }

    private static func name(_ codec: VideoCodec) -> String {
        codec == .h264 ? "h264_videotoolbox" : "hevc_videotoolbox"
    }

    /// The descriptions of all known encoders, the preferred ones first.
    package var descriptions: [EncoderDescription] {
        VideoCodec.allCases.map { codec in
            let isHardware = codesByHardware(codec)
            let isUsable = canCode(codec)
            return EncoderDescription(
                name: Self.name(codec), codec: codec, isHardware: isHardware, isUsable: isUsable,
                reason: !isUsable
                    ? "the system lists no encoder" : isHardware ? "VideoToolbox, hardware" : "VideoToolbox, software")
        }
    }

    package func canCode(_ codec: VideoCodec) -> Bool { listed.contains { $0.codec == codec } }

    package func codesByHardware(_ codec: VideoCodec) -> Bool {
        listed.contains { $0.codec == codec && $0.isHardware }
    }

    /// Returns `first` and then the other codecs that can be encoded on this machine, for negotiation.
    package func codecs(preferring first: VideoCodec) -> [VideoCodec] {
        [first] + VideoCodec.allCases.filter { $0 != first && canCode($0) }
    }

    /// Returns the codec of the encoder with this name. Throws `invalidArgument`, with a list of the choices, if there
    /// is none.
    package func codec(ofEncoder name: String) throws(HelioError) -> VideoCodec {
        if let codec = VideoCodec.allCases.first(where: { Self.name($0) == name }) { return codec }
        let names = VideoCodec.allCases.map(Self.name).joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no encoder '\(name)'; there are: auto, software, \(names).")
    }

    /// Returns the encoder to request for a session. Throws `invalidArgument` if the name is unknown or the named
    /// encoder has another codec.
    package func coder(
        _ choice: CodecChoice, for codec: VideoCodec
    ) throws(HelioError)
        -> CompressionSpecification.Coder
    {
        switch choice {
        case .automatic: return .best
        case .software: return .software
        case .named(let name):
            guard try self.codec(ofEncoder: name) == codec else {
                throw HelioError(.invalidArgument, "The encoder '\(name)' does not code \(codec.encodingName).")
            }
            return codesByHardware(codec) ? .hardware : .best
        }
    }
}

/// An encoder that the system lists.
package struct ListedEncoder: Sendable, Hashable {
    package var codec: VideoCodec
    package var isHardware: Bool

    package init(codec: VideoCodec, isHardware: Bool) {
        self.codec = codec
        self.isHardware = isHardware
    }

    /// - Parameters:
    ///   - told: the list's own word, `kVTVideoEncoderList_IsHardwareAccelerated`; `nil` if it says none.
    ///   - isPhone: true on iOS, all of whose encoders are hardware; a Mac's list says it of each that is.
    package init(codec: VideoCodec, told: Bool?, isPhone: Bool) {
        self.init(codec: codec, isHardware: told ?? isPhone)
    }
}
