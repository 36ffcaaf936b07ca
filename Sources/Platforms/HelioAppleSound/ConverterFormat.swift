internal import AVFAudio
internal import CoreAudioTypes
internal import HelioAppleMedia
internal import HelioCore

/// The two formats between which `AVAudioConverter` converts: samples and AAC units. Type-checked, not run.
enum ConverterFormat {
    /// Floats, each channel in a buffer of its own, as AVFAudio works with.
    static func samples(_ format: SoundFormat) throws(HelioError) -> AVAudioFormat {
        try make(
            DeviceSampleFormat(
                sampleRate: format.sampleRate, channels: format.channels, isInterleaved: format.channels == 1
            ).description.coreAudio)
    }

    /// AAC-LC in units of 1024 sample frames.
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
