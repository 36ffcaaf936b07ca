#if os(Linux)
internal import CAvahi
private import Foundation
internal import HelioCore

/// Browses for services through Avahi's daemon, and resolves each service's details.
final class AvahiBrowser: ServiceBrowsing {
    private let thread: AvahiThread

    init(_ type: String, onEvent: @escaping @Sendable (BrowsingEvent) -> Void) {
        thread = AvahiThread { BrowsingTask(type, onEvent) }
    }

    deinit { stop() }

    func stop() { thread.stop() }
}

/// Owns an Avahi browser, and a resolver for each service that it finds.
private final class BrowsingTask: AvahiTask {
    private struct Entry {
        var resolver: OpaquePointer?
        var isLocal: Bool
        /// The DNS name of the service's machine, once the service is resolved.
        var machine: String?
        var retryAt: ContinuousClock.Instant?
    }

    /// The maximum number of services to resolve, below the daemon's limit for one client.
    private static let mostServices = 512
    private static let retry = Duration.seconds(15)

    private let type: String
    private let onEvent: (BrowsingEvent) -> Void
    private var client: OpaquePointer?
    private var browser: OpaquePointer?
    private var entries: [ServicePlace: Entry] = [:]
    private var awaitsFirst = true
    private var isSettled = false
    private(set) var hasFailed = false

    init(_ type: String, _ onEvent: @escaping (BrowsingEvent) -> Void) {
        self.type = type
        self.onEvent = onEvent
    }

    func unavailable(_ why: DiscoveryObstacle) { onEvent(.unavailable(why)) }

    func begin(_ client: OpaquePointer) {
        hasFailed = false
        self.client = client
        awaitsFirst = true
        isSettled = false
        onEvent(.available)
        browser = avahi_service_browser_new(
            client, Int32(AVAHI_IF_UNSPEC), Int32(AVAHI_PROTO_UNSPEC), type, nil, AVAHI_LOOKUP_USE_MULTICAST,
            { _, interface, family, event, name, _, domain, flags, userData in
                guard let userData else { return }
                let task = Unmanaged<BrowsingTask>.fromOpaque(userData).takeUnretainedValue()
                let place = BrowsingTask.place(interface, family, name, domain)
                task.browsed(place, event, isLocal: flags.rawValue & AVAHI_LOOKUP_RESULT_LOCAL.rawValue != 0)
            }, Unmanaged.passUnretained(self).toOpaque())
        hasFailed = browser == nil
    }

    func end() {
        hasFailed = false
        for place in Array(entries.keys) { forget(place) }
        if let browser { avahi_service_browser_free(browser) }
        browser = nil
        client = nil
    }

    var deadline: ContinuousClock.Instant? { entries.values.compactMap(\.retryAt).min() }

    func due() {
        for (place, entry) in entries {
            if let at = entry.retryAt, at <= .now { resolve(place) }
        }
    }

    private static func place(
        _ interface: Int32, _ family: AvahiProtocol, _ name: UnsafePointer<CChar>?, _ domain: UnsafePointer<CChar>?
    ) -> ServicePlace? {
        guard let name, let domain else { return nil }
        return ServicePlace(
            name: String(cString: name), domain: String(cString: domain), interface: interface,
            family: family == Int32(AVAHI_PROTO_INET6) ? .ipv6 : .ipv4)
    }

    private func browsed(_ place: ServicePlace?, _ event: AvahiBrowserEvent, isLocal: Bool) {
        switch event {
        case AVAHI_BROWSER_NEW:
            guard let place, entries[place] == nil else { return }
            guard entries.count < Self.mostServices else { return onEvent(.dropped(.tooManyServices)) }
            entries[place] = Entry(isLocal: isLocal)
            resolve(place)
        case AVAHI_BROWSER_REMOVE:
            guard let place, forget(place) else { return }
            onEvent(.gone(place))
            settle()
        case AVAHI_BROWSER_ALL_FOR_NOW:
            awaitsFirst = false
            settle()
        case AVAHI_BROWSER_FAILURE: hasFailed = true
        default: break
        }
    }

