import HelioCore
import HelioGround
import HelioLinks
import HelioLoop
import HelioOpenSSL
import HelioProtection
import HelioTunnel
import NIOCore
import NIOPosix

/// A host's end of a bundle in a process of its own, whose only link is a narrow one by a local socket. It returns each
/// byte and datagram.
///
///     NarrowEcho PATH     the socket; the bundle's secret comes by standard input, a line of hexadecimal digits
///
/// Prints `end: WHY` and exits once the bundle has ended.
@main
enum NarrowEcho {
    static func main() async throws {
        let path = CommandLine.arguments[1]
        guard let secret = readLine().flatMap({ Hexadecimal.bytes($0) }) else { return print("no secret") }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ended = loop.makePromise(of: LinkBundleEnd.self)
        loop.execute {
            StandInLink.connect(to: path, on: loop) { link in
                do {
                    _ = try Echo(try link.get(), SecretBytes(secret), ended, on: loop)
                } catch {
                    ended.fail(error)
                }
            }
        }
        print("end: \(try await ended.futureResult.get())")
    }
}

/// Lives on the loop, and keeps itself alive until the bundle's end.
private final class Echo {
    private let link: StandInLink
    private let ended: EventLoopPromise<LinkBundleEnd>
    private var bundle: EngineLoop<LinkBundle>?

    init(
        _ link: StandInLink, _ secret: SecretBytes, _ ended: EventLoopPromise<LinkBundleEnd>, on loop: any EventLoop
    ) throws {
        self.link = link
        self.ended = ended
        let engine = try LinkBundle(
            .host, secret: secret, crypto: OpenSSLCrypto(), settings: LinkBundleSettings(), seed: 2,
            now: MonotonicClock.now)
        let bundle = EngineLoop(engine, on: loop, perform: { [self] in perform($0) }, settled: {})
        self.bundle = bundle
        link.onDatagram = { bundle.feed(.received($0, on: LinkID(1))) }
        link.onEnd = { bundle.feed(.down(LinkID(1))) }
        bundle.feed(.up(LinkID(1), link.traits))
    }

    private func perform(_ output: LinkBundle.Output) {
        switch output {
        case .transmit(let bytes, _): link.send(bytes)
        case .received(let purpose, let bytes): bundle?.feed(.send(purpose, bytes))
        case .stream(let bytes): bundle?.feed(.stream(bytes))
        case .streamRoom, .event: break
        case .closed(let why):
            bundle?.stop()
            bundle = nil
            ended.succeed(why)
        }
    }
}
