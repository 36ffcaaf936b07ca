import HelioBitstream
import HelioCore
import HelioMPEGTS
import HelioReceivers

/// Fuzzes the reader of transport streams. The result must not depend on how the bytes are split, and buffering must be
/// bounded. Then the same bytes control the writer, whose units the reader must return completely and without faults.
package enum TransportStreamFuzz {
    package static func run(_ bytes: [UInt8]) {
        let limit = 8 * 188
        let whole = read(bytes, piece: max(1, bytes.count), limit)
        let pieces = read(bytes, piece: 1 + Int(bytes.first ?? 0), limit)
        precondition(whole.outputs == pieces.outputs && whole.faults == pieces.faults, "cutting changed the result")
        writeAndRead(bytes)
    }

    private static func read(
        _ bytes: [UInt8], piece: Int, _ limit: Int
    ) -> (outputs: [TransportStreamOutput], faults: [String: Int]) {
        var reader = TransportStreamReader(pictureLimit: limit)
        var outputs: [TransportStreamOutput] = []
        var start = 0
        while start < bytes.count {
            let end = min(start + piece, bytes.count)
            reader.append(Array(bytes[start..<end]))
            start = end
            while let output = reader.next() { outputs.append(output) }
            precondition(reader.bufferedByteCount <= limit + 1 << 16 + 1024)
        }
        reader.finish()
        while let output = reader.next() { outputs.append(output) }
        return (outputs, reader.faults.byName)
    }

    private static func writeAndRead(_ bytes: [UInt8]) {
        let head = bytes.first ?? 0
        let codec: VideoCodec? = head & 3 == 0 ? nil : head & 3 == 1 ? .h265 : .h264
        let config = AudioSpecificConfig(.init(sampleRate: 48000, channels: 2))
        let sound: TransportSound? = head & 12 == 0 ? nil : head & 12 == 4 ? .opus(channels: 2) : .aac(config)
        guard var writer = try? TransportStreamWriter(video: codec, sound: sound) else {
            precondition(codec == nil && sound == nil)
            return
        }
        var stream: [UInt8] = []
        var expected: [[UInt8]] = []
        var offset = 1
        // Start close to the wrap-around of the 33-bit clock.
        var time: Int64 = 1 << 33 - 40000
        while offset + 3 <= bytes.count {
            let isPicture = bytes[offset] & 1 == 0
            time += Int64(bytes[offset] >> 1) * 90
            let size = Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2])
            let content = Array(bytes[offset + 3..<min(bytes.count, offset + 3 + size % 700)])
            offset += 3 + content.count
            if isPicture {
                if let unit = picture(content, codec, with: &writer, at: time, into: &stream) { expected.append(unit) }
            } else if (try? writer.write(sound: content, at: time, into: &stream)) != nil {
                expected.append(content)
            }
            precondition(stream.count.isMultiple(of: TransportStream.packetSize))
        }
        let back = read(stream, piece: TransportStream.messageSize, 1 << 20)
        precondition(back.faults.isEmpty, "own stream has faults")
        var units: [[UInt8]] = []
        for output in back.outputs {
            switch output {
            case .program(let program): precondition(program == writer.program)
            case .picture(let picture): units.append(nalUnits(picture.annexB, codec))
            case .sound(let sound): units.append(sound.bytes)
            }
        }
        // Compare only the end of each unit, as the writer may insert parameter sets before it.
        precondition(units.count == expected.count)
        for (unit, wanted) in zip(units, expected) { precondition(unit.suffix(wanted.count) == wanted[...]) }
    }

    /// Appends a slice to `content`, which may contain parameter sets, and writes both as one picture. Returns the
    /// picture's NAL units, or `nil` if the writer rejects it.
    private static func picture(
        _ content: [UInt8], _ codec: VideoCodec?, with writer: inout TransportStreamWriter, at time: Int64,
        into stream: inout [UInt8]
    ) -> [UInt8]? {
        let slice: [UInt8] = codec == .h265 ? [0, 0, 1, 2, 1, 0x80] : [0, 0, 1, 0x41, 0x80]
        let unit = content + slice
        let before = stream.count
        do throws(TransportStreamError) {
            try writer.write(video: unit, at: time, decodedAt: time - 10, into: &stream)
        } catch {
            precondition(stream.count == before && (codec == nil || error == .noParameterSets))
            return nil
        }
        return nalUnits(unit, codec)
    }

    /// Returns the NAL units, each after a start code, without access unit delimiters and invalid NAL units.
    private static func nalUnits(_ annexB: [UInt8], _ codec: VideoCodec?) -> [UInt8] {
        guard let codec else { return [] }
        let bytes = annexB.span.bytes
        var result: [UInt8] = []
        AnnexB.forEachNALUnit(in: bytes) { range in
            guard let header = bytes.uint8(at: range.lowerBound), range.count >= NALHeader.size(codec),
                NALHeader.isNALUnit(header, codec: codec)
            else { return }
            let isDelimiter =
                codec == .h264
                ? H264NALType(header: header) == .accessUnitDelimiter
                : H265NALType(header: header) == .accessUnitDelimiter
            if !isDelimiter { result += AnnexB.startCode + annexB[range] }
        }
        return result
    }
}
