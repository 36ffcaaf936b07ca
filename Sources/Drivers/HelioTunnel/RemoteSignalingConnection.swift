internal import HelioCore
package import HelioHost
internal import HelioRendezvousWire
internal import HelioSignaling
internal import NIOCore
private import Synchronization

/// A browser's call through a rendezvous, in place of its WebSocket.
///
/// Unchecked, as everything but `SignalingConnection` is used on the service's event loop alone.
package final class RemoteSignalingConnection: SignalingConnection, @unchecked Sendable {
    /// The number of messages that may wait for `open`.
    private static let mostWaiting = 16

    package let id: UInt64
    package let remoteAddress: String
    /// True always: messages are sealed between the page and this host.
    package var isSecure: Bool { true }
    private let admission = Atomic(false)
    /// The servers for the host's end of this session, which the rendezvous lends.
    package internal(set) var servers = WebServers()
    let call: SealedCall
    private weak var service: RemoteSignalingService?
    private let loop: any EventLoop
    /// The messages that came before `open`; `nil` from then on.
    private var waiting: [[UInt8]]?
    private var hasEnded = false
    /// The resolution of the servers' names.
    var resolution: TunnelServers?

    init(_ id: UInt64, _ call: SealedCall, first: [UInt8], from address: String, _ service: RemoteSignalingService) {
        self.id = id
        self.call = call
        remoteAddress = address
        self.service = service
        loop = service.loop
        waiting = [first]
        call.onBytes = { [weak self] in self?.take($0) }
        call.onEvent = { [weak self] in self?.take($0) }
    }

    /// Reports the connection and the messages so far.
    func open() {
        guard !hasEnded, let messages = waiting else { return }
        waiting = nil
        service?.tell(.opened(self))
        for message in messages where !hasEnded { report(message) }
    }

    package var isAdmitted: Bool {
        get { admission.load(ordering: .relaxed) }
        set { admission.store(newValue, ordering: .relaxed) }
    }

    package func send(_ message: [UInt8]) {
        guard loop.inEventLoop else { return loop.execute { [self] in send(message) } }
        guard !hasEnded else { return }
        service?.count(sent: 1)
        call.send(message)
    }

    package func close() {
        guard loop.inEventLoop else { return loop.execute { [self] in close() } }
        guard !hasEnded else { return }
        call.hangUp(.ended)
        end(isLater: true)
    }

    private func take(_ message: [UInt8]) {
        guard !hasEnded else { return }
        if let waiting {
            guard waiting.count < Self.mostWaiting else { return fail(.tooManyMessages, .tooFast) }
            self.waiting?.append(message)
        } else {
            report(message)
        }
    }

    private func report(_ message: [UInt8]) {
        guard String(validating: message, as: UTF8.self) != nil else { return fail(.malformedText, .protocolError) }
        service?.count(received: 1)
        service?.tell(.message(self, message))
    }

    private func take(_ event: SealedCall.Event) {
        switch event {
        // The servers were lent before the call; the page has them from the rendezvous itself.
        case .turn, .ringing, .message: break
        case .data: service?.drop(.datagram)
        case .hungUp: end(isLater: false)
        case .violated:
            service?.drop(.violated)
            end(isLater: false)
        }
    }

    private func fail(_ drop: RemoteSignalingDrop, _ reason: HangUpReason) {
        service?.drop(drop)
        call.hangUp(reason)
        end(isLater: true)
    }

    /// - Parameter isLater: true to report the end on a later tick, as the receiver may be the caller.
    private func end(isLater: Bool) {
        guard !hasEnded else { return }
        hasEnded = true
        resolution?.cancel()
        let wasOpen = waiting == nil
        waiting = nil
        service?.ended(self, tells: wasOpen, isLater: isLater)
    }
}
