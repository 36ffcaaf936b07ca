public import AppleBase

@MainActor open class NSWorkspace: NSObject {
    public class var shared: NSWorkspace { stub() }
    public func open(_ url: URL) -> Bool { stub() }
}
