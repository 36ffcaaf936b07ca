internal import AVFAudio
internal import CoreAudioTypes
internal import HelioAppleMedia
internal import HelioCore

/// The formats between which `AVAudioConverter` converts: samples and AAC access units. It is only type-checked; no
/// test runs it.
enum ConverterFormat {
    /// Returns the format of samples: non-interleaved floats, which AVFAudio uses.
    static func samples(_ format: SoundFormat) throws(HelioError) -> AVAudioFormat {
        try make(
            DeviceSampleFormat(
                sampleRate: format.sampleRate, channels: format.channels, isInterleaved: format.channels == 1
            ).description.coreAudio)
    }

    /// Returns the format of AAC-LC access units, of 1024 sample frames each.
    static func units(_ format: SoundFormat) throws(HelioError) -> AVAudioFormat {
        try make(
            AudioStreamBasicDescription(
                mSampleRate: Double(format.sampleRate), mFormatID: kAudioFormatMPEG4AAC, mFormatFlags: 0,
                mBytesPerPacket: 0, mFramesPerPacket: 1024, mBytesPerFrame: 0,
                mChannelsPerFrame: UInt32(clamping: format.channels), mBitsPerChannel: 0, mReserved: 0))
    }

    static func converter(from: AVAudioFormat, to: AVAudioFormat) throws(HelioError) -> AVAudioConverter {
        guard let converter = AVAudioConverter(from: from, to: to) else { throw unsupported }
        return converter
    }

    static func buffer(_ format: AVAudioFormat, frames: Int) throws(HelioError) -> AVAudioPCMBuffer {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: UInt32(clamping: frames)) else {
            throw unsupported
        }
        return buffer
    }

    private static func make(_ description: AudioStreamBasicDescription) throws(HelioError) -> AVAudioFormat {
        var description = description
        guard let format = AVAudioFormat(streamDescription: &description) else { throw unsupported }
        return format
    }

    private static var unsupported: HelioError {
        HelioError(.unsupported, "The system has no coder for AAC in this format.")
    }
}
