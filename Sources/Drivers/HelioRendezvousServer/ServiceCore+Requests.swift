internal import HelioCore
internal import HelioSignaling
internal import NIOCore
internal import NIOHTTP1

/// What the service answers to requests: devices at `/device`, those who watch it at `/health` and `/metrics`.
extension ServiceCore {
    /// Returns the answer to a request.
    func answer(
        to request: HTTPRequestHead, from handler: RequestHandler, _ forwarded: ForwardedRequest?
    ) -> ServiceAnswer {
        let path = request.uri.prefix { $0 != "?" }
        guard ["/device", "/health", "/metrics"].contains(path) else { return .refused(.notFound, .notFound) }
        guard request.method == .GET || request.method == .HEAD && path != "/device" else {
            return .refused(.methodNotAllowed, .methodNotAllowed)
        }
        switch path {
        case "/health":
            // An instance without its bus serves its own devices, so it stays healthy.
            let state = bus.map { "bus \($0.statistics.state.rawValue)\n" } ?? ""
            return .text(.ok, "ok\n" + state, type: ServiceAnswer.plain, nil)
        case "/metrics":
            guard mayObserve(handler, request) else { return .refused(.notFound, .notFound) }
            return .text(.ok, currentStatistics.metrics, type: ServiceAnswer.metrics, nil)
        default: return answerDevice(request, handler, forwarded)
        }
    }

    private func answerDevice(
        _ request: HTTPRequestHead, _ handler: RequestHandler, _ forwarded: ForwardedRequest?
    ) -> ServiceAnswer {
        guard request.headers[canonicalForm: "upgrade"].contains(where: { $0.lowercased() == "websocket" }) else {
            return .refused(.upgradeRequired, .badUpgrade)
        }
        guard authority(of: request, forwarded) != nil else { return .refused(.misdirectedRequest, .foreignHost) }
        // A TLS connection of a device itself was counted when it was accepted.
        guard settings.certificate != nil && forwarded == nil || mayBegin(forwarded?.client ?? handler.peer) else {
            return .refused(.tooManyRequests, .tooFast)
        }
        return .webSocket
    }

    /// Returns the authority that the device has dialled; `nil` if it is not one of this server.
    func authority(of request: HTTPRequestHead, _ forwarded: ForwardedRequest?) -> String? {
        let fields = request.headers[canonicalForm: "host"]
        guard let field = forwarded?.host ?? (fields.count == 1 ? String(fields[0]) : nil) else { return nil }
        return names.authority(of: field, isSecure: forwarded?.isSecure ?? (settings.certificate != nil))
    }

    /// True for a request of this machine or of an observer, that no proxy has passed on: behind one, anybody may have
    /// sent it.
    private func mayObserve(_ handler: RequestHandler, _ request: HTTPRequestHead) -> Bool {
        guard let peer = handler.peer, request.headers["x-forwarded-for"].isEmpty, request.headers["forwarded"].isEmpty
        else { return false }
        return peer.isLoopback || settings.observers.contains(peer)
    }
}
