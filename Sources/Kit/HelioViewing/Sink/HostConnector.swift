internal import HelioAdmission
internal import HelioCore
internal import HelioServing
internal import HelioSession
internal import HelioSharing
internal import NIOCore

/// One attempt to connect to a host: by its addresses and, after a short head start, by its rendezvous server beside
/// them. The way that connects first is used, and an address that connects until then comes before the server: within
/// one network everything stays there.
struct HostConnector: Sendable {
    /// The time that the addresses have before the host is called, in which a host on the same network answers.
    private static let headStart = Duration.milliseconds(300)

    let link: ShareLink
    let settings: SinkSession.Settings
    let transport: NetworkTransport
    let loop: any EventLoop
    let delegate: any SinkClientDelegate

    /// The errors of an attempt that failed both ways.
    struct Failures: Error {
        let addresses: HelioError
        let call: HelioError
    }

    private enum Step: Sendable {
        case addresses(Result<SinkClient, HelioError>)
        /// The call's stream is open, or could not be opened.
        case call(Result<RendezvousCall, HelioError>)
    }

    /// Connects.
    ///
    /// - Parameter onCall: takes each call, which the caller has to `finish` at last.
    func connect(
        onCall: @escaping @Sendable (RendezvousCall) -> Void
    ) async throws(HelioError) -> SinkClient {
        let usesAddresses = transport.usesAddresses && !link.avoidsAddresses
        guard let ways = transport.ways, !usesAddresses || link.rendezvous != nil else {
            if usesAddresses { return try await byAddresses().get() }
            throw HelioError(
                .invalidArgument,
                "The transport \(transport.rawValue) goes to the host's address, and the host was named with its "
                    + "rendezvous server alone.")
        }
        if usesAddresses { return try await race(ways, onCall).get() }
        let call = try await RendezvousCall.make(to: link, by: ways, on: loop)
        onCall(call)
        return try await byCall(call).get()
    }

    private func byAddresses() async -> Result<SinkClient, HelioError> {
        do throws(HelioError) {
            return .success(try await SinkClient.connect(link, settings: settings, on: loop, delegate: delegate))
        } catch {
            return .failure(error)
        }
    }

    private func byCall(_ call: RendezvousCall) async -> Result<SinkClient, HelioError> {
        do throws(HelioError) {
            return .success(
                try await SinkClient.connect(
                    link, settings: settings, route: call.route, on: loop, delegate: delegate))
        } catch {
            return .failure(error)
        }
    }

    /// Makes a call and opens its stream.
    private func open(
        _ ways: RendezvousCall.Ways, _ onCall: @Sendable (RendezvousCall) -> Void
    ) async -> Result<RendezvousCall, HelioError> {
        do throws(HelioError) {
            if Task.isCancelled { throw Self.givenUp }
            let call = try await RendezvousCall.make(to: link, by: ways, on: loop)
            onCall(call)
            if let error = await call.open() { throw error }
            return .success(call)
        } catch {
            return .failure(error)
        }
    }

    private func race(
        _ ways: RendezvousCall.Ways, _ onCall: @escaping @Sendable (RendezvousCall) -> Void
    ) async -> Result<SinkClient, HelioError> {
        let headStart = Task { _ = try? await Task.sleep(for: Self.headStart) }
        let winner = await withTaskGroup(of: Step.self) { group in
            group.addTask { .addresses(await byAddresses()) }
            group.addTask {
                await withTaskCancellationHandler {
                    await headStart.value
                } onCancel: {
                    headStart.cancel()
                }
                return .call(await open(ways, onCall))
            }
            return await decide(&group, headStart)
        }
        switch winner {
        case .addresses(let result): return result
        case .call(.success(let call)): return await byCall(call)
        case .call(.failure(let error)): return .failure(error)
        }
    }

    /// Waits until one way has connected or both have failed.
    private func decide(_ group: inout TaskGroup<Step>, _ headStart: Task<Void, Never>) async -> Step {
        var addresses: Result<SinkClient, HelioError>?
        var call: Result<RendezvousCall, HelioError>?
        while let step = await group.next() {
            switch step {
            case .addresses(let result): addresses = result
            case .call(let result): call = result
            }
            switch (addresses, call) {
            // The other attempt is given up. If both have succeeded, the addresses come first all the same.
            case (.success, nil), (nil, .success): group.cancelAll()
            case (.failure, nil): headStart.cancel()
            default: break
            }
        }
        switch (addresses, call) {
        case (.success(let client), let call):
            if case .success(let call) = call { Task { await call.finish() } }
            return .addresses(.success(client))
        case (_, .success(let open)): return .call(.success(open))
        case (.failure(let one), .failure(let other)): return .addresses(.failure(Self.failure(one, other)))
        default: return .addresses(.failure(Self.givenUp))
        }
    }

    private static var givenUp: HelioError { HelioError(.ended, "The attempt to connect was given up.") }

    /// The error of an attempt that failed both ways. A host that may come back is one that neither way reaches.
    private static func failure(_ addresses: HelioError, _ call: HelioError) -> HelioError {
        let isRefused = call.code != .unreachable && call.code != .ended
        let first = addresses.code == .unreachable || !isRefused ? addresses : call
        return HelioError(
            isRefused ? call.code : first.code, "\(addresses.message) From afar: \(call.message)",
            remedy: isRefused ? call.remedy : nil, reason: isRefused ? call.reason : first.reason,
            cause: Failures(addresses: addresses, call: call))
    }
}

extension NetworkTransport {
    /// True if the host's addresses are tried.
    fileprivate var usesAddresses: Bool {
        switch self {
        case .automatic, .udp, .tcp: true
        case .ice, .relay, .rendezvous: false
        }
    }

    /// The links that may be used from the rendezvous server on; `nil` if the host is not called.
    fileprivate var ways: RendezvousCall.Ways? {
        switch self {
        case .automatic, .ice: .every
        case .relay: .relayed
        case .rendezvous: .server
        case .udp, .tcp: nil
        }
    }
}
