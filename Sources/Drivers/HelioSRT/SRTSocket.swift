import CSRT
import HelioCore
import HelioMPEGTS
import HelioProtection
import HelioSRTLink

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A socket of libsrt in live mode that never blocks; closed with this value.
struct SRTSocket: ~Copyable {
    /// What the library says no to; its number.
    struct Failure: Error {
        var code: Int
    }

    enum Sent {
        case whole
        /// No room: it may be tried again when there is.
        case full
        case failed(Int)
    }

    let handle: SRTSOCKET

    /// A new one, with what has to be set before it connects or listens.
    init(_ address: SRTAddress, peerTimeout: Duration) throws(Failure) {
        handle = srt_create_socket()
        guard handle != SRT_INVALID_SOCK else { throw Failure(code: SRTLibrary.lastError) }
        // The kind of transmission sets defaults: first.
        try set(SRTO_TRANSTYPE, SRTT_LIVE)
        try set(SRTO_SENDER, Int32(1))
        try set(SRTO_SNDSYN, false)
        try set(SRTO_RCVSYN, false)
        try set(SRTO_PAYLOADSIZE, Int32(TransportStream.messageSize))
        try set(SRTO_LATENCY, address.latency.wholeMilliseconds)
        try set(SRTO_CONNTIMEO, address.connectTimeout.wholeMilliseconds)
        try set(SRTO_PEERIDLETIMEO, peerTimeout.wholeMilliseconds)
        // What is too late is dropped before it comes here, by whole groups; the library would drop single packets.
        try set(SRTO_SNDDROPDELAY, Int32(-1))
        // Whose passphrase differs gets nothing, rather than a stream that can't be read.
        try set(SRTO_ENFORCEDENCRYPTION, true)
        if let passphrase = address.passphrase {
            try set(SRTO_PBKEYLEN, Int32(address.keyLength.rawValue))
            try set(SRTO_PASSPHRASE, bytes: passphrase.bytes)
        }
        if address.mode == .caller, let streamID = address.streamID {
            try set(SRTO_STREAMID, bytes: streamID.bytes)
        }
    }

    /// One that a listener has accepted.
    init(accepted handle: SRTSOCKET) { self.handle = handle }

    deinit { if handle != SRT_INVALID_SOCK { srt_close(handle) } }

    private func set<Value: BitwiseCopyable>(_ option: SRT_SOCKOPT, _ value: Value) throws(Failure) {
        var value = value
        guard srt_setsockflag(handle, option, &value, Int32(MemoryLayout<Value>.size)) != SRT_ERROR else {
            throw Failure(code: SRTLibrary.lastError)
        }
    }

    private func set(_ option: SRT_SOCKOPT, bytes: [UInt8]) throws(Failure) {
        guard srt_setsockflag(handle, option, bytes, Int32(bytes.count)) != SRT_ERROR else {
            throw Failure(code: SRTLibrary.lastError)
        }
    }

    /// Begins to connect.
    func connect(to address: [UInt8]) throws(Failure) {
        let result = address.withUnsafeBytes {
            srt_connect(handle, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, Int32($0.count))
        }
        guard result != SRT_ERROR else { throw Failure(code: SRTLibrary.lastError) }
    }

    /// Listens for one that connects.
    func listen(at address: [UInt8]) throws(Failure) {
        // To all addresses of the machine: those of IPv4 too.
        if address.count > MemoryLayout<sockaddr_in>.size { try set(SRTO_IPV6ONLY, Int32(0)) }
        let result = address.withUnsafeBytes {
            srt_bind(handle, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, Int32($0.count))
        }
        guard result != SRT_ERROR, srt_listen(handle, 1) != SRT_ERROR else {
            throw Failure(code: SRTLibrary.lastError)
        }
    }

    /// Whoever has connected; `nil` where nobody has.
    func accept() -> SRTSocket? {
        let accepted = srt_accept(handle, nil, nil)
        return accepted == SRT_INVALID_SOCK ? nil : SRTSocket(accepted: accepted)
    }

    var state: SRT_SOCKSTATUS { srt_getsockstate(handle) }
    /// Why the other end said no.
    var rejection: Int { Int(srt_getrejectreason(handle)) }

    /// The latency that both ends agreed on.
    var latency: Duration {
        var value: Int32 = 0
        var size = Int32(MemoryLayout<Int32>.size)
        guard srt_getsockflag(handle, SRTO_PEERLATENCY, &value, &size) != SRT_ERROR else { return .zero }
        return .milliseconds(value)
    }

    func send(_ message: ArraySlice<UInt8>) -> Sent {
        let result = message.withUnsafeBytes {
            srt_sendmsg2(handle, $0.assumingMemoryBound(to: CChar.self).baseAddress, Int32($0.count), nil)
        }
        if result != SRT_ERROR { return .whole }
        let error = SRTLibrary.lastError
        return error == SRT_EASYNCSND.rawValue || error == SRT_ECONGEST.rawValue ? .full : .failed(error)
    }

    /// The number of messages that were not acknowledged.
    var unacknowledged: Int {
        var (blocks, bytes) = (0, 0)
        return srt_getsndbuffer(handle, &blocks, &bytes) == SRT_ERROR ? 0 : blocks
    }

    /// - Parameter isInterval: rates are those since it was last called so.
    func measure(isInterval: Bool) -> SRT_TRACEBSTATS? {
        var measured = SRT_TRACEBSTATS()
        // The buffer's size as it is now, and no moving average.
        return srt_bistats(handle, &measured, isInterval ? 1 : 0, 1) == SRT_ERROR ? nil : measured
    }
}
