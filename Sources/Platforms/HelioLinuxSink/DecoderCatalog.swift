internal import HelioBitstream
internal import HelioCore

/// The decoders that work on this machine: hardware is probed with test pictures.
enum DecoderCatalog {
    /// The codecs in which the device has decoded a test picture. Each device is tested once per process, as a failing
    /// test may take long.
    private static let byVAAPI = decoded(by: .vaapi)
    private static let byNVDEC = decoded(by: .nvdec)

    /// Makes the decoder of a stream.
    ///
    /// The automatic choice for H.265 is VA-API, if it works. Otherwise it is software until a keyframe of a size that
    /// NVIDIA's engine was measured to decode faster (`DecoderMeasurement`). Software skips unchanged parts of H.264 at
    /// nearly no cost; hardware decodes every picture completely, and each must then be copied from hardware memory.
    ///
    /// Throws `unsupported` if the named decoder does not work on this machine.
    static func make(
        _ codec: VideoCodec, choice: CodecChoice = .automatic, mayReorder: Bool = false,
        mostSamples: Int = PictureLimit.standard, measurement: DecoderMeasurement = .shared
    ) throws(HelioError) -> FFmpegDecoder {
        switch choice {
        case .named(let name):
            return try make(codec, by: kind(called: name), mayReorder: mayReorder, mostSamples: mostSamples)
        case .automatic:
            if codec == .h265, byVAAPI.contains(codec),
                let made = try? make(codec, by: .vaapi, mayReorder: mayReorder, mostSamples: mostSamples)
            {
                return made
            }
            measurement.begin()
            return try FFmpegDecoder(
                codec, device: nil, choose: { measurement.device(for: $0, size: $1) }, mayReorder: mayReorder,
                mostSamples: mostSamples)
        case .software:
            return try FFmpegDecoder(codec, mayReorder: mayReorder, mostSamples: mostSamples)
        }
    }

    private static func make(
        _ codec: VideoCodec, by kind: FFmpegDecoderKind, mayReorder: Bool = false,
        mostSamples: Int = PictureLimit.standard
    ) throws(HelioError) -> FFmpegDecoder {
        guard HardwareDevice.isSupported(codec, by: kind), let device = HardwareDevice(kind) else {
            throw HelioError(.unsupported, "There is no \(kind.name) for \(codec.encodingName)")
        }
        return try FFmpegDecoder(codec, device: device, mayReorder: mayReorder, mostSamples: mostSamples)
    }

    /// Returns the codecs that hardware decodes with this choice, to be reported to the source. Does not wait for the
    /// measurement: a codec that is not measured yet is not reported because of it.
    static func hardware(
        of choice: CodecChoice, measurement: DecoderMeasurement = .shared
    ) -> Set<VideoCodec> {
        switch choice {
        case .automatic: byVAAPI.union(measurement.codecs).intersection([.h265])
        case .software: []
        case .named("nvdec"): byNVDEC
        case .named: byVAAPI
        }
    }

    /// Checks a choice, and begins the measurement for the automatic one. Throws `invalidArgument` for an unknown name,
    /// and `unsupported` if the named hardware can decode no codec on this machine.
    static func check(_ choice: CodecChoice) throws(HelioError) {
        if choice == .automatic { DecoderMeasurement.shared.begin() }
        guard case .named(let name) = choice else { return }
        let kind = try kind(called: name)
        guard hardware(of: choice).isEmpty else { return }
        let missing =
            kind == .nvdec
            ? "there is no NVIDIA card, its driver (libcuda and libnvcuvid) is not installed, or it"
            : "there is no device, or its driver"
        throw HelioError(.unsupported, "\(kind.name) decodes nothing here: \(missing) lacks H.264 and H.265.")
    }

    private static func kind(called name: String) throws(HelioError) -> FFmpegDecoderKind {
        if let kind = FFmpegDecoderKind.hardware.first(where: { $0.rawValue == name }) { return kind }
        let names = FFmpegDecoderKind.hardware.map(\.rawValue).joined(separator: ", ")
        throw HelioError(.invalidArgument, "There is no decoder '\(name)'; there are: auto, software, \(names).")
    }

    private static func decoded(by kind: FFmpegDecoderKind) -> Set<VideoCodec> {
        guard let device = HardwareDevice(kind) else { return [] }
        return Set(VideoCodec.allCases.filter { HardwareDevice.isSupported($0, by: kind) && decodes($0, by: device) })
    }

    /// Returns true if the device decodes a test picture itself, without a fallback to software.
    static func decodes(_ codec: VideoCodec, by device: any DecodingDevice) -> Bool {
        guard let decoder = try? FFmpegDecoder(codec, device: device),
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
