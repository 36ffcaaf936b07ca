#if canImport(Network)
private import Dispatch
private import Foundation
private import dnssd

/// Announces a service through Bonjour's C interface, since `NWListener` only announces a port that it listens on
/// itself, but SwiftNIO listens on the announced port. If another service has the name, Bonjour adds a number. This
/// file is only compiled, never executed by a test.
///
/// `@unchecked Sendable`: all but `init` and `stop` happens on the dispatch queue.
final class BonjourAdvertiser: ServiceAdvertising, @unchecked Sendable {
    private static let retry = DispatchTimeInterval.seconds(5)

    private let service: ServiceAnnouncement
    private let onEvent: @Sendable (AdvertisingEvent) -> Void
    private let queue = DispatchQueue(label: "heliograph-bonjour-host")
    private var ref: DNSServiceRef?
    private var isStopped = false
    /// The retained reference for Bonjour's callbacks. It is released together with `ref`, so that no callback uses a
    /// freed object.
    private var hold: Unmanaged<BonjourAdvertiser>?

    init(_ service: ServiceAnnouncement, onEvent: @escaping @Sendable (AdvertisingEvent) -> Void) {
        self.service = service
        self.onEvent = onEvent
        queue.async { [self] in register() }
    }

    func stop() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                isStopped = true
                letGo()
                continuation.resume()
            }
        }
    }

    private func register() {
        guard !isStopped else { return }
        letGo()
        let hold = Unmanaged.passRetained(self)
        self.hold = hold
        let error = DNSServiceRegister(
            &ref, 0, UInt32(clamping: service.interface ?? 0), service.name, service.type, nil, nil,
            service.port.bigEndian, UInt16(clamping: service.text.count), service.text,
            { _, _, error, name, _, _, context in
                guard let context else { return }
                Unmanaged<BonjourAdvertiser>.fromOpaque(context).takeUnretainedValue()
                    .answered(error, name.map { String(cString: $0) })
            }, hold.toOpaque())
        if error == 0 { _ = DNSServiceSetDispatchQueue(ref, queue) } else { answered(error, nil) }
    }

    private func answered(_ error: DNSServiceErrorType, _ name: String?) {
        switch BonjourStatus(error) {
        case .done: onEvent(.announced(name: name ?? service.name))
        case .refused(let code): onEvent(.refused("Bonjour does not take it (\(code))"))
        case let status:
            onEvent(.unavailable(status.obstacle))
            queue.asyncAfter(deadline: .now() + Self.retry) { [weak self] in self?.register() }
        }
    }

    private func letGo() {
        if let ref { DNSServiceRefDeallocate(ref) }
        ref = nil
        hold?.release()
        hold = nil
    }
}
#endif
