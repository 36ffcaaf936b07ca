@_exported public import AppleBase
public import Dispatch

public typealias DNSServiceErrorType = Int32
public typealias DNSServiceFlags = UInt32
public typealias DNSServiceProtocol = UInt32
public typealias DNSServiceRef = OpaquePointer

public var kDNSServiceErr_NoError: Int { 0 }
public var kDNSServiceFlagsAdd: Int { 2 }

public typealias DNSServiceGetAddrInfoReply =
    @convention(c) (
        DNSServiceRef?, DNSServiceFlags, UInt32, DNSServiceErrorType, UnsafePointer<CChar>?, UnsafePointer<sockaddr>?,
        UInt32, UnsafeMutableRawPointer?
    ) -> Void
public typealias DNSServiceRegisterReply =
    @convention(c) (
        DNSServiceRef?, DNSServiceFlags, DNSServiceErrorType, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?, UnsafeMutableRawPointer?
    ) -> Void
public typealias DNSServiceResolveReply =
    @convention(c) (
        DNSServiceRef?, DNSServiceFlags, UInt32, DNSServiceErrorType, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UInt16, UInt16, UnsafePointer<UInt8>?, UnsafeMutableRawPointer?
    ) -> Void

public func DNSServiceGetAddrInfo(
    _ sdRef: UnsafeMutablePointer<DNSServiceRef?>?, _ flags: DNSServiceFlags, _ interfaceIndex: UInt32,
    _ protocol: DNSServiceProtocol, _ hostname: UnsafePointer<CChar>?, _ callBack: DNSServiceGetAddrInfoReply?,
    _ context: UnsafeMutableRawPointer?
) -> DNSServiceErrorType { stub() }
public func DNSServiceRefDeallocate(_ sdRef: DNSServiceRef?) { stub() }
public func DNSServiceRegister(
    _ sdRef: UnsafeMutablePointer<DNSServiceRef?>?, _ flags: DNSServiceFlags, _ interfaceIndex: UInt32,
    _ name: UnsafePointer<CChar>?, _ regtype: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ host: UnsafePointer<CChar>?, _ port: UInt16, _ txtLen: UInt16, _ txtRecord: UnsafeRawPointer?,
    _ callBack: DNSServiceRegisterReply?, _ context: UnsafeMutableRawPointer?
) -> DNSServiceErrorType { stub() }
public func DNSServiceResolve(
    _ sdRef: UnsafeMutablePointer<DNSServiceRef?>?, _ flags: DNSServiceFlags, _ interfaceIndex: UInt32,
    _ name: UnsafePointer<CChar>?, _ regtype: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?,
    _ callBack: DNSServiceResolveReply?, _ context: UnsafeMutableRawPointer?
) -> DNSServiceErrorType { stub() }
public func DNSServiceSetDispatchQueue(_ service: DNSServiceRef?, _ queue: DispatchQueue?) -> DNSServiceErrorType {
    stub()
}
