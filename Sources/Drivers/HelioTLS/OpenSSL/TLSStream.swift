internal import COpenSSL
internal import HelioCore
private import HelioOpenSSL
internal import NIOCore

/// The client's or server's end of a TLS connection, which converts between encrypted bytes for the network and plain
/// bytes.
///
/// The files of this folder are the only TLS code that depends on OpenSSL. A stream is confined to the event loop of
/// its connection.
///
/// Every call to OpenSSL begins and ends with an empty error queue, as the whole thread shares that queue.
final class TLSStream {
    enum Role {
        case client, server
    }

    /// The result of a handshake, read or write step.
    enum Step {
        case done
        /// The step needs more input.
        case starved
        /// The peer has sent close_notify: no more data follows.
        case closed
        case failed(TLSError)
    }

    /// The maximum number of handshake messages that may follow each other without data between them.
    private static let mostMessages = 32

    let role: Role
    /// Decides by the SHA-256 fingerprint of the peer's certificate whether to accept it; `nil` verifies authorities
    /// and names instead.
    var judge: (([UInt8]) -> Bool)?

    private let ssl: OpaquePointer
    private let context: OpenSSLContext
    /// The encrypted input that OpenSSL has not read yet; empty except during a call to OpenSSL.
    private var inbound = ByteBuffer()
    private var outbound = ByteBuffer()
    /// The buffer of a read that returned no data, kept for the next read.
    private var spare: ByteBuffer?
    private var isOpen = false
    private var messages = 0

    init(_ context: OpenSSLContext, _ role: Role) throws(HelioError) {
        defer { ERR_clear_error() }
        guard let ssl = SSL_new(context.pointer) else { throw OpenSSLContext.failure("SSL_new") }
        self.ssl = ssl
        self.context = context
        self.role = role
        // `deinit` frees the `SSL` from here on, also if this initialiser throws.
        guard let bio = StreamBIO.make(for: self) else { throw OpenSSLContext.failure("BIO_new") }
        SSL_set_bio(ssl, bio, bio)
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        switch role {
        case .client: SSL_set_connect_state(ssl)
        case .server: SSL_set_accept_state(ssl)
        }
    }

    deinit { SSL_free(ssl) }

