import Foundation
import HelioCore
import HelioTestLanes
import HelioViewing
import Testing

@Suite("A sink that leaves before the host has answered", .timeLimit(.minutes(1)), .tags(.quiet))
struct LeavingTests {
    /// A port that takes connections and stays silent.
    private final class SilentHost: Sendable {
        struct Failed: Error {}

        private let listener: Int32
        let port: Int

        init() throws {
            listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            var address = sockaddr_in(LoopbackAddress(0))
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isListening = withUnsafeMutablePointer(to: &address) { [listener] pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 8) == 0
                        && getsockname(listener, $0, &length) == 0
                }
            }
            port = Int(UInt16(bigEndian: address.sin_port))
            guard isListening else { throw Failed() }
        }

        deinit { close(listener) }

        /// Accepts a connection, and calls `begun` once it has said something.
        ///
        /// - Returns: true if its other end closes it within 20 seconds.
        func serve(_ begun: @escaping @Sendable () -> Void) async -> Bool {
            await withCheckedContinuation { done in
                Thread.detachNewThread { [self] in
                    let connection = accept(listener, nil, nil)
                    defer { close(connection) }
                    var patience = timeval(tv_sec: 20, tv_usec: 0)
                    setsockopt(
                        connection, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
                    var bytes = [UInt8](repeating: 0, count: 4096)
                    var count = recv(connection, &bytes, bytes.count, 0)
                    begun()
                    while count > 0 { count = recv(connection, &bytes, bytes.count, 0) }
                    done.resume(returning: count == 0 || errno == ECONNRESET)
                }
            }
        }
    }

    @Test("its attempt to connect ends with it, long before an attempt's own time is over")
    func silent() async throws {
        let host = try SilentHost()
        let sink = try MirrorSink(link: "127.0.0.1:\(host.port)", code: "0000-0000-0000-0000")
        let (begun, isBegun) = AsyncStream.makeStream(of: Void.self)
        async let isClosed = host.serve { isBegun.yield() }
        sink.start()
        for await _ in begun { break }
        let left = ContinuousClock.now
        await sink.stop()
        #expect(ContinuousClock.now - left < Reconnection.connectTime)
        #expect(await isClosed)
    }
}
