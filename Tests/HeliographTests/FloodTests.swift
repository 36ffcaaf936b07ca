import Foundation
import Heliograph
import Testing

/// Connections without end that have nothing to say.
extension SDKTests {
    /// An address of loopback, the last of whose numbers is `host`.
    private func loopback(_ host: UInt32, port: Int = 0) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = (0x7F00_0000 + host).bigEndian
        return address
    }

    /// TCP connections to a port of this machine, from four other addresses than viewers have, as a host serves only so
    /// many of one; those that can't be made are left out.
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

            // Both get a frame; the first was not put out. Each request has its answer, as an app gives it: who was not quite
            // there yet when the first frame left asks again.
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
