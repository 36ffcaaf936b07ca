@_exported public import AppleBase
public import CoreMedia

public enum RPSampleBufferType: Int, Sendable {
    case video = 1
    case audioApp = 2
    case audioMic = 3
}

public var RPVideoSampleOrientationKey: String { stub() }

open class RPBroadcastHandler: NSObject {}

open class RPBroadcastSampleHandler: RPBroadcastHandler {
    public override init() { stub() }
    open func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) { stub() }
    open func broadcastPaused() { stub() }
    open func broadcastResumed() { stub() }
    open func broadcastFinished() { stub() }
    open func finishBroadcastWithError(_ error: any Error) { stub() }
    open func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType) {
        stub()
    }
}

public class RPScreenRecorder: NSObject, @unchecked Sendable {
    public class func shared() -> RPScreenRecorder { stub() }
    public var isAvailable: Bool { stub() }
    public var isRecording: Bool { stub() }
    public var isMicrophoneEnabled: Bool {
        get { stub() }
        set { stub() }
    }
    public func startCapture(
        handler captureHandler: (@Sendable (CMSampleBuffer, RPSampleBufferType, (any Error)?) -> Void)?,
        completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
    ) { stub() }
    public func stopCapture(handler: (@Sendable ((any Error)?) -> Void)? = nil) { stub() }
}
