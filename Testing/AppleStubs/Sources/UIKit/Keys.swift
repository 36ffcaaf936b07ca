public import AppleBase

@MainActor open class UIPress: NSObject {
    public var key: UIKey? { stub() }
}

@MainActor open class UIPressesEvent: UIEvent {}

@MainActor open class UIKey: NSObject {
    public var characters: String { stub() }
    public var keyCode: UIKeyboardHIDUsage { stub() }
}

public struct UIKeyboardHIDUsage: RawRepresentable, Hashable, Sendable {
    public var rawValue: Int
    public init?(rawValue: Int) { self.rawValue = rawValue }
}
