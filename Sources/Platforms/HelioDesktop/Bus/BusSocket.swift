import CWayland
import Glibc
import HelioCore
import HelioDBusWire
import HelioGround
import HelioLocalSocket

/// The non-blocking socket to a message bus, which carries bytes and file descriptors. Sending and receiving may happen
/// on two threads.
final class BusSocket: Sendable {
    let descriptor: Int32
    private let socket: LocalSocket

    /// Connects to the first socket among a bus's addresses that answers, and introduces this user (SASL EXTERNAL).
    /// Throws `unreachable` if none does, or the bus refuses.
    init(addresses: String, until: Instant) throws(HelioError) {
        let paths = DBusAddress.paths(in: addresses)
        var connected: LocalSocket?
        for path in paths where connected == nil { connected = try? LocalSocket.connect(to: path) }
        guard let connected else {
            throw HelioError(
                .unreachable,
                paths.isEmpty
                    ? "The session's D-Bus has no socket that is a file: \(addresses)."
                    : "Nobody answers at the session's D-Bus (\(paths.joined(separator: ", "))).")
        }
        socket = connected
        descriptor = connected.descriptor
        try introduce(until)
    }

    /// D-Bus Specification, "Authentication Protocol".
    private func introduce(_ until: Instant) throws(HelioError) {
        let user = String(getuid()).utf8.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
        try write("\0AUTH EXTERNAL \(user)\r\n", until)
        guard try line(until).hasPrefix("OK ") else {
            throw HelioError(.unreachable, "The session's D-Bus refuses this user.")
        }
        try write("NEGOTIATE_UNIX_FD\r\n", until)
        guard try line(until) == "AGREE_UNIX_FD" else {
            throw HelioError(.unreachable, "The session's D-Bus passes no file descriptors on.")
        }
        try write("BEGIN\r\n", until)
    }

    private func write(_ text: String, _ until: Instant) throws(HelioError) {
        guard send(Array(text.utf8), descriptors: [], until: until) else { throw Self.silent }
    }

    /// Reads a line, byte by byte, as the bytes behind the last line are a message's.
    private func line(_ until: Instant) throws(HelioError) -> String {
        var bytes: [UInt8] = []
        while bytes.count < 512 {
            var byte: UInt8 = 0
            switch withUnsafeMutableBytes(of: &byte, { socket.receive(into: $0) }) {
            case .done: bytes.append(byte)
            case .closed: throw Self.silent
            case .wouldBlock:
                if MonotonicClock.now >= until { throw Self.silent }
                var polled = [DescriptorPoll(descriptor)]
                DescriptorPoll.wait(&polled, until: until)
            }
            if byte == UInt8(ascii: "\n"), bytes.suffix(2) == [13, 10] {
                return String(decoding: bytes.dropLast(2), as: UTF8.self)
            }
        }
        throw Self.silent
    }

    private static var silent: HelioError { HelioError(.unreachable, "The session's D-Bus does not answer.") }

    /// Sends all bytes; returns false if the other end has not taken them by `until`, or is gone.
    ///
    /// - Parameter descriptors: at most 28; they stay the caller's.
    func send(_ bytes: [UInt8], descriptors: [Int32], until: Instant) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let with = sent == 0 ? descriptors : []
            let count = bytes.withUnsafeBufferPointer { bytes in
                helio_wayland_send(descriptor, bytes.baseAddress! + sent, bytes.count - sent, with, with.count)
            }
            if count > 0 {
                sent += count
                continue
            }
            guard [EAGAIN, EWOULDBLOCK, ENOBUFS, ETOOMANYREFS].contains(errno), MonotonicClock.now < until else {
                return false
            }
            var polled = [DescriptorPoll(descriptor, wantsToSend: true)]
            DescriptorPoll.wait(&polled, until: min(until, MonotonicClock.now + .milliseconds(50)))
        }
        return true
    }

    /// Waits for bytes and their descriptors; `nil` if the other end is gone, or `shutDown` was called.
    func receive(into buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, descriptors: [BusDescriptor])? {
        while true {
            var received = [Int32](repeating: -1, count: Int(HELIO_WAYLAND_DESCRIPTORS))
            var count = 0
            let size = helio_wayland_receive(descriptor, buffer.baseAddress, buffer.count, &received, &count)
            let reason = errno
            let descriptors = received.prefix(count).map { BusDescriptor(taking: $0) }
            if size > 0 { return (size, descriptors) }
            guard size == -1, reason == EAGAIN || reason == EWOULDBLOCK else { return nil }
            var polled = [DescriptorPoll(descriptor)]
            DescriptorPoll.wait(&polled, until: nil)
        }
    }

    /// Ends a `receive` on another thread.
    func shutDown() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
}
