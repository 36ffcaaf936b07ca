import Foundation
import HelioCore
import HelioGround
import HelioLinks
import HelioLoop
import HelioOpenSSL
import HelioProtection
import HelioTestLanes
import HelioTestPrograms
import HelioTunnel
import NIOCore
import NIOPosix
import Testing

@Suite("A narrow link between two processes", .tags(.quiet), .timeLimit(.minutes(1)))
struct TwoProcessesTests {
    private static let secret = (0..<32).map { UInt8($0 * 5 + 1) }

    @Test("stream, control and a small picture go there and back at 1 Mbit/s, and the end reaches the other process")
    func echo() async throws {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "heliograph-\(UInt64.random(in: 0 ... .max)).sock").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let viewer = try await NarrowViewer(at: path, SecretBytes(Self.secret))
        let input = Pipe()
        let program = try RunningProgram(
            RunningProgram.built("NarrowEcho"), [path], environment: [:], standardInput: input.fileHandleForReading)
        try input.fileHandleForWriting.write(contentsOf: Data("\(Hexadecimal.text(Self.secret))\n".utf8))
        try await viewer.wait { if case .event(.streamConnected) = $0 { () } else { nil } }

        let bytes = (0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 3 ^ $0 >> 8) }
        viewer.feed([.stream(bytes)])
        var back: [UInt8] = []
        while back.count < bytes.count {
            back += try await viewer.wait { if case .stream(let bytes) = $0 { bytes } else { nil } }
        }
        #expect(back == bytes)

        let start = MonotonicClock.now
        let picture = (0..<40).map { LinkBundle.Input.send(.media, [UInt8($0)] + [UInt8](repeating: 1, count: 999)) }
        viewer.feed(picture + [.send(.control, [255, 7])])
        var order: [UInt8] = []
        while order.count <= 10 || !order.contains(255) {
            let first = try await viewer.wait { output -> UInt8? in
                if case .received(_, let bytes) = output { bytes.first } else { nil }
            }
            order.append(first)
        }
        // Ten datagrams of 1,001 bytes at the width, and control ahead of those that had to wait.
        #expect(MonotonicClock.now - start >= .milliseconds(80))
        #expect(order.firstIndex(of: 255).map { $0 <= 8 } == true, "\(order)")

        viewer.feed([.end])
        try await viewer.wait { if case .closed(.endedHere) = $0 { () } else { nil } }
        try program.line(with: "end: endedByPeer")
        #expect(program.waitUntilExit() == 0)
        try await viewer.stop()
    }
}

/// A viewer's end of a bundle whose only link is a narrow one by a local socket.
///
/// Unchecked, as everything but the stream of outputs is used on the loop alone.
private final class NarrowViewer: @unchecked Sendable {
    private let loop = MultiThreadedEventLoopGroup.singleton.next()
    private let outputs: AsyncStream<LinkBundle.Output>
    private let tell: AsyncStream<LinkBundle.Output>.Continuation
    private var bundle: EngineLoop<LinkBundle>?
    private var link: StandInLink?
    private var listener: (any Channel)?

    init(at path: String, _ secret: SecretBytes) async throws {
        (outputs, tell) = AsyncStream.makeStream(of: LinkBundle.Output.self)
        let listening = try await loop.submit { [self] in
            let engine = try LinkBundle(
                .viewer, secret: secret, crypto: OpenSSLCrypto(), settings: LinkBundleSettings(), seed: 1,
                now: MonotonicClock.now)
            bundle = EngineLoop(engine, on: loop, perform: { [weak self] in self?.perform($0) }, settled: {})
            return StandInLink.listen(at: path, on: loop) { [weak self] in self?.take($0) }
        }.get()
        listener = try await listening.get()
    }

    private func take(_ link: StandInLink) {
        self.link = link
        link.onDatagram = { [weak self] in self?.bundle?.feed(.received($0, on: LinkID(1))) }
        bundle?.feed(.up(LinkID(1), link.traits))
    }

    private func perform(_ output: LinkBundle.Output) {
        if case .transmit(let bytes, _) = output { link?.send(bytes) } else { tell.yield(output) }
    }

    func feed(_ inputs: [LinkBundle.Input]) {
        loop.execute { [self] in
            for input in inputs { bundle?.feed(input) }
        }
    }

    /// Waits for a matching output; those before it are discarded.
    @discardableResult
    func wait<Value>(for meaning: (LinkBundle.Output) -> Value?) async throws -> Value {
        for await output in outputs {
            if let value = meaning(output) { return value }
        }
        throw CancellationError()
    }

    func stop() async throws {
        try await loop.submit { [self] in
            bundle?.stop()
            link?.close()
        }.get()
        try await listener?.close()
    }
}
