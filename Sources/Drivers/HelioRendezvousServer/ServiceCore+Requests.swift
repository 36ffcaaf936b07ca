internal import HelioCore
internal import HelioSignaling
internal import NIOCore
internal import NIOHTTP1

/// What the service answers to requests: devices at `/device`, those who watch it at `/health` and `/metrics`, and
/// browsers with the page at `/`, or at any other name of one part without a dot, such as an operator gives a link.
extension ServiceCore {
    /// Returns the answer to a request.
    func answer(
        to request: HTTPRequestHead, from handler: RequestHandler, _ forwarded: ForwardedRequest?
    ) -> ServiceAnswer {
        let path = request.uri.prefix { $0 != "?" }
        guard ["/device", "/health", "/metrics"].contains(path) else {
            return answerPage(path, request, handler, forwarded)
        }
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

    private func answerPage(
        _ path: Substring, _ request: HTTPRequestHead, _ handler: RequestHandler, _ forwarded: ForwardedRequest?
    ) -> ServiceAnswer {
        let isName = path.first == "/" && !path.dropFirst().contains { $0 == "/" || $0 == "." }
        guard let file = page.file(at: path) ?? (isName ? page.file(at: "/") : nil) else {
            return .refused(.notFound, .notFound)
        }
        guard request.method == .GET || request.method == .HEAD else {
            return .refused(.methodNotAllowed, .methodNotAllowed)
        }
        // The policy that goes with the page has the authority in it.
        guard authority(of: request, forwarded) != nil, let host = field(of: request, forwarded) else {
            return .refused(.misdirectedRequest, .foreignHost)
        }
        let isSecure = forwarded?.isSecure ?? (settings.certificate != nil)
        let answer = page.answer(with: file, to: request, host: host, isSecure: isSecure)
        let client = forwarded?.client ?? handler.peer
        guard mayAnswer(answer.content.readableBytes, to: client) else {
            return .refused(.tooManyRequests, .tooMuchAsked)
        }
        return .file(answer)
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
        guard let field = field(of: request, forwarded) else { return nil }
        return names.authority(of: field, isSecure: forwarded?.isSecure ?? (settings.certificate != nil))
    }

    /// Returns the host and port of a request as the client has written them; `nil` if there are none.
    private func field(of request: HTTPRequestHead, _ forwarded: ForwardedRequest?) -> String? {
        let fields = request.headers[canonicalForm: "host"]
        return forwarded?.host ?? (fields.count == 1 ? String(fields[0]) : nil)
    }

    /// True for a request of this machine or of an observer, that no proxy has passed on: behind one, anybody may have
    /// sent it.
    private func mayObserve(_ handler: RequestHandler, _ request: HTTPRequestHead) -> Bool {
        guard let peer = handler.peer, request.headers["x-forwarded-for"].isEmpty, request.headers["forwarded"].isEmpty
        else { return false }
        return peer.isLoopback || settings.observers.contains(peer)
    }
}