    /// Accepts only a certificate for this name. Returns false if the name is invalid.
    func expect(name: String) -> Bool {
        defer { Self.clearErrors() }
        // OpenSSL treats an empty name as any name, and a zero byte as the name's end.
        guard (1...255).contains(name.utf8.count), !name.utf8.contains(0) else { return false }
        SSL_set_hostflags(ssl, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
        return SSL_set1_host(ssl, name) == 1 && helio_tls_set_server_name(ssl, name) == 1
    }

    /// Accepts only a certificate for this IP address. Returns false if the text is not an address.
    func expect(address: String) -> Bool {
        defer { Self.clearErrors() }
        return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), address) == 1
    }

    // MARK: The network side

    /// Queues encrypted bytes from the network; `shakeHands` or `read` must follow.
    func receive(_ bytes: ByteBuffer) {
        if inbound.readableBytes == 0 {
            inbound = bytes
        } else {
            inbound.writeImmutableBuffer(bytes)
        }
    }

    var hasInput: Bool { inbound.readableBytes > 0 }

    /// The number of bytes that wait for `takeOutput`.
    var outputCount: Int { outbound.readableBytes }

    func takeOutput() -> ByteBuffer {
        defer { outbound = ByteBuffer() }
        return outbound
    }

    // MARK: Steps

    func shakeHands() -> Step {
        Self.clearErrors()
        let status = SSL_do_handshake(ssl)
        isOpen = status == 1
        let step = status == 1 ? .done : judge(status)
        Self.clearErrors()
        forgetInput()
        return step
    }

    /// Decrypts all complete records that have arrived, including one whose beginning arrived earlier.
    ///
    /// - Returns: the plain bytes, and `starved`, `closed` or a failure.
    func read(_ allocator: ByteBufferAllocator) -> (plain: ByteBuffer, end: Step) {
        var plain = spare ?? allocator.buffer(capacity: max(inbound.readableBytes, 512))
        spare = nil
        var step: Step
        repeat {
            Self.clearErrors()
            var status: Int32 = 0
            // Reserve space for the rest of a decrypted record, so that it is read in one call.
            let room = max(Int(SSL_pending(ssl)), 256)
            plain.writeWithUnsafeMutableBytes(minimumWritableBytes: room) { target in
                var count = 0
                status = SSL_read_ex(ssl, target.baseAddress, target.count, &count)
                return status == 1 ? count : 0
            }
            if status == 1 { messages = 0 }
            step = status == 1 ? .done : judge(status)
            if messages > Self.mostMessages { step = .failed(.flooded) }
        } while step.isDone
        Self.clearErrors()
        forgetInput()
        if plain.readableBytes == 0 { spare = plain }
        return (plain, step)
    }

    /// Encrypts all of these bytes into the output that `takeOutput` returns.
    func write(_ bytes: ByteBuffer) -> Step {
        let count = bytes.readableBytes
        guard count > 0 else { return .done }
        // Reserve space for the maximum number of bytes that records add.
        outbound.reserveCapacity(minimumWritableBytes: count + (count / Int(SSL3_RT_MAX_PLAIN_LENGTH) + 1) * 64)
        Self.clearErrors()
        var written = 0
        let status = bytes.withUnsafeReadableBytes { SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }
        let step: Step = status == 1 && written == count ? .done : judge(status)
        Self.clearErrors()
        return step
    }

    /// Sends TLS's close_notify; nothing can be written afterwards.
    func end() {
        Self.clearErrors()
        SSL_shutdown(ssl)
        Self.clearErrors()
    }

    /// Releases the input's buffer once it is consumed.
    private func forgetInput() {
        if inbound.readableBytes == 0 { inbound = ByteBuffer() }
    }

    /// Clears the error queue. The queue is mostly empty, and peeking costs much less than clearing.
    private static func clearErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    /// Converts the error of an OpenSSL call to a step.
    private func judge(_ status: Int32) -> Step {
        switch SSL_get_error(ssl, status) {
        case SSL_ERROR_WANT_READ: return .starved
        case SSL_ERROR_ZERO_RETURN: return .closed
        default: break
        }
        let verdict = SSL_get_verify_result(ssl)
        if verdict != Int(X509_V_OK) {
            return .failed(.certificateRefused(String(cString: X509_verify_cert_error_string(verdict))))
        }
        let code = ERR_peek_error()
        let reason = Int(ERR_GET_REASON(code))
        let alerts = Int(SSL_AD_REASON_OFFSET)..<Int(SSL_AD_REASON_OFFSET) + 256
        if alerts.contains(reason) { return .failed(.alert(UInt8(reason - alerts.lowerBound))) }
        return .failed(.refused(ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason given"))
    }

    // MARK: OpenSSL's callbacks

    /// Sets OpenSSL's callbacks in a context. They verify the peer's certificate by the connection's stream, and count
    /// handshake messages.
    static func install(in context: OpaquePointer) {
        SSL_CTX_set_cert_verify_callback(
            context,
            { store, _ in
                let ssl = X509_STORE_CTX_get_ex_data(store, SSL_get_ex_data_X509_STORE_CTX_idx())
                guard let ssl, let stream = TLSStream.of(OpaquePointer(ssl)) else { return 0 }
                return stream.recognises(store) ? 1 : 0
            }, nil)
        SSL_CTX_set_msg_callback(context) { isSent, _, type, _, _, ssl, _ in
            guard isSent == 0, type == SSL3_RT_HANDSHAKE, let stream = TLSStream.of(ssl), stream.isOpen else { return }
            stream.messages += 1
        }
    }

    private static func of(_ ssl: OpaquePointer?) -> TLSStream? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<TLSStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private func recognises(_ store: OpaquePointer?) -> Bool {
        guard let judge else { return X509_verify_cert(store) == 1 }
        let isRight = CertifiedKey.fingerprint(of: X509_STORE_CTX_get0_cert(store), EVP_sha256()).map(judge) ?? false
        X509_STORE_CTX_set_error(store, isRight ? X509_V_OK : X509_V_ERR_CERT_REJECTED)
        return isRight
    }

    /// Copies encrypted input into OpenSSL's buffer.
    ///
    /// - Returns: the number of bytes that fitted.
    func takeInput(_ target: UnsafeMutableRawBufferPointer) -> Int {
        let count = min(target.count, inbound.readableBytes)
        inbound.readWithUnsafeReadableBytes { source in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: source.prefix(count)))
            return count
        }
        return count
    }

    func putOutput(_ bytes: UnsafeRawBufferPointer) { outbound.writeBytes(bytes) }
}

extension TLSStream.Step {
    var isDone: Bool { if case .done = self { true } else { false } }
}
