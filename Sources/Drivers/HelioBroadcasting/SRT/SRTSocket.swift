import CSRT
import HelioBroadcast
import HelioCore
import HelioMPEGTS
import HelioProtection

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A non-blocking libsrt socket in live mode. It is closed when this object is released.
final class SRTSocket {
    /// A failed libsrt call, with libsrt's error code.
    struct Failure: Error {
        var code: Int
    }

    enum Sent {
        case whole
        /// The send buffer is full; the caller may send the message again once there is space.
        case full
        case failed(Int)
    }

    let handle: SRTSOCKET

    /// Creates a socket, and sets the options that must be set before it connects or listens.
    init(_ address: SRTAddress, peerTimeout: Duration) throws(Failure) {
        handle = srt_create_socket()
        guard handle != SRT_INVALID_SOCK else { throw Failure(code: SRTLibrary.lastError) }
        // The transmission type is set first, as it resets other options to its defaults.
        try set(SRTO_TRANSTYPE, SRTT_LIVE)
        try set(SRTO_SENDER, Int32(1))
        try set(SRTO_SNDSYN, false)
        try set(SRTO_RCVSYN, false)
        try set(SRTO_PAYLOADSIZE, Int32(TransportStream.messageSize))
        try set(SRTO_LATENCY, address.latency.wholeMilliseconds)
        try set(SRTO_CONNTIMEO, address.connectTimeout.wholeMilliseconds)
        try set(SRTO_PEERIDLETIMEO, peerTimeout.wholeMilliseconds)
        // The engine drops late data earlier, in whole groups; libsrt would drop single packets.
        try set(SRTO_SNDDROPDELAY, Int32(-1))
        // A peer with another passphrase is refused, instead of getting a stream that it can't decrypt.
        try set(SRTO_ENFORCEDENCRYPTION, true)
        if let passphrase = address.passphrase {
            try set(SRTO_PBKEYLEN, Int32(address.keyLength.rawValue))
            try set(SRTO_PASSPHRASE, bytes: passphrase.bytes)
        }
        if address.mode == .caller, let streamID = address.streamID {
            try set(SRTO_STREAMID, bytes: streamID.bytes)
        }
    }

    /// Wraps a socket that a listener has accepted.
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

    /// Begins to connect; the call does not block.
    func connect(to address: [UInt8]) throws(Failure) {
        let result = address.withUnsafeBytes {
            srt_connect(handle, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, Int32($0.count))
        }
        guard result != SRT_ERROR else { throw Failure(code: SRTLibrary.lastError) }
    }

    /// Listens for one connection.
    func listen(at address: [UInt8]) throws(Failure) {
        // A socket on the IPv6 wildcard address accepts IPv4 connections, too, if this option is off.
        if address.count > MemoryLayout<sockaddr_in>.size { try set(SRTO_IPV6ONLY, Int32(0)) }
        let result = address.withUnsafeBytes {
            srt_bind(handle, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, Int32($0.count))
        }
        guard result != SRT_ERROR, srt_listen(handle, 1) != SRT_ERROR else {
            throw Failure(code: SRTLibrary.lastError)
        }
    }

    /// Accepts a pending connection; `nil` if there is none.
    func accept() -> SRTSocket? {
        let accepted = srt_accept(handle, nil, nil)
        return accepted == SRT_INVALID_SOCK ? nil : SRTSocket(accepted: accepted)
    }

    var state: SRT_SOCKSTATUS { srt_getsockstate(handle) }
    /// libsrt's code of the peer's reason for a rejection.
    var rejection: Int { Int(srt_getrejectreason(handle)) }

    /// The negotiated latency; zero if it is not known.
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

    /// Measures the connection; `nil` if the socket is not connected.
    func measure(_ purpose: SRTMeasurement.Purpose) -> SRTMeasurement? {
        var counted = SRT_TRACEBSTATS()
        // The last argument requests the buffer's current size instead of a moving average.
        guard srt_bistats(handle, &counted, purpose == .interval ? 1 : 0, 1) != SRT_ERROR else { return nil }
        var (blocks, bytes) = (0, 0)
        if srt_getsndbuffer(handle, &blocks, &bytes) == SRT_ERROR { blocks = 0 }
        var measurement = SRTMeasurement(purpose)
        measurement.rate = counted.mbpsSendRate * 1e6
        measurement.buffered = .milliseconds(counted.msSndBuf)
        measurement.unacknowledged = blocks
        measurement.roundTrip = .nanoseconds(Int64(counted.msRTT * 1e6))
        measurement.sentBytes = Int64(clamping: counted.byteSentTotal)
        measurement.sentPackets = counted.pktSentTotal
        measurement.retransmittedPackets = Int64(counted.pktRetransTotal)
        measurement.lostPackets = Int64(counted.pktSndLossTotal)
        measurement.latePackets = Int64(counted.pktSndDropTotal)
        return measurement
    }
}
