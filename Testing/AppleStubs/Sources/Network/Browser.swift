@_exported public import AppleBase
public import Dispatch

public enum NWEndpoint: Hashable, Sendable {
    case service(name: String, type: String, domain: String, interface: NWInterface?)
    case unix(path: String)
}

public enum NWError: Error, Sendable {
    case posix(POSIXErrorCode)
    case dns(Int32)
    case tls(OSStatus)
}

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Sendable {
        case other
        case wifi
        case cellular
        case wiredEthernet
        case loopback
    }

    public var index: Int { stub() }
    public var name: String { stub() }
    public var type: NWInterface.InterfaceType { stub() }
}

public final class NWParameters: Sendable {
    public init() { stub() }
    public var includePeerToPeer: Bool {
        get { stub() }
        set { stub() }
    }
}

public final class NWBrowser: Sendable {
    public enum Descriptor: Sendable {
        case bonjour(type: String, domain: String?)
    }

    public struct Result: Hashable, Sendable {
        public enum Change: Hashable, Sendable {
            case identical
        }

        public let endpoint: NWEndpoint
        public let interfaces: [NWInterface]
    }

    public enum State: Sendable {
        case setup
        case ready
        case failed(NWError)
        case cancelled
        case waiting(NWError)
    }

    public init(for descriptor: NWBrowser.Descriptor, using parameters: NWParameters) { stub() }
    public var browseResultsChangedHandler:
        (@Sendable (_ newResults: Set<NWBrowser.Result>, _ changes: Set<NWBrowser.Result.Change>) -> Void)?
    {
        get { stub() }
        set { stub() }
    }
    public var stateUpdateHandler: (@Sendable (_ newState: NWBrowser.State) -> Void)? {
        get { stub() }
        set { stub() }
    }
    public func cancel() { stub() }
    public func start(queue: DispatchQueue) { stub() }
}
