import COpenSSL
import HelioOpenSSL

/// Plain OpenSSL as the peer: it can do what no regular peer does.
final class BarePeer {
    struct Failure: Error {}

    private let context: OpaquePointer
    let ssl: OpaquePointer
    private let input: OpaquePointer
    private let output: OpaquePointer
    /// The secret with which a TLS 1.3 client protects its data.
    private(set) var clientSecret: [UInt8] = []

    /// - Parameters:
    ///   - identity: the server's identity; `nil` makes a client that accepts any certificate.
    ///   - newest: the highest TLS version.
    init(_ identity: CertifiedKey? = nil, newest: Int32 = TLS1_3_VERSION) throws {
        guard let context = SSL_CTX_new(TLS_method()) else { throw Failure() }
        SSL_CTX_set_security_level(context, 0)
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_VERSION), nil)
        _ = SSL_CTX_ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, Int(newest), nil)
        if let identity {
            SSL_CTX_use_certificate(context, identity.certificate)
            SSL_CTX_use_PrivateKey(context, identity.key)
        }
        SSL_CTX_set_keylog_callback(context) { ssl, line in
            guard let line, let peer = SSL_get_ex_data(ssl, 0) else { return }
            Unmanaged<BarePeer>.fromOpaque(peer).takeUnretainedValue().note(String(cString: line))
        }
        guard let ssl = SSL_new(context), let input = BIO_new(BIO_s_mem()), let output = BIO_new(BIO_s_mem()) else {
            throw Failure()
        }
        self.context = context
        self.ssl = ssl
        self.input = input
        self.output = output
        SSL_set_bio(ssl, input, output)
        if identity == nil { SSL_set_connect_state(ssl) } else { SSL_set_accept_state(ssl) }
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        SSL_free(ssl)
        SSL_CTX_free(context)
        ERR_clear_error()
    }

    private func note(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count == 3, words[0] == "CLIENT_TRAFFIC_SECRET_0" else { return }
        let digits = Array(words[2])
        clientSecret = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(digits[$0...$0 + 1]), radix: 16)
        }
    }

    func take(_ bytes: [UInt8]) { if !bytes.isEmpty { BIO_write(input, bytes, Int32(bytes.count)) } }

    func give() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(output))
        if !bytes.isEmpty { BIO_read(output, &bytes, Int32(bytes.count)) }
        return bytes
    }

    /// Performs the handshake with an end, as far as possible.
    func shakeHands(with end: TLSEnd) throws {
        for _ in 1...6 {
            take(end.plug.take())
            SSL_do_handshake(ssl)
            try end.receive(give())
        }
        ERR_clear_error()
    }

    /// - Returns: whether all bytes were written.
    func write(_ bytes: [UInt8]) -> Bool { SSL_write(ssl, bytes, Int32(bytes.count)) == bytes.count }

    /// Returns the decrypted bytes received so far.
    func read() -> [UInt8] {
        var all: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16384)
        while true {
            let count = SSL_read(ssl, &piece, Int32(piece.count))
            guard count > 0 else { return all }
            all += piece.prefix(Int(count))
        }
    }

    /// Updates the sending keys repeatedly.
    func updateKeys(_ count: Int) {
        for _ in 0..<count {
            SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED)
            SSL_do_handshake(ssl)
        }
    }
}
