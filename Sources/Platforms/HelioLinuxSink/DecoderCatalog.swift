internal import HelioBitstream
internal import HelioCore

/// The decoders that work on this machine: hardware is probed with test pictures.
enum DecoderCatalog {
    /// The hardware decoder's name, by which the user chooses it.
    private static let hardwareName = "vaapi"

    /// The codecs of which hardware has decoded a test picture. Tested once per process, as a failing test may take
    /// long.
    private static let tried = Set(VideoCodec.allCases.filter(decodesByHardware))

    /// Makes the decoder of a stream.
    ///
    /// The automatic choice for H.265 is hardware, if it works. For H.264 it is software, which skips unchanged parts
    /// at nearly no cost; hardware decodes every picture completely, and each must then be copied from hardware memory.
    ///
    /// Throws `unsupported` if the named decoder does not work on this machine.
    static func make(
        _ codec: VideoCodec, choice: CodecChoice = .automatic, mayReorder: Bool = false,
        mostSamples: Int = PictureLimit.standard
    ) throws(HelioError) -> FFmpegDecoder {
        switch choice {
        case .named:
            return try FFmpegDecoder(
                codec, acceleration: .hardware, mayReorder: mayReorder, mostSamples: mostSamples)
        case .automatic where hardware(of: choice).contains(codec):
            let made = try? FFmpegDecoder(
                codec, acceleration: .hardware, mayReorder: mayReorder, mostSamples: mostSamples)
            if let made { return made }
        case .automatic, .software: break
        }
        return try FFmpegDecoder(codec, mayReorder: mayReorder, mostSamples: mostSamples)
    }

    /// Returns the codecs that hardware decodes with this choice, to be reported to the source.
    static func hardware(of choice: CodecChoice) -> Set<VideoCodec> {
        switch choice {
        case .automatic: tried.intersection([.h265])
        case .software: []
        case .named: tried
        }
    }

    /// Checks a choice. Throws `invalidArgument` for an unknown name, and `unsupported` if the named hardware can
    /// decode no codec on this machine.
    static func check(_ choice: CodecChoice) throws(HelioError) {
        guard case .named(let name) = choice else { return }
        guard name == hardwareName else {
            throw HelioError(
                .invalidArgument, "There is no decoder '\(name)'; there are: auto, software, \(hardwareName).")
        }
        if tried.isEmpty {
            throw HelioError(
                .unsupported, "VA-API decodes nothing here: there is no device, or its driver lacks H.264 and H.265.")
        }
    }

    private static func decodesByHardware(_ codec: VideoCodec) -> Bool {
        guard let decoder = try? FFmpegDecoder(codec, acceleration: .hardware),
            let picture = try? decoder.decodePart(
                testPicture(codec), isFirst: true, isLast: true, isKeyframe: true, frameIndex: 0, mediaTime: 0)
        else { return false }
        return decoder.decodedByHardware && picture.size == PixelSize(width: 640, height: 368)
    }

    /// Returns a grey keyframe of 640x368 pixels in one slice, made by `ffmpeg -f lavfi -i color=gray:s=640x368` with
    /// libx264 or libx265.
    static func testPicture(_ codec: VideoCodec) -> [UInt8] {
        let text =
            switch codec {
            case .h264:
                "00000001674d401eda0280bec044000003000400000300f23c58ba800000000168ee0fc80000016588843afeedcfbf9d"
                    + "76336f214e3ac7ffc21097aa18280000030000030000199b65a909a5efdcf2000003005e001bb0c787c85e85bc568780"
                    + "a18eb14e200408000003000003000003000003000005bd"
            case .h265:
                "0000000140010c01ffff01600000030090000003000003003fba02400000000142010101600000030090000003000003"
                    + "003fa00502017165ba4a4c2f016808000003000800000300f040000000014401c07183120000012801adc613b2ea6662"
                    + "21e0d117ce7322eebaeda718a00000c18007706824da718a00000300584008d5db4e31400000030071400c2725a00000"
                    + "03000053c00e488000000300001490118000000300000302fa00000300000300003ae00000030000030002d200000300"
                    + "0003001990000003000003008b8000000300000302be8700000300000300000300003fc0"
            }
        return Hexadecimal.bytes(text) ?? []
    }
}
