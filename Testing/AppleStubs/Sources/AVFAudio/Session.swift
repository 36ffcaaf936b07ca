// Of iOS alone.
@_exported public import AppleBase

public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

public class AVAudioSession {
    public struct Category: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var playAndRecord: Category { stub() }
        public static var playback: Category { stub() }
    }

    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var allowBluetoothA2DP: CategoryOptions { CategoryOptions(rawValue: 32) }
        public static var defaultToSpeaker: CategoryOptions { CategoryOptions(rawValue: 8) }
        public static var mixWithOthers: CategoryOptions { CategoryOptions(rawValue: 1) }
    }

    public struct Mode: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var `default`: Mode { stub() }
    }

    public struct Port: Hashable, Sendable, RawRepresentable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static var bluetoothA2DP: Port { stub() }
        public static var bluetoothHFP: Port { stub() }
        public static var bluetoothLE: Port { stub() }
        public static var headphones: Port { stub() }
    }

    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var notifyOthersOnDeactivation: SetActiveOptions { SetActiveOptions(rawValue: 1) }
    }

    public class var interruptionNotification: NSNotification.Name { stub() }
    public class var mediaServicesWereLostNotification: NSNotification.Name { stub() }
    public class var mediaServicesWereResetNotification: NSNotification.Name { stub() }
    public class var routeChangeNotification: NSNotification.Name { stub() }

    public class func sharedInstance() -> AVAudioSession { stub() }
    public var category: AVAudioSession.Category { stub() }
    public var currentRoute: AVAudioSessionRouteDescription { stub() }
    public var ioBufferDuration: TimeInterval { stub() }
    public var outputLatency: TimeInterval { stub() }
    public var sampleRate: Double { stub() }
    public func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws { stub() }
    public func setCategory(
        _ category: AVAudioSession.Category, mode: AVAudioSession.Mode, options: AVAudioSession.CategoryOptions = []
    ) throws { stub() }
    public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws { stub() }
}

public class AVAudioSessionPortDescription {
    public var portName: String { stub() }
    public var portType: AVAudioSession.Port { stub() }
}

public class AVAudioSessionRouteDescription {
    public var inputs: [AVAudioSessionPortDescription] { stub() }
    public var outputs: [AVAudioSessionPortDescription] { stub() }
}
