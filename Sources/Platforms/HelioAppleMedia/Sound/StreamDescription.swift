/// The fields of an `AudioStreamBasicDescription`, with the constants of CoreAudioBaseTypes.h.
package struct StreamDescription: Sendable, Hashable {
    /// The format ID of linear PCM: `lpcm`.
    package static let linearPCM: UInt32 = 0x6C70_636D
    package static let isFloat: UInt32 = 1 << 0
    package static let isBigEndian: UInt32 = 1 << 1
    package static let isSignedInteger: UInt32 = 1 << 2
    package static let isPacked: UInt32 = 1 << 3
    package static let isNonInterleaved: UInt32 = 1 << 5

    package var sampleRate: Double
    package var formatID: UInt32
    package var flags: UInt32
    /// The size of a sample frame in one buffer, in bytes: of one channel only if the channels are not interleaved.
    package var bytesPerFrame: UInt32
    package var channels: UInt32
    package var bitsPerChannel: UInt32

    package init(
        sampleRate: Double, formatID: UInt32, flags: UInt32, bytesPerFrame: UInt32, channels: UInt32,
        bitsPerChannel: UInt32
    ) {
        self.sampleRate = sampleRate
        self.formatID = formatID
        self.flags = flags
        self.bytesPerFrame = bytesPerFrame
        self.channels = channels
        self.bitsPerChannel = bitsPerChannel
    }
}
