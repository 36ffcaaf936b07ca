@_exported public import AppleBase

@MainActor open class UIView: NSObject {
    public override init() { stub() }
    public var accessibilityLabel: String? {
        get { stub() }
        set { stub() }
    }
}
