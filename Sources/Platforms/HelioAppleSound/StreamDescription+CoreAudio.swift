internal import CoreAudioTypes
internal import HelioAppleMedia

extension StreamDescription {
    init(_ description: AudioStreamBasicDescription) {
        self.init(
            sampleRate: description.mSampleRate, formatID: description.mFormatID, flags: description.mFormatFlags,
            bytesPerFrame: description.mBytesPerFrame, channels: description.mChannelsPerFrame,
            bitsPerChannel: description.mBitsPerChannel)
    }

    var coreAudio: AudioStreamBasicDescription {
        AudioStreamBasicDescription(
            mSampleRate: sampleRate, mFormatID: formatID, mFormatFlags: flags, mBytesPerPacket: bytesPerFrame,
            mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame, mChannelsPerFrame: channels,
            mBitsPerChannel: bitsPerChannel, mReserved: 0)
    }
}
