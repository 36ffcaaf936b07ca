import Foundation
import Heliograph
import Testing

/// Floods of connections that send nothing.
extension SDKTests {
    /// A loopback address whose last number is `host`.
    private func loopback(_ host: UInt32, port: Int = 0) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + host).bigEndian
        return address
    }

    /// Opens TCP connections to a port from four addresses other than the viewers', as a host limits them by address;
    /// failed ones are left out.
    private func connect(_ count: Int, to port: Int) -> [Int32] {
        (0..<count).compactMap { index in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var ends = (loopback(2 + UInt32(index % 4)), loopback(1, port: port))
            let size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = withUnsafePointer(to: &ends.0) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
            }
            let isConnected = withUnsafePointer(to: &ends.1) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
            }
            if result == 0, isConnected == 0 { return descriptor }
            close(descriptor)
            return nil
        }
    }

    @Test("500 connections that never speak: who watches does not notice, and who has a link still comes in")
    func silentConnections() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            let first = try MirrorSink(link: try await source.link.text)
            first.start()
            _ = try await wait(first) { if case .played = $0 { true } else { nil } }

            let silent = connect(500, to: source.port)
            defer { for descriptor in silent { close(descriptor) } }
            #expect(silent.count >= 400)

            let second = try MirrorSink(link: try await source.link.text)
            second.start()
            _ = try await wait(second) { if case .played = $0 { true } else { nil } }

            // Both sinks get a frame; the first was not disconnected. Each request is answered, as by an app: a sink
            // that was not ready when the first frame was sent requests another.
            let answers = Task {
                var number = 0
                for await entry in encoder.diary.entries where entry == "keyframe" {
                    _ = try source.write(Self.frame(number, isKeyframe: true))
                    number += 1
                }
            }
            defer { answers.cancel() }
            for sink in [first, second] {
                let isServed = try await wait(sink) { event -> Bool? in
                    switch event {
                    case .received: true
                    case .disconnected, .ended: false
                    default: nil
                    }
                }
                #expect(isServed)
            }
            await first.stop()
            await second.stop()
        }
    }
}
