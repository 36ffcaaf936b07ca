/// The sample format of a device or a framework on Apple's systems.
package struct DeviceSampleFormat: Sendable, Hashable {
    /// The type of one sample. Full scale is ±1 for floats, and the type's range for integers.
    package enum Kind: Sendable, Hashable {
        case float32
        case int16
        case int32
    }

    /// The sample rate of each channel, in Hz.
    package var sampleRate: Int
    package var channels: Int
    package var kind: Kind
    /// True if one buffer has the interleaved samples of all channels; false if each channel has its own buffer.
    package var isInterleaved: Bool
    /// True for big-endian samples, as ReplayKit delivers for apps.
    package var isBigEndian: Bool

    package init(
        sampleRate: Int, channels: Int, kind: Kind = .float32, isInterleaved: Bool = true, isBigEndian: Bool = false
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.kind = kind
        self.isInterleaved = isInterleaved
        self.isBigEndian = isBigEndian
    }

    /// Reads the fields of an `AudioStreamBasicDescription` (CoreAudioBaseTypes.h). Returns `nil` unless they describe
    /// packed linear PCM of 8 to 192 kHz with 1 to 32 channels, as 32-bit floats or 16- or 32-bit integers.
    package init?(_ description: StreamDescription) {
        guard description.formatID == StreamDescription.linearPCM, description.sampleRate.isFinite,
            (8000...192_000).contains(description.sampleRate), (1...32).contains(description.channels)
        else { return nil }
        let isFloat = description.flags & StreamDescription.isFloat != 0
        let isSigned = description.flags & StreamDescription.isSignedInteger != 0
        switch (isFloat, isSigned, description.bitsPerChannel) {
        case (true, _, 32): kind = .float32
        case (false, true, 16): kind = .int16
        case (false, true, 32): kind = .int32
        default: return nil
        }
        sampleRate = Int(description.sampleRate.rounded())
        channels = Int(description.channels)
        isInterleaved = description.flags & StreamDescription.isNonInterleaved == 0
        isBigEndian = description.flags & StreamDescription.isBigEndian != 0
        // Padded samples are not supported.
        guard Int(description.bytesPerFrame) == bytesPerFrame else { return nil }
    }

    /// The size of one sample, in bytes.
    package var bytesPerSample: Int { kind == .int16 ? 2 : 4 }
    /// The size of a sample frame in one buffer, in bytes.
    package var bytesPerFrame: Int { bytesPerSample * (isInterleaved ? channels : 1) }
    /// The number of buffers: 1 if interleaved, otherwise one per channel.
    package var planes: Int { isInterleaved ? 1 : channels }

    /// The format as the fields of an `AudioStreamBasicDescription`.
    package var description: StreamDescription {
        var flags: UInt32 =
            StreamDescription.isPacked
            | (kind == .float32 ? StreamDescription.isFloat : StreamDescription.isSignedInteger)
        if isBigEndian { flags |= StreamDescription.isBigEndian }
        if !isInterleaved { flags |= StreamDescription.isNonInterleaved }
        return StreamDescription(
            sampleRate: Double(sampleRate), formatID: StreamDescription.linearPCM, flags: flags,
            bytesPerFrame: UInt32(clamping: bytesPerFrame), channels: UInt32(clamping: channels),
            bitsPerChannel: UInt32(bytesPerSample * 8))
    }
}
