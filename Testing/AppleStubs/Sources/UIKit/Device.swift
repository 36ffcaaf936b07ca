public import AppleBase

@MainActor open class UIDevice: NSObject {
    public class var current: UIDevice { stub() }
    public var name: String { stub() }
}
