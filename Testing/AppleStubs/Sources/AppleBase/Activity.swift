public import Foundation

// The part of Foundation by which a program says that the system must not sleep; it exists on Apple's systems only.
extension ProcessInfo {
    public struct ActivityOptions: OptionSet, Sendable {
        public var rawValue: UInt64
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        public static var idleDisplaySleepDisabled: ActivityOptions { ActivityOptions(rawValue: 1 << 40) }
        public static var userInitiated: ActivityOptions { ActivityOptions(rawValue: 0x00FF_FFFF | 1 << 20) }
    }

    public func beginActivity(options: ActivityOptions = [], reason: String) -> any NSObjectProtocol { stub() }
    public func endActivity(_ activity: any NSObjectProtocol) { stub() }
}
