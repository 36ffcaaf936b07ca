import HelioCore

/// The program map table (PMT): a program's elementary streams, their codecs, and the PID that carries its clock
/// reference (ITU-T H.222.0 section 2.4.4.8).
///
/// ```
/// | …as in the PAT… | reserved (3) | PCR PID (13) | reserved (4) | length (12) | descriptors… |
/// | { stream type (8) | reserved (3) | PID (13) | reserved (4) | length (12) | descriptors… }… | checksum (32) |
/// ```
package struct ProgramMapTable: Sendable, Hashable {
    /// The version, 0 to 31, which changes with the contents.
    package var version: UInt8
    package var pcrPID: UInt16
    package var videoPID: UInt16?
    package var soundPID: UInt16?
    package var program: TransportProgram

    private enum StreamType {
        static let privateData: UInt8 = 0x06
        static let aac: UInt8 = 0x0F
        static let h264: UInt8 = 0x1B
        static let h265: UInt8 = 0x24
    }

    /// The format identifier of Opus in MPEG-TS (the draft of ETSI that FFmpeg and GStreamer follow).
    private static let opus: [UInt8] = Array("Opus".utf8)

    /// Makes the map of a program, with the PIDs that the writer uses.
    init(_ program: TransportProgram, version: UInt8) {
        self.program = program
        self.version = version
        videoPID = program.video == nil ? nil : TransportStream.videoPID
        soundPID = program.sound == nil ? nil : TransportStream.soundPID
        pcrPID = videoPID ?? soundPID ?? TransportStream.nullPID
    }

    /// Reads a whole section with a valid checksum; `nil` if it is malformed. Uses the first video stream and the first
    /// sound stream with a supported codec.
    package init?(section: RawSpan, pmtPID: UInt16) {
        guard let body = TableSection.body(of: section, table: 2), let flags = section.uint8(at: 5),
            let pcr = section.uint16(at: body.lowerBound), let length = section.uint16(at: body.lowerBound + 2)
        else { return nil }
        version = flags >> 1 & 0x1F
        pcrPID = pcr & 0x1FFF
        program = TransportProgram()
        var offset = body.lowerBound + 4 + Int(length & 0xFFF)
        while offset < body.upperBound {
            guard let type = section.uint8(at: offset), let word = section.uint16(at: offset + 1),
                let length = section.uint16(at: offset + 3)
            else { return nil }
            let descriptors = offset + 5..<offset + 5 + Int(length & 0xFFF)
            let pid = word & 0x1FFF
            guard descriptors.upperBound <= body.upperBound, pid >= 0x10, pid < TransportStream.nullPID, pid != pmtPID
            else { return nil }
            offset = descriptors.upperBound
            if let codec = Self.video(type) {
                guard videoPID == nil else { continue }
                videoPID = pid
                program.video = codec
            } else if soundPID == nil, let sound = Self.sound(type, section.extracting(descriptors)) {
                soundPID = pid
                program.sound = sound
            }
        }
        guard offset == body.upperBound, videoPID == nil || videoPID != soundPID else { return nil }
    }

    private static func video(_ type: UInt8) -> VideoCodec? {
        switch type {
        case StreamType.h264: .h264
        case StreamType.h265: .h265
        default: nil
        }
    }

    private static func sound(_ type: UInt8, _ descriptors: RawSpan) -> TransportProgram.Sound? {
        if type == StreamType.aac { return .aac }
        guard type == StreamType.privateData else { return nil }
        var offset = 0
        var isOpus = false
        var channels: Int?
        while let tag = descriptors.uint8(at: offset), let length = descriptors.uint8(at: offset + 1) {
            guard let content = descriptors.bytes(at: offset + 2, count: Int(length)) else { return nil }
            offset += 2 + content.count
            if tag == 0x05, content == opus { isOpus = true }
            // A user extension descriptor carries the number of channels: 0 means dual mono, two independent channels.
            if tag == 0x7F, content.count == 2, content[0] == 0x80, content[1] <= 2 {
                channels = content[1] == 0 ? 2 : Int(content[1])
            }
        }
        guard isOpus, let channels else { return nil }
        return .opus(channels: channels)
    }

    /// The whole section, with its checksum.
    var section: [UInt8] {
        var body: [UInt8] = []
        body.append(bigEndian: 0xE000 | pcrPID)
        body.append(bigEndian: 0xF000 as UInt16)
        if let codec = program.video, let videoPID {
            Self.write(codec == .h264 ? StreamType.h264 : StreamType.h265, videoPID, [], into: &body)
        }
        if let sound = program.sound, let soundPID {
            switch sound {
            case .aac: Self.write(StreamType.aac, soundPID, [], into: &body)
            case .opus(let channels):
                let descriptors = [0x05, 4] + Self.opus + [0x7F, 2, 0x80, UInt8(channels)]
                Self.write(StreamType.privateData, soundPID, descriptors, into: &body)
            }
        }
        return TableSection.write(table: 2, of: TransportStream.programNumber, version: version, body: body)
    }

    private static func write(_ type: UInt8, _ pid: UInt16, _ descriptors: [UInt8], into body: inout [UInt8]) {
        body.append(type)
        body.append(bigEndian: 0xE000 | pid)
        body.append(bigEndian: 0xF000 | UInt16(descriptors.count))
        body.append(contentsOf: descriptors)
    }
}
