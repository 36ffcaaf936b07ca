public import AppleBase
public import CoreAudioTypes

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioPacketCount = UInt32
/// Apple's SDK uses an `AutoreleasingUnsafeMutablePointer`, which Linux lacks.
public typealias NSErrorPointer = UnsafeMutablePointer<NSError?>?
public typealias AVAudioConverterInputBlock =
    @Sendable (
        AVAudioPacketCount, UnsafeMutablePointer<AVAudioConverterInputStatus>
    ) -> AVAudioBuffer?

extension NSNotification.Name {
    public static var AVAudioEngineConfigurationChange: NSNotification.Name { stub() }
}

public class AVAudioBuffer {}

public class AVAudioCompressedBuffer: AVAudioBuffer {
    public init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount, maximumPacketSize: Int) { stub() }
    public var byteCapacity: UInt32 { stub() }
    public var byteLength: UInt32 {
        get { stub() }
        set { stub() }
    }
    public var data: UnsafeMutableRawPointer { stub() }
    public var packetCount: AVAudioPacketCount {
        get { stub() }
        set { stub() }
    }
    public var packetDescriptions: UnsafeMutablePointer<AudioStreamPacketDescription>? { stub() }
}

public class AVAudioConverter {
    public init?(from fromFormat: AVAudioFormat, to toFormat: AVAudioFormat) { stub() }
    public var bitRate: Int {
        get { stub() }
        set { stub() }
    }
    public var magicCookie: Data? {
        get { stub() }
        set { stub() }
    }
    public var maximumOutputPacketSize: Int { stub() }
    public func convert(
        to outputBuffer: AVAudioBuffer, error outError: NSErrorPointer,
        withInputFrom inputBlock: @escaping AVAudioConverterInputBlock
    ) -> AVAudioConverterOutputStatus { stub() }
}

public enum AVAudioConverterInputStatus: Int, Sendable {
    case haveData = 0
    case noDataNow = 1
    case endOfStream = 2
}

public enum AVAudioConverterOutputStatus: Int, Sendable {
    case haveData = 0
    case inputRanDry = 1
    case endOfStream = 2
    case error = 3
}

public class AVAudioEngine {
    public init() { stub() }
    public var inputNode: AVAudioNode { stub() }
    public var outputNode: AVAudioNode { stub() }
}

public class AVAudioFormat {
    public init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) { stub() }
    public var sampleRate: Double { stub() }
}

public typealias AVAudioNodeBus = Int

public class AVAudioNode {
    public func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { stub() }
}

public class AVAudioPCMBuffer: AVAudioBuffer {
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) { stub() }
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { stub() }
    public var frameLength: AVAudioFrameCount {
        get { stub() }
        set { stub() }
    }
}

public class AVAudioTime {
    public class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { stub() }
}
