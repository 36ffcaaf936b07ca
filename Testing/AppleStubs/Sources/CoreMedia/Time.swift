@_exported public import AppleBase
public import CoreVideo

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32

public struct CMTime: Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    public init(value: CMTimeValue, timescale: CMTimeScale) {
        self.value = value
        self.timescale = timescale
    }
}

public class CMSampleBuffer {}
public func CMSampleBufferGetImageBuffer(_ sbuf: CMSampleBuffer) -> CVImageBuffer? { stub() }
