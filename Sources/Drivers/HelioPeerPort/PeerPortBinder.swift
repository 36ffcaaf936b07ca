internal import HelioCore
internal import NIOCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// Finds a port number that is free for UDP and TCP at all addresses.
struct PeerPortBinder {
    /// The maximum number of attempts; a port that is free at one address may be in use at the next address.
    private static let attempts = 8

    private let settings: PeerPortSettings
    private let core: NIOLoopBound<PeerPortCore>
    private let loop: any EventLoop

    init(_ settings: PeerPortSettings, core: NIOLoopBound<PeerPortCore>, loop: any EventLoop) {
        self.settings = settings
        self.core = core
        self.loop = loop
    }

    /// - Returns: the port number, and the addresses that could be bound.
    func bind(_ addresses: [IPAddress]) async throws -> (UInt16, [IPAddress]) {
        guard settings.usesUDP || settings.usesTCP, !addresses.isEmpty else {
            throw HelioError(.invalidArgument, "A WebRTC port needs an address, and UDP or TCP: choose some.")
        }
        var attempt = 1
        var wanted = settings.port
        while true {
            do {
                return try await bindOnce(addresses, wanted)
            } catch {
                try await loop.flatSubmit { [core] in core.value.unbind() }.get()
                guard wanted == 0 || settings.fallsBack, attempt < Self.attempts else { throw error }
                wanted = 0
                attempt += 1
            }
        }
    }

    private func bindOnce(_ addresses: [IPAddress], _ wanted: UInt16) async throws -> (UInt16, [IPAddress]) {
        var port = wanted
        var bound: [IPAddress] = []
        for ip in addresses {
            do {
                port = try await bind(ip, port)
                bound.append(ip)
            } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL && settings.addresses.isEmpty {
                // The address is listed but not usable: its uniqueness is still being checked, or it has just been
                // removed.
                if ip == addresses.last, bound.isEmpty { throw error }
            }
        }
        return (port, bound)
    }

    private func bind(_ ip: IPAddress, _ wanted: UInt16) async throws -> UInt16 {
        var port = wanted
        if settings.usesUDP {
            let address = TransportAddress(ip, port: port)
            port = try await loop.flatSubmit { [core] in core.value.bindUDP(address) }.get()
        }
        if settings.usesTCP, settings.sharedTCPPort == nil {
            let address = TransportAddress(ip, port: port, transport: .tcp)
            port = try await loop.flatSubmit { [core] in core.value.bindTCP(address) }.get()
        }
        return port
    }
}
