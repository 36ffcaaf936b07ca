// Two ends of an app's own that find each other and say hello: SayHello page | SayHello SERVER | SayHello call LINK
// A browser comes to the page on this machine; who has the link calls from any network, by the rendezvous server.
import Foundation
import HelioRemoteWire
import Heliograph

let page = LocalSignalingService.File(path: "index.html", bytes: Array("<title>Hello</title>".utf8), type: "text/html")
// The fingerprint of a connection's own certificate, for WebRTC.
let fingerprint = [UInt8](repeating: 0, count: SignalingMessage.fingerprintLength)
let nonce = (0..<SignalingMessage.nonceLength).map { _ in UInt8.random(in: 0...255) }
let hello = SignalingMessage.hello(.init(nonce: nonce, fingerprint: fingerprint, name: "laptop"))
let welcome = SignalingMessage.welcome(.init(nonce: nonce, fingerprint: fingerprint, name: "tower", pairing: false))

func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

/// Starts a service, whichever it is, and handles its messages.
func talk(by service: any SignalingService, ready: () -> Void, first: SignalingMessage? = nil) async throws {
    let (events, told) = AsyncStream.makeStream(of: SignalingEvent.self)
    try await service.start { told.yield($0) }
    ready()
    for await event in events {
        switch event {
        case .opened(let host): if let first { host.send(first.serialised()) }
        case .message(let end, let bytes):
            do {
                switch try SignalingMessage(parsing: bytes) {
                case .hello(let hello):
                    say("hello from \(hello.name)")
                    end.send(welcome.serialised())
                case .welcome(let welcome): return say("welcome from \(welcome.name)")
                case let other: say("no answer to \(other)")
                }
            } catch { end.send(SignalingMessage.error(error.answer).serialised()) }
        case .closed: say("gone")
        }
    }
}

switch CommandLine.arguments.dropFirst().first {
case "page":
    var options = LocalSignalingService.Options()
    options.files = [page]
    let service = try LocalSignalingService(options)
    try await talk(by: service, ready: { say("http://localhost:\(service.localPort ?? 0)/") })
case "call":
    let call = try SignalingCall(CommandLine.arguments.last ?? "")
    try await talk(by: call, ready: {}, first: hello)
    await call.stop()
case let server?:
    let (reached, tell) = AsyncStream.makeStream(of: String?.self)
    var options = RemoteSignalingService.Options(server: server)
    options.reached = { tell.yield($0?.message) }
    let service = try RemoteSignalingService(options)
    // The link is good for calls once the server knows this device.
    Task { for await failure in reached { say(failure ?? service.link) } }
    try await talk(by: service, ready: {})
case nil: fatalError("usage: SayHello page, SayHello SERVER or SayHello call LINK")
}
