import HelioCore

/// An SEI message `user_data_unregistered` (H.264 section D.1.7, H.265 section D.2.7): a UUID that names the kind of
/// message, and the fields of that kind. Decoders that do not know the UUID ignore the message.
///
/// Heliograph writes each message in an SEI NAL unit of its own, before the picture's first slice.
enum UserDataMessage {
    private static let payloadType = 5
    /// The maximum number of bytes of an SEI NAL unit that are read; an encoder's own long message may come before
    /// Heliograph's.
    private static let maximumBytes = 4096
    /// The maximum size of the fields: `payloadSize`, which counts the UUID, too, has one byte.
    private static let maximumSize = 254 - 16

    /// Returns a writer for a message's fields, after the message's header and UUID.
    ///
    /// - Parameter size: the size of the fields in bytes.
    static func begin(_ identifier: [UInt8], size: Int) -> BitWriter {
        precondition(size <= maximumSize, "the message is too long")
        var writer = BitWriter()
        writer.bits(UInt32(payloadType), 8)
        writer.bits(UInt32(identifier.count + size), 8)
        for byte in identifier { writer.bits(UInt32(byte), 8) }
        return writer
    }

    /// Appends a message to `annexB` as a separate NAL unit, after a start code of 4 bytes.
    static func end(_ writer: consuming BitWriter, into annexB: inout [UInt8], codec: VideoCodec) {
        let temporalID1: UInt8 = 1
        switch codec {
        case .h264: writer.finish(header: [H264NALType.sei.rawValue], into: &annexB)
        case .h265: writer.finish(header: [H265NALType.prefixSEI.rawValue << 1, temporalID1], into: &annexB)
        }
    }

    /// Finds the first message with this UUID in an access unit, before the first slice.
    ///
    /// - Returns: a reader positioned at the message's fields, with their size in bytes, all within the reader; `nil`
    ///   if there is no such message, or its NAL unit is malformed.
    static func find(
        _ identifier: [UInt8], inAnnexB bytes: RawSpan, codec: VideoCodec
    ) -> (fields: BitReader, size: Int)? {
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes) {
            guard let header = bytes.uint8(at: range.lowerBound) else { continue }
            if NALHeader.isVCL(header, codec: codec) { return nil }
            guard NALHeader.isSEI(header, codec: codec) else { continue }
            let nal = bytes.extracting(range)
            var reader = BitReader(nal: nal, header: NALHeader.size(codec), limit: maximumBytes)
            if let size = try? search(&reader, identifier) { return (reader, size) }
        }
        return nil
    }

    /// Searches the messages of one SEI NAL unit (H.264 section 7.3.2.3.1), up to the UUID's end; `nil` if there is no
    /// message with this UUID.
    private static func search(_ reader: inout BitReader, _ identifier: [UInt8]) throws(BitstreamError) -> Int? {
        while reader.hasMoreData {
            let type = try reader.extended()
            let size = try reader.extended()
            guard size * 8 <= reader.bitsLeft else { throw .truncated }
            guard type == payloadType, size >= identifier.count else {
                try reader.skip(size * 8)
                continue
            }
            var isFound = true
            for byte in identifier where try reader.byte() != byte { isFound = false }
            if isFound { return size - identifier.count }
            try reader.skip((size - identifier.count) * 8)
        }
        return nil
    }
}

extension BitReader {
    /// Reads an SEI type or size: the sum of all leading bytes `FF` and of the byte that follows them.
    fileprivate mutating func extended() throws(BitstreamError) -> Int {
        var value = 0
        while true {
            let next = try byte()
            value += Int(next)
            if next != 0xFF { return value }
        }
    }
}
