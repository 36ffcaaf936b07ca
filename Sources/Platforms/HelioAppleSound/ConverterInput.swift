internal import AVFAudio

/// The input of a conversion: one buffer, which is delivered once. Type-checked, not run.
///
/// `@unchecked Sendable`: the converter asks from within its own call.
final class ConverterInput: @unchecked Sendable {
    private var buffer: AVAudioBuffer?

    init(_ buffer: AVAudioBuffer) { self.buffer = buffer }

    func next(_ status: UnsafeMutablePointer<AVAudioConverterInputStatus>) -> AVAudioBuffer? {
        status.pointee = buffer == nil ? .noDataNow : .haveData
        defer { buffer = nil }
        return buffer
    }
}
