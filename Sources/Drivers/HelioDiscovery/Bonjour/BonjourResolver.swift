#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import HelioCore
private import dnssd

/// Resolves one service and its machine's addresses, until it is released. This file is only compiled, never executed
/// by a test.
///
/// Created, used and released on one dispatch queue.
final class BonjourResolver {
    enum Event {
        case resolved(machine: String, port: UInt16, text: [UInt8], zone: String?)
        case address(IPAddress, isThere: Bool)
        case failed
    }

    private let service: BonjourSightings.Service
    private let queue: DispatchQueue
    private let onEvent: @Sendable (BonjourSightings.Service, Event) -> Void
    private var resolving: DNSServiceRef?
    private var lookingUp: DNSServiceRef?

    init(
        _ service: BonjourSightings.Service, _ type: String, on queue: DispatchQueue,
        _ onEvent: @escaping @Sendable (BonjourSightings.Service, Event) -> Void
    ) {
        self.service = service
        self.queue = queue
        self.onEvent = onEvent
        let error = DNSServiceResolve(
            &resolving, 0, UInt32(bitPattern: service.interface), service.name, type, service.domain,
            { _, _, _, error, _, machine, port, size, text, context in
                guard let context else { return }
                let me = Unmanaged<BonjourResolver>.fromOpaque(context).takeUnretainedValue()
                guard error == 0, let machine else { return me.onEvent(me.service, .failed) }
                let bytes = [UInt8](UnsafeBufferPointer(start: text, count: text == nil ? 0 : Int(size)))
                me.onEvent(
                    me.service,
                    .resolved(
                        machine: String(cString: machine), port: UInt16(bigEndian: port), text: bytes, zone: me.zone))
            }, Unmanaged.passUnretained(self).toOpaque())
        begin(resolving, error)
    }

    /// Looks up the addresses of a machine, and ends the look-up of an earlier machine.
    func lookUp(_ machine: String) {
        if let lookingUp { DNSServiceRefDeallocate(lookingUp) }
        lookingUp = nil
        let error = DNSServiceGetAddrInfo(
            &lookingUp, 0, UInt32(bitPattern: service.interface), 0, machine,
            { _, flags, _, error, _, address, _, context in
                guard let context else { return }
                let me = Unmanaged<BonjourResolver>.fromOpaque(context).takeUnretainedValue()
                guard error == 0, let ip = address.flatMap({ IPAddress(socketAddress: $0) }) else {
                    return me.onEvent(me.service, .failed)
                }
                me.onEvent(me.service, .address(ip, isThere: Int(flags) & Int(kDNSServiceFlagsAdd) != 0))
            }, Unmanaged.passUnretained(self).toOpaque())
        begin(lookingUp, error)
    }

    private func begin(_ ref: DNSServiceRef?, _ error: DNSServiceErrorType) {
        if error == 0, DNSServiceSetDispatchQueue(ref, queue) == 0 { return }
        // Report the failure later, since the caller has not stored this resolver yet.
        queue.async { [service, onEvent] in onEvent(service, .failed) }
    }

    private var zone: String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard service.interface > 0, if_indextoname(UInt32(service.interface), &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        if let resolving { DNSServiceRefDeallocate(resolving) }
        if let lookingUp { DNSServiceRefDeallocate(lookingUp) }
    }
}

extension IPAddress {
    /// Reads an IPv4 or IPv6 `sockaddr`; `nil` for any other family.
    fileprivate init?(socketAddress: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(socketAddress)
        switch Int32(socketAddress.pointee.sa_family) {
        case AF_INET: self = .v4(UInt32(bigEndian: raw.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        case AF_INET6:
            self = .v6(
                high: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                low: UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)))
        default: return nil
        }
    }
}
#endif
