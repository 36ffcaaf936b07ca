public import AppleBase

open class UIColor: NSObject {
    public class var black: UIColor { stub() }
    public class var white: UIColor { stub() }
}

@MainActor open class UIWindow: UIView {}

@MainActor open class UILabel: UIView {
    public var numberOfLines: Int {
        get { stub() }
        set { stub() }
    }
    public var text: String? {
        get { stub() }
        set { stub() }
    }
    public var textColor: UIColor! {
        get { stub() }
        set { stub() }
    }
}
