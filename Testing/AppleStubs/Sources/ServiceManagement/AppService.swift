@_exported public import AppleBase

public class SMAppService: NSObject {
    public enum Status: Int, Sendable {
        case notRegistered = 0
        case enabled = 1
        case requiresApproval = 2
        case notFound = 3
    }

    public class var mainApp: SMAppService { stub() }
    public var status: Status { stub() }
    public func register() throws { stub() }
    public func unregister() throws { stub() }
}
