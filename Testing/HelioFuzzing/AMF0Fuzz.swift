import HelioCore
import HelioRTMP

/// Fuzzes the parsers of RTMP message payloads: AMF0, whose values must survive a round trip, commands, metadata, FLV
/// tags, and decoder configuration records.
package enum AMF0Fuzz {
    package static func run(_ bytes: [UInt8]) {
        values(bytes)
        let message = RTMPMessage(.command, payload: bytes)
        if let command = try? RTMPCommand(message) {
            let again = try? RTMPCommand(command.message())
            // Compare the bytes and not the values, because NaN does not equal itself.
            precondition(again?.message() == command.message(), "a command changed on its way")
        }
        _ = RTMPMetadata.read(RTMPMessage(.data, payload: bytes))
        if let tag = FLVVideoTag(bytes) {
            precondition(FLVVideoTag(tag.bytes) == tag, "a picture changed on its way")
            if case .configuration(let codec, let record) = tag { sets(codec, record) }
        }
        if let tag = FLVSoundTag(bytes) { precondition(FLVSoundTag(tag.bytes) == tag, "sound changed on its way") }
        for codec in VideoCodec.allCases { sets(codec, bytes) }
        for codec in VideoCodec.allCases {
            var writer = FLVVideoWriter(codec)
            guard let output = try? writer.write(annexB: bytes) else { continue }
            precondition(FLVVideoTag(output.picture.bytes) == output.picture)
        }
    }

    private static func values(_ bytes: [UInt8]) {
        guard let values = try? AMF0Value.read(bytes) else { return }
        var written: [UInt8] = []
        for value in values { value.write(into: &written) }
        guard let again = try? AMF0Value.read(written) else { fatalError("own values can't be read") }
        var rewritten: [UInt8] = []
        for value in again { value.write(into: &rewritten) }
        precondition(rewritten == written, "values changed on their way")
    }

    private static func sets(_ codec: VideoCodec, _ record: [UInt8]) {
        guard let sets = DecoderRecord.parameterSets(codec, in: record),
            let made = DecoderRecord.make(codec, sets)
        else { return }
        precondition(DecoderRecord.parameterSets(codec, in: made) != nil)
    }
}
