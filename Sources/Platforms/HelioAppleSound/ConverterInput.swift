internal import AVFAudio

/// The input of a conversion: one buffer, which is delivered once. Type-checked, not run.
///
/// `@unchecked Sendable`: the converter calls `next` only during the call that converts.
final class ConverterInput: @unchecked Sendable {
    private var buffer: AVAudioBuffer?

    init(_ buffer: AVAudioBuffer) { self.buffer = buffer }

    func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
        status.pointee = buffer == nil ? .noDataNow : .haveData
        defer { buffer = nil }
        return buffer
    }
}
