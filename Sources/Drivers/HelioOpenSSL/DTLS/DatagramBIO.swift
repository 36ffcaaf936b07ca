import COpenSSL

/// A memory BIO for DTLS that preserves datagram boundaries, since OpenSSL's own memory BIO is a stream.
///
/// A read returns the single record that ``offer(_:during:)`` provides; further reads report a retry. Bytes that are
/// written in one call become one datagram. Messages of a flight that fit into one datagram are joined, since OpenSSL
/// writes each message separately when it retransmits a flight.
final class DatagramBIO {
    /// The maximum number of queued outbound datagrams, more than any flight has.
    static let capacity = 64

    /// The BIO, owned by the `SSL` that it is given to.
    let pointer: OpaquePointer
    private let mtu: Int
    private var inbound: UnsafeRawBufferPointer?
    private(set) var outbound: [[UInt8]] = []
    /// The number of datagrams that were dropped because `outbound` was full.
    private var lost = 0
    /// The address of the timer's expiry time in OpenSSL's memory, for `helio_ssl_expire`.
    private(set) var timer: UnsafeMutableRawPointer?

    /// Makes the BIO; `nil` if there is no memory.
    init?(mtu: Int) {
        guard let method = Self.method.pointer, let pointer = BIO_new(method) else { return nil }
        self.pointer = pointer
        self.mtu = mtu
        BIO_set_data(pointer, Unmanaged.passUnretained(self).toOpaque())
        BIO_set_init(pointer, 1)
    }

    /// Provides a record that OpenSSL reads while `body` runs.
    func offer(_ record: UnsafeRawBufferPointer, during body: () -> Void) {
        inbound = record
        body()
        inbound = nil
    }

    func takeFirst() -> [UInt8]? { outbound.isEmpty ? nil : outbound.removeFirst() }

    /// Returns the number of datagrams dropped since the last call, and resets it.
    func takeLost() -> Int {
        defer { lost = 0 }
        return lost
    }

    private func read(into buffer: UnsafeMutablePointer<CChar>, _ count: Int) -> Int? {
        guard let record = inbound else { return nil }
        inbound = nil
        // OpenSSL's buffer has space for the longest possible record.
        guard record.count <= count, let base = record.baseAddress else { return nil }
        UnsafeMutableRawPointer(buffer).copyMemory(from: base, byteCount: record.count)
        return record.count
    }

    private func write(_ bytes: UnsafeRawBufferPointer) {
        if let last = outbound.last, last.count + bytes.count <= mtu, Self.isFlight(last.first),
            Self.isFlight(bytes.first)
        {
            outbound[outbound.count - 1].append(contentsOf: bytes)
        } else if outbound.count < Self.capacity {
            outbound.append([UInt8](bytes))
        } else {
            lost += 1
        }
    }

    /// True for ChangeCipherSpec and handshake records; data and alerts are never joined.
    private static func isFlight(_ type: UInt8?) -> Bool { type == 20 || type == 22 }

    private static func of(_ bio: OpaquePointer?) -> DatagramBIO? {
        BIO_get_data(bio).map { Unmanaged<DatagramBIO>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The flags for a read that has to be retried; writes never need a retry.
    private static let retry = BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY

    /// The method table of all BIOs of this type; made once, never changed and never freed.
    private struct Method: @unchecked Sendable {
        let pointer: OpaquePointer?
    }

    private static let method: Method = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "heliograph datagrams") else {
            return Method(pointer: nil)
        }
        BIO_meth_set_read(method) { bio, buffer, count in
            BIO_clear_flags(bio, DatagramBIO.retry)
            if let buffer, let read = DatagramBIO.of(bio)?.read(into: buffer, Int(count)) { return Int32(read) }
            BIO_set_flags(bio, DatagramBIO.retry)
            return -1
        }
        BIO_meth_set_write(method) { bio, buffer, count in
            BIO_clear_flags(bio, DatagramBIO.retry)
            guard let buffer, count > 0, let datagrams = DatagramBIO.of(bio) else { return 0 }
            datagrams.write(UnsafeRawBufferPointer(start: buffer, count: Int(count)))
            return count
        }
        BIO_meth_set_ctrl(method) { bio, command, _, argument in
            switch command {
            case BIO_CTRL_FLUSH: return 1
            case BIO_CTRL_DGRAM_SET_NEXT_TIMEOUT:
                DatagramBIO.of(bio)?.timer = argument
                return 1
            default: return 0
            }
        }
        return Method(pointer: method)
    }()
}
