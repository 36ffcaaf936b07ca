import HelioBitstream
package import HelioCore

/// Writes one program as an MPEG transport stream: H.264 or H.265, and AAC or Opus, or just one of the two.
///
/// Each access unit is written at once, as whole transport packets. PAT and PMT are repeated every 100 ms and before
/// each keyframe. The program clock reference (PCR) is not read from a clock: it is the decoding time minus `lead`, and
/// is written every 20 ms while there is media.
///
/// Times are in ticks of 90 kHz since an arbitrary epoch that video and sound share; 33 bits of them are written.
package struct TransportStreamWriter: Sendable {
    /// The default time from the PCR to the decoding times, which is the maximum by which one stream may lag behind the
    /// other. A player that follows the PCR adds this delay.
    package static let defaultLead = Duration.milliseconds(100)

    private static let tableInterval: Int64 = 9000
    private static let pcrInterval: Int64 = 1800
    /// The largest step back, in ticks, that the interleaving of the two streams may cause; a larger step begins a new
    /// timeline.
    private static let stepBack: Int64 = -90000

    private struct Stream: Sendable {
        let pid: UInt16
        /// The continuity counter of the next payload.
        var counter: UInt8 = 0
    }

    /// The adaptation field of a PES packet's first transport packet.
    private struct Adaptation {
        /// The PCR in ticks of 90 kHz.
        var pcr: Int64?
        var isDiscontinuity = false
        var isKeyframe = false

        var isEmpty: Bool { pcr == nil && !isKeyframe }
    }

    private let lead: Int64
    private var map: ProgramMapTable
    private var soundTrack: TransportSound?
    private var association = Stream(pid: TransportStream.patPID)
    private var mapStream = Stream(pid: TransportStream.pmtPID)
    private var video = Stream(pid: TransportStream.videoPID)
    private var sound = Stream(pid: TransportStream.soundPID)
    private var sets: NewestParameterSets?
    private var tablesAt: Int64?
    private var pcrAt: Int64?
    /// The PES packet being written, stored to reuse its memory.
    private var unit: [UInt8] = []

    /// - Parameters:
    ///   - video: `nil` for sound alone.
    ///   - sound: `nil` for pictures alone.
    ///   - lead: the distance from the PCR to the decoding times; 0 to 10 s.
    package init(
        video: VideoCodec?, sound: TransportSound? = nil, lead: Duration = defaultLead
    ) throws(TransportStreamError) {
        self.lead = TransportStream.ticks(min(max(lead, .zero), .seconds(10)))
        map = ProgramMapTable(TransportProgram(), version: 31)
        try change(video: video, sound: sound)
    }

    /// The program as described in the tables that are written.
    package var program: TransportProgram { map.program }

    /// Changes the streams from the next unit on, with new tables before it. The next video unit then has to be a
    /// keyframe.
    package mutating func change(video: VideoCodec?, sound: TransportSound? = nil) throws(TransportStreamError) {
        switch sound {
        case .aac(let config):
            guard ADTSHeader(config, unitSize: 1) != nil else { throw .unsupportedSound }
        case .opus(let channels):
            guard (1...2).contains(channels) else { throw .unsupportedSound }
        case nil: break
        }
        guard video != nil || sound != nil else { throw .noSuchStream }
        map = ProgramMapTable(
            TransportProgram(video: video, sound: sound?.entry), version: (map.version + 1) & 0x1F)
        soundTrack = sound
        sets = video.map { NewestParameterSets($0) }
        tablesAt = nil
    }

    /// Writes an access unit with a delimiter before it, and the parameter sets that a keyframe lacks.
    ///
    /// - Parameters:
    ///   - annexB: NAL units with start codes.
    ///   - presentation: the presentation time (PTS).
    ///   - decode: the decoding time (DTS), if it is earlier.
    ///   - output: receives the packets; unchanged if the call throws.
    /// - Returns: true for a keyframe.
    @discardableResult
    package mutating func write(
        video annexB: [UInt8], at presentation: Int64, decodedAt decode: Int64? = nil, into output: inout [UInt8]
    ) throws(TransportStreamError) -> Bool {
        guard let codec = map.program.video else { throw .noSuchStream }
        guard annexB.count <= TransportStream.maximumPicture - 1024 else { throw .tooLarge }
        let bytes = annexB.span.bytes
        var ranges: [Range<Int>] = []
        var (isKeyframe, hasPicture) = (false, false)
        AnnexB.forEachNALUnit(in: bytes) { range in
            guard let header = bytes.uint8(at: range.lowerBound), range.count > NALHeader.size(codec) - 1,
                NALHeader.isNALUnit(header, codec: codec), !NALHeader.isDelimiter(header, codec: codec)
            else { return }
            isKeyframe = isKeyframe || NALHeader.isKeyframe(header, codec: codec)
            hasPicture = hasPicture || NALHeader.isVCL(header, codec: codec)
            ranges.append(range)
        }
        guard hasPicture else { throw .noPicture }
        guard let missing = sets?.update(bytes, ranges, isKeyframe: isKeyframe) else { throw .noParameterSets }

        let decode = decode == presentation ? nil : decode
        unit.removeAll(keepingCapacity: true)
        PESHeader.write(.video, presentation: presentation, decode: decode, into: &unit)
        unit.append(contentsOf: AnnexB.startCode)
        // The delimiter allows slices of any type.
        unit.append(contentsOf: codec == .h264 ? [0x09, 0xF0] : [0x46, 0x01, 0x50])
        for set in missing {
            unit.append(contentsOf: AnnexB.startCode)
            unit.append(contentsOf: set)
        }
        for range in ranges {
            unit.append(contentsOf: AnnexB.startCode)
            unit.append(contentsOf: annexB[range])
        }
        guard unit.count <= TransportStream.maximumPicture else { throw .tooLarge }
        PESHeader.setLength(of: &unit)

        let time = decode ?? presentation
        writeTables(at: time, isForced: isKeyframe, into: &output)
        var adaptation = pcr(at: time, isForced: isKeyframe)
        adaptation.isKeyframe = isKeyframe
        Self.write(unit, adaptation, of: &video, into: &output)
        return isKeyframe
    }

    /// Writes an AAC access unit without a header, or an Opus packet.
    ///
    /// - Parameters:
    ///   - presentation: the presentation time of the first sample (PTS).
    ///   - output: receives the packets; unchanged if the call throws.
    package mutating func write(
        sound packet: [UInt8], at presentation: Int64, into output: inout [UInt8]
    ) throws(TransportStreamError) {
        unit.removeAll(keepingCapacity: true)
        switch soundTrack {
        case .aac(let config):
            guard let header = ADTSHeader(config, unitSize: packet.count) else { throw .unsupportedSound }
            PESHeader.write(.sound, presentation: presentation, decode: nil, into: &unit)
            header.write(into: &unit)
        case .opus:
            // The limit keeps the PES packet within 16 bits of length; Opus itself has no more than 48 frames of 1275
            // bytes.
            guard packet.count <= 61440, OpusPacket(packet.span.bytes) != nil else { throw .unsupportedSound }
            PESHeader.write(.privateData, presentation: presentation, decode: nil, into: &unit)
            OpusControlHeader.write(packetSize: packet.count, into: &unit)
        case nil: throw .noSuchStream
        }
        unit.append(contentsOf: packet)
        PESHeader.setLength(of: &unit)
        writeTables(at: presentation, isForced: false, into: &output)
        let pcr = pcr(at: presentation, isForced: false)
        if map.pcrPID == sound.pid {
            Self.write(unit, pcr, of: &sound, into: &output)
        } else {
            // No picture has carried the PCR for its interval, so write the PCR before the sound, in a separate packet
            // of the video stream.
            if !pcr.isEmpty { Self.writePCR(pcr, of: video, into: &output) }
            Self.write(unit, Adaptation(), of: &sound, into: &output)
        }
    }

    private mutating func writeTables(at time: Int64, isForced: Bool, into output: inout [UInt8]) {
        if let tablesAt, !isForced {
            let passed = time &- tablesAt
            guard passed >= Self.tableInterval || passed < Self.stepBack else { return }
        }
        tablesAt = time
        Self.writeTable(ProgramAssociationTable(pmtPID: mapStream.pid).section, of: &association, into: &output)
        Self.writeTable(map.section, of: &mapStream, into: &output)
    }

    /// Returns an adaptation field with a PCR if a PCR is due, otherwise an empty adaptation field.
    private mutating func pcr(at time: Int64, isForced: Bool) -> Adaptation {
        let value = time &- lead
        guard let last = pcrAt else {
            pcrAt = value
            return Adaptation(pcr: value)
        }
        let passed = value &- last
        let isAnother = passed < Self.stepBack
        guard passed >= Self.pcrInterval || isAnother || isForced && passed > 0 else { return Adaptation() }
        pcrAt = value
        return Adaptation(pcr: value, isDiscontinuity: isAnother)
    }

    // MARK: - Packets

    private static func writeTable(_ section: [UInt8], of stream: inout Stream, into output: inout [UInt8]) {
        writeHeader(&stream, isStart: true, control: 1, into: &output)
        output.append(0)
        output.append(contentsOf: section)
        output.append(contentsOf: repeatElement(0xFF, count: TransportStream.payloadSize - 1 - section.count))
    }

    /// Writes a packet with only the PCR: it has no payload, so the continuity counter does not advance.
    private static func writePCR(_ adaptation: Adaptation, of stream: Stream, into output: inout [UInt8]) {
        var uncounted = stream
        uncounted.counter = (stream.counter + 15) & 0x0F
        writeHeader(&uncounted, isStart: false, control: 2, into: &output)
        writeAdaptation(adaptation, size: TransportStream.payloadSize, into: &output)
    }

    private static func write(
        _ unit: [UInt8], _ adaptation: Adaptation, of stream: inout Stream, into output: inout [UInt8]
    ) {
        output.reserveCapacity(output.count + (unit.count / 184 + 2) * TransportStream.packetSize)
        var offset = 0
        var adaptation = adaptation
        while offset < unit.count {
            let needed = adaptation.isEmpty ? 0 : adaptation.pcr == nil ? 2 : 8
            let count = min(TransportStream.payloadSize - needed, unit.count - offset)
            let fieldSize = TransportStream.payloadSize - count
            writeHeader(&stream, isStart: offset == 0, control: fieldSize > 0 ? 3 : 1, into: &output)
            if fieldSize > 0 { writeAdaptation(adaptation, size: fieldSize, into: &output) }
            output.append(contentsOf: unit[offset..<offset + count])
            offset += count
            adaptation = Adaptation()
        }
    }

    private static func writeHeader(
        _ stream: inout Stream, isStart: Bool, control: UInt8, into output: inout [UInt8]
    ) {
        output.append(TransportStream.syncByte)
        output.append(bigEndian: (isStart ? 0x4000 : 0) | stream.pid)
        output.append(control << 4 | stream.counter)
        stream.counter = (stream.counter + 1) & 0x0F
    }

    /// - Parameter size: the size of the whole field, including its length byte, padded with FF.
    private static func writeAdaptation(_ adaptation: Adaptation, size: Int, into output: inout [UInt8]) {
        output.append(UInt8(size - 1))
        guard size > 1 else { return }
        output.append(
            (adaptation.isDiscontinuity ? 0x80 : 0) | (adaptation.isKeyframe ? 0x40 : 0)
                | (adaptation.pcr == nil ? 0 : 0x10))
        var written = 2
        if let pcr = adaptation.pcr {
            // The PCR field: 33 bits in ticks of 90 kHz, six reserved bits that are set, and nine bits in ticks of 27
            // MHz, here 0.
            let base = pcr & TransportStream.timeMask
            output.append(bigEndian: UInt32(truncatingIfNeeded: base >> 1))
            output.append(bigEndian: UInt16(truncatingIfNeeded: base << 15) | 0x7E00)
            written += 6
        }
        output.append(contentsOf: repeatElement(0xFF, count: size - written))
    }
}
