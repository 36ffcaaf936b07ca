public import AppleBase
public import CoreAudio
public import CoreAudioTypes

extension CMFormatDescription {
    public var audioStreamBasicDescription: AudioStreamBasicDescription? { stub() }
}

extension CMSampleBuffer {
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
    }

    public func withAudioBufferList<R>(
        blockBufferMemoryAllocator: CFAllocator? = nil, flags: CMSampleBuffer.Flags = [],
        body: (UnsafeMutableAudioBufferListPointer, CMBlockBuffer) throws -> R
    ) throws -> R { stub() }
}
