/// The layout of samples as a device or a framework of Apple's gives or takes them.
package struct DeviceSampleFormat: Sendable, Hashable {
    /// The type of one sample: full scale is ±1, or the range of the integer.
    package enum Kind: Sendable, Hashable {
        case float32
        case int16
        case int32
    }

    /// The sample rate of each channel, in Hz.
    package var sampleRate: Int
    package var channels: Int
    package var kind: Kind
    /// True if one buffer has the samples of all channels in turn; otherwise each channel has a buffer of its own.
    package var isInterleaved: Bool
    /// True if the highest byte comes first, as in ReplayKit's samples of an app.
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

    /// Reads the fields of an `AudioStreamBasicDescription`, by the numbers of CoreAudioBaseTypes.h; `nil` unless it is
    /// linear PCM of 8 to 192 kHz with one to 32 channels, as floats or integers, packed.
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

    /// The bytes of one sample.
    package var bytesPerSample: Int { kind == .int16 ? 2 : 4 }
    /// The bytes of one buffer's sample frame.
    package var bytesPerFrame: Int { bytesPerSample * (isInterleaved ? channels : 1) }
    /// The number of buffers that the samples come in.
    package var planes: Int { isInterleaved ? 1 : channels }

    /// The description for Core Audio.
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
