import HelioBroadcast
import HelioCore
import HelioProtection

/// Fuzzes the exchange with a WHIP server: the address, redirections, arbitrary responses and the end, in any order.
///
/// The first line is the address. Of the other lines, one that begins with a digit starts a response with that status,
/// `B` completes the response with a body, `O` is the offer, `E` the end, `X` a broken connection and `T` passing time;
/// any other line is a header field of the response.
package enum WHIPLinkFuzz {
    package static func run(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.first, let fallback = try? WHIPAddress(parsing: "whips://h/whip/endpoint?room=1"),
            let token = try? StreamSecret(token: SecretBytes(Array("a-token".utf8)))
        else { return }
        let address = (try? WHIPAddress(parsing: first)) ?? fallback
        check(address.endpoint)
        var run = Run(address, token)
        run.handle(.offer("v=0\r\n"))
        for line in lines.dropFirst() { run.play(line) }
        run.handle(.end)
        while let deadline = run.exchange.deadline { run.pass(deadline.at - run.now) }
        precondition(run.exchange.isOver && run.finals == 1, "it does not end, or more than once")
    }

    private static func check(_ target: HTTPTarget) {
        precondition(!target.host.isEmpty && target.port > 0 && target.path.utf8.first == UInt8(ascii: "/"))
        precondition(target.path.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        precondition(target.path.utf8.count <= HTTPTarget.maximumSize)
        let scheme = target.isSecure ? HTTPTarget.secureScheme : HTTPTarget.scheme
        if let again = HTTPTarget(parsing: scheme + target.authority + target.path) {
            precondition(again == target, "a target changed on its way")
        }
    }

    private struct Run {
        var exchange: WHIPExchange
        var now = Instant.zero
        var finals = 0
        private let isSecure: Bool
        private var response: WHIPResponse?
        private var (offers, ends) = (0, 0)
        private var isWaiting = false

        init(_ address: WHIPAddress, _ token: StreamSecret) {
            exchange = WHIPExchange(address, token: token)
            isSecure = address.endpoint.isSecure
        }

        mutating func play(_ line: String) {
            guard let first = line.utf8.first else { return }
            switch first {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                response = WHIPResponse(status: Int(line) ?? -1, fields: [], body: [])
            case UInt8(ascii: "B"):
                guard var whole = response else { return }
                response = nil
                whole.body = Array(line.utf8.dropFirst())
                handle(.response(whole))
            case UInt8(ascii: "O"): handle(.offer(line))
            case UInt8(ascii: "E"): handle(.end)
            case UInt8(ascii: "X"):
                let all: [WHIPBreak] = [
                    .unresolved, .unreachable, .lost, .malformed, .untrusted, .wrongCertificate, .noTLS,
                ]
                handle(.broken(all[line.utf8.count % all.count]))
            case UInt8(ascii: "T"): pass(.milliseconds(line.utf8.count * 500))
            default:
                guard let colon = line.firstIndex(of: ":") else { return }
                response?.fields.append(
                    HTTPField(String(line[..<colon]), String(line[line.index(after: colon)...].drop { $0 == " " })))
            }
        }

        mutating func pass(_ time: Duration) {
            now = now + max(.zero, time)
            exchange.tick(now: now)
            drain()
        }

        mutating func handle(_ input: WHIPExchange.Input) {
            switch input {
            case .response, .broken: isWaiting = false
            case .offer, .end: break
            }
            exchange.handle(input, now: now)
            drain()
        }

        private mutating func drain() {
            while let output = exchange.poll() {
                precondition(finals == 0, "something came behind the end")
                precondition(!"\(output)".contains("a-token"), "the token is shown")
                switch output {
                case .send(let request):
                    precondition(!isWaiting, "two requests at once")
                    isWaiting = true
                    precondition(request.target.isSecure || !isSecure, "a token goes without TLS")
                    WHIPLinkFuzz.check(request.target)
                    if request.method == .post { offers += 1 } else { ends += 1 }
                case .cancel: isWaiting = false
                case .answered(let answer):
                    precondition(answer.servers.count <= WHIPServer.limit && !answer.sdp.isEmpty)
                case .failed(let failure):
                    precondition(!failure.message.isEmpty)
                    finals += 1
                case .ended: finals += 1
                }
            }
            precondition(offers <= WHIPExchange.mostRedirections + 1 && ends <= 1)
            if let deadline = exchange.deadline {
                precondition(deadline.at > now && finals == 0, "a deadline that is over")
            }
        }
    }
}
