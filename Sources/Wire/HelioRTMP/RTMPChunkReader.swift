import HelioCore

/// Reads messages from a chunk stream (RTMP section 5.3), which follows the handshake.
///
/// Append the bytes as they arrive, however they were split, then call ``next()`` until it returns `nil`. Chunks of
/// several streams may be interleaved. The reader handles chunk size and abort messages itself and does not return
/// them.
package struct RTMPChunkReader: Sendable {
    package static let defaultStreamLimit = 64

    private struct Stream: Sendable {
        var timestamp: UInt32 = 0
        var delta: UInt32 = 0
        var isExtended = false
        var length = 0
        var type = RTMPMessageType(rawValue: 0)
        var streamID: UInt32 = 0
        /// The received part of an incomplete message.
        var payload: [UInt8] = []
    }

    private let messageLimit: Int
    private let streamLimit: Int
    private var buffer: [UInt8] = []
    private var start = 0
    private var streams: [Int: Stream] = [:]
    private var partByteCount = 0
    private var fault: RTMPChunkFault?

    /// The maximum number of payload bytes in a chunk, as set by the peer.
    package private(set) var chunkSize = RTMP.defaultChunkSize

    /// - Parameters:
    ///   - messageLimit: the maximum size in bytes of a message, and of all incomplete messages together.
    ///   - streamLimit: the maximum number of chunk streams.
    package init(messageLimit: Int, streamLimit: Int = defaultStreamLimit) {
        self.messageLimit = min(messageLimit, RTMP.maximumMessage)
        self.streamLimit = streamLimit
    }

    /// The number of buffered bytes of incomplete chunks and messages; bounded if ``next()`` is always called until it
    /// returns `nil`.
    package var bufferedByteCount: Int { buffer.count - start + partByteCount }

    /// Appends bytes of the stream, in order.
    package mutating func append(_ bytes: [UInt8]) {
        if start > 0 {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next message, or `nil` until more bytes arrive. After an error every further call throws it again.
    package mutating func next() throws(RTMPChunkFault) -> RTMPMessage? {
        if let fault { throw fault }
        do throws(RTMPChunkFault) {
            while true {
                guard let taken = try takeChunk() else { return nil }
                guard let message = taken.message else { continue }
                switch message.type {
                case .setChunkSize: try takeChunkSize(message.payload.span.bytes)
                case .abort: try abort(message.payload.span.bytes)
                default: return message
                }
            }
        } catch {
            fault = error
            buffer = []
            start = 0
            streams = [:]
            partByteCount = 0
            throw error
        }
    }

    private struct Taken {
        var message: RTMPMessage?
    }

    /// Removes a chunk from the buffer; `nil` if the buffer has no complete chunk.
    private mutating func takeChunk() throws(RTMPChunkFault) -> Taken? {
        let buffer = buffer
        let bytes = buffer.span.bytes
        var offset = start
        guard let head = bytes.uint8(at: offset) else { return nil }
        let format = head >> 6
        offset += 1
        var id = Int(head & 0x3F)
        if id == 0 {
            guard let next = bytes.uint8(at: offset) else { return nil }
            id = 64 + Int(next)
            offset += 1
        } else if id == 1 {
            guard let low = bytes.uint8(at: offset), let high = bytes.uint8(at: offset + 1) else { return nil }
            id = 64 + Int(low) + Int(high) << 8
            offset += 2
        }

        let known = streams[id]
        // Some senders begin a chunk stream with format 1, on message stream 0.
        guard known != nil || format < 2 else { throw .headless }
        guard known != nil || streams.count < streamLimit else { throw .tooManyStreams }
        var stream = known ?? Stream()
        let isInside = !stream.payload.isEmpty
        guard !isInside || format == 3 else { throw .interrupted }
        guard let end = try Self.readHeader(bytes, at: offset, format, isInside: isInside, into: &stream) else {
            return nil
        }
        offset = end
        guard stream.length <= messageLimit else { throw .tooLarge }
        let count = min(chunkSize, stream.length - stream.payload.count)
        guard bytes.byteCount - offset >= count else { return nil }
        // A message that this chunk completes does not count towards the limit of incomplete messages.
        let isWhole = stream.payload.count + count == stream.length
        guard isWhole || partByteCount + count <= messageLimit else { throw .tooLarge }

        partByteCount -= stream.payload.count
        stream.payload.append(contentsOf: buffer[offset..<offset + count])
        start = offset + count
        guard isWhole else {
            partByteCount += stream.payload.count
            streams[id] = stream
            return Taken()
        }
        let message = RTMPMessage(
            stream.type, streamID: stream.streamID, timestamp: stream.timestamp, payload: stream.payload)
        stream.payload = []
        streams[id] = stream
        return Taken(message: message)
    }

    /// Reads the message header after the basic header; returns the offset of the payload, `nil` if the header is
    /// incomplete.
    private static func readHeader(
        _ bytes: RawSpan, at start: Int, _ format: UInt8, isInside: Bool, into stream: inout Stream
    ) throws(RTMPChunkFault) -> Int? {
        var offset = start
        if format < 3 {
            guard var time = bytes.uint24(at: offset) else { return nil }
            offset += 3
            if format < 2 {
                guard let length = bytes.uint24(at: offset), let type = bytes.uint8(at: offset + 3) else { return nil }
                stream.length = Int(length)
                stream.type = RTMPMessageType(rawValue: type)
                offset += 4
            }
            if format == 0 {
                guard let id = bytes.uint32(at: offset) else { return nil }
                stream.streamID = id.byteSwapped
                offset += 4
            }
            stream.isExtended = time == RTMP.extended
            if stream.isExtended {
                guard let whole = bytes.uint32(at: offset) else { return nil }
                time = whole
                offset += 4
            }
            stream.delta = time
            stream.timestamp = format == 0 ? time : stream.timestamp &+ time
            return offset
        }
        if stream.isExtended {
            // Chunks of format 3 repeat the extended timestamp (section 5.3.1.3).
            guard bytes.uint32(at: offset) != nil else { return nil }
            offset += 4
        }
        if !isInside { stream.timestamp = stream.timestamp &+ stream.delta }
        return offset
    }

    private mutating func takeChunkSize(_ payload: RawSpan) throws(RTMPChunkFault) {
        guard payload.byteCount == 4, let size = payload.uint32(at: 0), size & 0x8000_0000 == 0, size > 0 else {
            throw .malformedControl
        }
        chunkSize = min(Int(size), RTMP.maximumChunkSize)
    }

    private mutating func abort(_ payload: RawSpan) throws(RTMPChunkFault) {
        guard payload.byteCount == 4, let id = payload.uint32(at: 0) else { throw .malformedControl }
        guard let part = streams[Int(id)]?.payload else { return }
        partByteCount -= part.count
        streams[Int(id)]?.payload = []
    }
}
