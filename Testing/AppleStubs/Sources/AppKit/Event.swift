public import AppleBase

public class NSEvent: NSObject {
    public class var doubleClickInterval: TimeInterval { stub() }
}
