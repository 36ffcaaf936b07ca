@_exported public import CoreAudioTypes

public struct UnsafeMutableAudioBufferListPointer: RandomAccessCollection {
    public var startIndex: Int { stub() }
    public var endIndex: Int { stub() }
    public subscript(index: Int) -> AudioBuffer { stub() }
}