    private func resolve(_ place: ServicePlace) {
        guard let client, var entry = entries[place] else { return }
        if let old = entry.resolver { avahi_service_resolver_free(old) }
        let family = Int32(place.family == .ipv6 ? AVAHI_PROTO_INET6 : AVAHI_PROTO_INET)
        entry.resolver = avahi_service_resolver_new(
            client, place.interface, family, place.name, type, place.domain, family,
            AVAHI_LOOKUP_USE_MULTICAST,
            { _, interface, family, event, name, _, domain, machine, address, port, text, _, userData in
                guard let userData, let place = BrowsingTask.place(interface, family, name, domain) else { return }
                let task = Unmanaged<BrowsingTask>.fromOpaque(userData).takeUnretainedValue()
                if event == AVAHI_RESOLVER_FOUND, let machine, let address {
                    task.resolved(place, String(cString: machine), address.pointee, port, BrowsingTask.bytes(of: text))
                } else {
                    task.failed(place)
                }
            }, Unmanaged.passUnretained(self).toOpaque())
        entry.retryAt = entry.resolver == nil ? .now + Self.retry : nil
        entries[place] = entry
    }

    private func resolved(
        _ place: ServicePlace, _ machine: String, _ address: AvahiAddress, _ port: UInt16, _ text: [UInt8]
    ) {
        guard let entry = entries[place] else { return }
        entries[place]?.machine = machine
        // Avahi's resolver (0.8) keeps the old machine's address when a service name moves to another machine, so
        // resolve anew.
        if let old = entry.machine, old != machine { return resolve(place) }
        let ip = IPAddress(address)
        onEvent(
            .found(
                place,
                ServiceDetails(
                    machine: machine, ip: ip, zone: ip.isLinkLocal ? Self.interfaceName(place.interface) : nil,
                    port: port, text: text, isLocal: entry.isLocal)))
        settle()
    }

    /// Suspends resolving a service until the retry. Never runs inside `resolve`: Avahi calls back only after
    /// `avahi_service_resolver_new` has returned.
    private func failed(_ place: ServicePlace) {
        guard let entry = entries[place] else { return }
        if let resolver = entry.resolver { avahi_service_resolver_free(resolver) }
        entries[place] = Entry(isLocal: entry.isLocal, retryAt: .now + Self.retry)
        onEvent(.dropped(.unresolved))
        if entry.machine != nil { onEvent(.gone(place)) }
        settle()
    }

    @discardableResult
    private func forget(_ place: ServicePlace) -> Bool {
        guard let entry = entries.removeValue(forKey: place) else { return false }
        if let resolver = entry.resolver { avahi_service_resolver_free(resolver) }
        return true
    }

    /// Reports `settled` once, when every service of the initial listing is resolved or has failed to resolve.
    private func settle() {
        guard !isSettled, !awaitsFirst, entries.values.allSatisfy({ $0.machine != nil || $0.retryAt != nil }) else {
            return
        }
        isSettled = true
        onEvent(.settled)
    }

    /// The TXT record's bytes in wire format.
    private static func bytes(of text: UnsafeMutablePointer<AvahiStringList>?) -> [UInt8] {
        let size = avahi_string_list_serialize(text, nil, 0)
        var bytes = [UInt8](repeating: 0, count: size)
        let written = avahi_string_list_serialize(text, &bytes, size)
        return Array(bytes.prefix(written))
    }

    private static func interfaceName(_ number: Int32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard number > 0, if_indextoname(UInt32(number), &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension IPAddress {
    fileprivate init(_ address: AvahiAddress) {
        guard address.proto == Int32(AVAHI_PROTO_INET6) else {
            self = .v4(UInt32(bigEndian: address.data.ipv4.address))
            return
        }
        let bytes = withUnsafeBytes(of: address.data.ipv6.address) { [UInt8]($0) }
        let words = [bytes[..<8], bytes[8...]].map { $0.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        self = .v6(high: words[0], low: words[1])
    }
}
#endif
