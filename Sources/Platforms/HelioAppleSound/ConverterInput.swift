internal import AVFAudio

/// The input of one conversion: a buffer, which is delivered once. No test runs this class; it is
/// only type-checked.
///
/// `@unchecked Sendable`: the converter calls `next` only during the call of `convert`.
final class ConverterInput: @unchecked Sendable {
    private var buffer: AVAudioBuffer?

    init(_ buffer: AVAudioBuffer) { self.buffer = buffer }

    func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
        status.pointee = buffer == nil ? .noDataNow : .haveData
        defer { buffer = nil }
        return buffer
    }
}
