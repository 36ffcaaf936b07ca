public import AppleBase
public import CoreMedia
public import Dispatch

public var SCStreamErrorDomain: String { stub() }

public enum SCStreamOutputType: Int, Sendable {
    case screen = 0
    case audio = 1
    case microphone = 2
}

public struct SCStreamFrameInfo: RawRepresentable, Hashable, Sendable {
    public var rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static var dirtyRects: SCStreamFrameInfo { stub() }
    public static var displayTime: SCStreamFrameInfo { stub() }
    public static var status: SCStreamFrameInfo { stub() }
}

public protocol SCStreamOutput: NSObjectProtocol {
    func stream(
        _ stream: SCStream, didOutputSampleBuffer sampleBuffer: CMSampleBuffer, of type: SCStreamOutputType)
}

public protocol SCStreamDelegate: NSObjectProtocol {
    func stream(_ stream: SCStream, didStopWithError error: any Error)
}

extension SCStreamDelegate {
    public func stream(_ stream: SCStream, didStopWithError error: any Error) { stub() }
}

public class SCStreamConfiguration: NSObject {
    public override init() { stub() }
    public var width: Int {
        get { stub() }
        set { stub() }
    }
    public var height: Int {
        get { stub() }
        set { stub() }
    }
    public var minimumFrameInterval: CMTime {
        get { stub() }
        set { stub() }
    }
    public var pixelFormat: OSType {
        get { stub() }
        set { stub() }
    }
    public var scalesToFit: Bool {
        get { stub() }
        set { stub() }
    }
    public var showsCursor: Bool {
        get { stub() }
        set { stub() }
    }
    public var queueDepth: Int {
        get { stub() }
        set { stub() }
    }
    public var capturesAudio: Bool {
        get { stub() }
        set { stub() }
    }
    public var excludesCurrentProcessAudio: Bool {
        get { stub() }
        set { stub() }
    }
    public var sampleRate: Int {
        get { stub() }
        set { stub() }
    }
    public var channelCount: Int {
        get { stub() }
        set { stub() }
    }
    public var colorSpaceName: CFString {
        get { stub() }
        set { stub() }
    }
    public var colorMatrix: CFString {
        get { stub() }
        set { stub() }
    }
}

public class SCStream: NSObject {
    public init(
        filter contentFilter: SCContentFilter, configuration streamConfig: SCStreamConfiguration,
        delegate: (any SCStreamDelegate)?
    ) { stub() }
    public func addStreamOutput(
        _ output: any SCStreamOutput, type: SCStreamOutputType, sampleHandlerQueue: DispatchQueue?
    ) throws { stub() }
    public func startCapture(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) { stub() }
    public func stopCapture(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) { stub() }
    public func updateConfiguration(
        _ streamConfig: SCStreamConfiguration, completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) { stub() }
}
