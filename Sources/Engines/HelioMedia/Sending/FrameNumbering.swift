internal import HelioBitstream
internal import HelioCore
internal import HelioRTP

/// The `frame_num` values of a stream's H.264 frames, as sent to one browser: they increase by one from each frame that
/// the browser decodes to the next (ITU-T H.264 section 7.4.3), even if a repair picture replaces the frames in
/// between. Decoders reject a gap, or insert pictures of their own in the gap.
struct FrameNumbering: Sendable {
    /// `nil` before a keyframe with a valid sequence parameter set.
    private var numbers: SliceNumber?
    /// The number by which `frame_num` is reduced until the next keyframe: one for each frame that the browser did not
    /// decode.
    private var hidden = 0
    /// The present frame's number as it is sent; `nil` if it can't be read.
    private(set) var current: Int?

    /// True if the values of `frame_num` can be rewritten.
    var isPossible: Bool { numbers != nil }

    /// Begins a frame, with its first slice.
    ///
    /// - Parameters:
    ///   - parameters: the sequence parameter set of a keyframe, if it has a valid one.
    ///   - base: the number, as sent, of the frame that the browser decodes before this one; `nil`: the last one sent.
    mutating func begin(_ slice: borrowing PacketizedSlice, _ parameters: H264SequenceParameters?, base: Int?) {
        if slice.isKeyframe {
            hidden = 0
            numbers = parameters.map { SliceNumber(bits: $0.frameNumberBits) }
        }
        current = nil
        guard let numbers, let number = Self.number(of: slice, SlicePayload(numbers)) else { return }
        if let base { hidden = numbers.missing(between: base, and: number) }
        current = numbers.number(number, less: hidden)
    }

    private static func number(of slice: borrowing PacketizedSlice, _ reader: SlicePayload) -> Int? {
        let bytes = slice.bytes.span.bytes
        for payload in slice.payloads {
            if let number = reader.read(bytes.extracting(payload.range)) { return number }
        }
        return nil
    }

    /// Returns the payload with the `frame_num` to send; `nil` if the payload is sent unchanged.
    func rewritten(_ payload: PacketizedSlice.Payload, of bytes: [UInt8]) -> [UInt8]? {
        guard hidden > 0, let numbers else { return nil }
        return SlicePayload(numbers).rewritten(bytes.span.bytes.extracting(payload.range), less: hidden)
    }
}
