@_exported public import AppleBase
@_exported public import CoreVideo

public typealias CMTimeValue = Int64
public typealias CMTimeScale = Int32
public typealias CMTimeEpoch = Int64

public struct CMTimeFlags: OptionSet, Sendable {
    public var rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static var valid: CMTimeFlags { CMTimeFlags(rawValue: 1) }
}

public struct CMTime: Sendable {
    public var value: CMTimeValue
    public var timescale: CMTimeScale
    public var flags: CMTimeFlags
    public var epoch: CMTimeEpoch
    public init() { stub() }
    public init(value: CMTimeValue, timescale: CMTimeScale) { stub() }
    public init(seconds: Double, preferredTimescale: CMTimeScale) { stub() }
    public static var invalid: CMTime { stub() }
    public static var zero: CMTime { stub() }
    public var isValid: Bool { stub() }
    public var isNumeric: Bool { stub() }
    public var seconds: Double { stub() }
}

extension CMTime: Comparable {
    public static func == (a: CMTime, b: CMTime) -> Bool { stub() }
    public static func < (a: CMTime, b: CMTime) -> Bool { stub() }
}

public func CMTimeConvertScale(
    _ time: CMTime, timescale newTimescale: CMTimeScale, method: CMTimeRoundingMethod
) -> CMTime { stub() }

public enum CMTimeRoundingMethod: UInt32 {
    case roundHalfAwayFromZero = 1
    case roundTowardZero = 2
    case roundAwayFromZero = 3
    case quickTime = 4
    case roundTowardPositiveInfinity = 5
    case roundTowardNegativeInfinity = 6
    public static var `default`: CMTimeRoundingMethod { .roundHalfAwayFromZero }
}
