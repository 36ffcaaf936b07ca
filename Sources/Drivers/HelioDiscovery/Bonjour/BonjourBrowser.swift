#if canImport(Network)
private import Dispatch
private import Foundation
internal import HelioCore
private import Network

/// Browses for services with `NWBrowser`, and resolves each service through Bonjour's C interface, which returns
/// addresses and port without connecting. This file is only compiled, never executed by a test.
///
/// `@unchecked Sendable`: all but `init` and `stop` happens on the dispatch queue.
final class BonjourBrowser: ServiceBrowsing, @unchecked Sendable {
    private let type: String
    private let onEvent: @Sendable (BrowsingEvent) -> Void
    private let queue = DispatchQueue(label: "heliograph-bonjour-viewer")
    private let browser: NWBrowser
    private var sightings = BonjourSightings()
    private var resolvers: [BonjourSightings.Service: BonjourResolver] = [:]

    init(_ type: String, onEvent: @escaping @Sendable (BrowsingEvent) -> Void) {
        self.type = type
        self.onEvent = onEvent
        browser = NWBrowser(for: .bonjour(type: type, domain: nil), using: NWParameters())
        browser.stateUpdateHandler = { [weak self] state in self?.changed(state) }
        browser.browseResultsChangedHandler = { [weak self] results, _ in self?.saw(results) }
        browser.start(queue: queue)
    }

    deinit { browser.cancel() }

    func stop() {
        browser.cancel()
        queue.async { [self] in resolvers = [:] }
    }

    private func changed(_ state: NWBrowser.State) {
        switch state {
        case .ready: onEvent(.available)
        case .failed(let error), .waiting(let error):
            for service in sightings.forget() { resolvers[service] = nil }
            var code: Int32 = -65563
            if case .dns(let status) = error { code = status }
            onEvent(.unavailable(BonjourStatus(code).obstacle))
        default: break
        }
    }

    private func saw(_ results: Set<NWBrowser.Result>) {
        var services: [BonjourSightings.Service: Bool] = [:]
        for result in results {
            guard case .service(let name, _, let domain, _) = result.endpoint else { continue }
            let isLocal = result.interfaces.contains { $0.type == .loopback }
            for interface in result.interfaces where interface.type != .loopback {
                let index = Int32(clamping: interface.index)
                services[.init(name: name, domain: domain, interface: index)] = isLocal
            }
        }
        let step = sightings.browse(services)
        for service in step.forget { resolvers[service] = nil }
        for event in step.events { onEvent(event) }
        for service in step.resolve { resolvers[service] = BonjourResolver(service, type, on: queue, resolverEvent) }
    }

    private var resolverEvent: @Sendable (BonjourSightings.Service, BonjourResolver.Event) -> Void {
        { [weak self] service, event in self?.took(event, of: service) }
    }

    private func took(_ event: BonjourResolver.Event, of service: BonjourSightings.Service) {
        var events: [BrowsingEvent] = []
        switch event {
        case .resolved(let machine, let port, let text, let zone):
            let step = sightings.resolved(service, machine: machine, port: port, text: text, zone: zone)
            if step.lookUp { resolvers[service]?.lookUp(machine) }
            events = step.events
        case .address(let ip, let isThere): events = sightings.address(ip, of: service, isThere: isThere)
        case .failed: events = sightings.failed(service)
        }
        for event in events { onEvent(event) }
    }
}
#endif
