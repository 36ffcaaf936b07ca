import COpenSSL
import HelioCore
import HelioProtection

/// A DTLS association: an `SSL` with queues of inbound records and outbound datagrams.
///
/// OpenSSL's retransmission timer runs on the system's clock. Before OpenSSL 3.2 the timer is set so far ahead that it
/// never expires by itself, and is forced to expire when ``DTLSRetransmission`` is due. From 3.2 on the timer can't be
/// forced: it uses the schedule's intervals, and `deadline` follows it (`OpenSSLTimer`).
///
/// Every call to OpenSSL begins and ends with an empty error queue, as the whole thread shares that queue.
final class OpenSSLDTLSTransport: DTLSTransport {
    private enum State {
        case handshaking, connected, over
    }

    /// The maximum number of queued events, beyond which the peer's messages are dropped.
    private static let capacity = 256

    private(set) var drops = DropCounter<DTLSDrop>()
    let cookie: SecretBytes

    private let ssl: OpaquePointer
    private let bio: DatagramBIO
    private let provider: OpenSSLDTLS
    private let role: DTLSRole
    private let schedule: DTLSRetransmission.Schedule
    private let timer: OpenSSLTimer
    private let accepted: [DTLSFingerprint]
    private let limit: Instant
    private var retransmission: DTLSRetransmission
    private var state = State.handshaking
    private var peer: DTLSFingerprint?
    private var hasSeenStranger = false
    private var hasNewFlight = false
    private var events: [DTLSOutput] = []

    init(
        _ provider: OpenSSLDTLS, _ configuration: DTLSConfiguration, timer: OpenSSLTimer = .ofThisLibrary, now: Instant
    ) throws(DTLSError) {
        guard !configuration.expected.isEmpty else { throw .noFingerprint }
        guard DTLSConfiguration.mtus.contains(configuration.mtu) else { throw .badMTU(configuration.mtu) }
        defer { Self.clearErrors() }
        guard let ssl = SSL_new(provider.context) else { throw .failed(operation: "SSL_new") }
        guard let bio = DatagramBIO(mtu: configuration.mtu) else {
            SSL_free(ssl)
            throw .failed(operation: "BIO_new")
        }
        SSL_set_bio(ssl, bio.pointer, bio.pointer)
        self.ssl = ssl
        self.bio = bio
        self.provider = provider
        self.timer = timer
        role = configuration.role
        schedule = configuration.retransmission
        accepted = DTLSFingerprint.deciding(among: configuration.expected)
        limit = now + configuration.handshakeLimit
        retransmission = DTLSRetransmission(configuration.retransmission)
        var generator = SecureGenerator()
        cookie = SecretBytes(count: 32, using: &generator)
        // `deinit` frees the `SSL` from here on, also if this initialiser throws.
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        DTLS_set_timer_cb(ssl) { ssl, last in
            OpenSSLDTLSTransport.of(ssl)?.interval(after: last) ?? 1_000_000
        }
        // OpenSSL's MTU calculation omits the bytes that AES-GCM adds to the last message of a flight.
        guard helio_ssl_set_mtu(ssl, configuration.mtu - DTLSRecord.mostOverhead + DTLSRecord.headerLength) == 1 else {
            throw .failed(operation: "SSL_set_mtu")
        }
        let profiles = configuration.srtpProfiles.map(\.nameInOpenSSL).joined(separator: ":")
        // Unlike the rest of OpenSSL, this returns 0 for success.
        guard profiles.isEmpty || SSL_set_tlsext_use_srtp(ssl, profiles) == 0 else {
            throw .failed(operation: "SSL_set_tlsext_use_srtp")
        }
        switch role {
        case .client: SSL_set_connect_state(ssl)
        case .server:
            SSL_set_accept_state(ssl)
            if configuration.asksForCookie { helio_ssl_ask_for_cookie(ssl) }
        }
        if role == .client {
            continueHandshake()
            reschedule(now: now)
        }
    }

    deinit { SSL_free(ssl) }

    /// Clears the error queue. The queue is mostly empty, and peeking costs much less than clearing.
    private static func clearErrors() {
        if ERR_peek_error() != 0 { ERR_clear_error() }
    }

    var deadline: Deadline? {
        guard state == .handshaking else { return nil }
        let flight = retransmission.due.map { Deadline(at: $0, why: "DTLS flight unanswered") }
        return .earliest(flight, Deadline(at: limit, why: "DTLS handshake's end"))
    }

    func handle(_ datagram: [UInt8], now: Instant) {
        var offset = 0
        repeat {
            guard state != .over else { return drops.count(.afterEnd) }
            let record: DTLSRecord
            do throws(DTLSDrop) {
                record = try DTLSRecord(in: datagram.span.bytes, at: offset)
            } catch {
                drops.count(error)
                break
            }
            offset = record.range.upperBound
            let refusal = record.refusal(
                in: datagram.span.bytes, isConnected: state == .connected, shortestProtected: shortestProtected)
            if let refusal {
                drops.count(refusal)
                continue
            }
            datagram.withUnsafeBytes { bytes in
                bio.offer(UnsafeRawBufferPointer(rebasing: bytes[record.range])) { read(record) }
            }
        } while offset < datagram.count
        reschedule(now: now)
    }

    /// The length of the shortest protected record in bytes: the overhead of AES-GCM, or only the tag if the cipher is
    /// ChaCha20-Poly1305. Shorter records are dropped, as OpenSSL 3.0.19 would end the association, and anybody can
    /// forge one.
    private var shortestProtected: Int {
        let cipher = SSL_get_pending_cipher(ssl) ?? SSL_get_current_cipher(ssl)
        let isChaCha = cipher.map { SSL_CIPHER_get_cipher_nid($0) == NID_chacha20_poly1305 } ?? false
        return isChaCha ? aeadTagLength : DTLSRecord.gcmOverhead
    }

    func tick(now: Instant) {
        guard state == .handshaking else { return }
        if now >= limit { return fail(.timedOut) }
        guard let due = retransmission.due, due <= now else { return }
        if case .forced = timer {
            guard retransmission.backOff(now: now) else { return fail(.timedOut) }
            if let timer = bio.timer { helio_ssl_expire(timer) }
        }
        Self.clearErrors()
        if helio_ssl_handle_timeout(ssl) < 0 { fail(.timedOut) }
        Self.clearErrors()
        reschedule(now: now)
    }

    func poll() -> DTLSOutput? {
        if let datagram = bio.takeFirst() { return .datagram(datagram) }
        return events.isEmpty ? nil : events.removeFirst()
    }

    func send(_ data: [UInt8]) throws(DTLSError) {
        guard state == .connected else { throw .notConnected }
        guard (1...DTLSRecord.largestData).contains(data.count) else { throw .badLength(data.count) }
        guard bio.outbound.count < DatagramBIO.capacity else { throw .queueFull }
        Self.clearErrors()
        let status = SSL_write(ssl, data, Int32(data.count))
        Self.clearErrors()
        guard status == data.count else { throw .failed(operation: "SSL_write") }
    }

    func close() {
        guard state != .over else { return }
        if state == .connected { sayGoodbye() }
        end(.closed)
    }

    // MARK: OpenSSL's callbacks

    static func of(_ ssl: OpaquePointer?) -> OpenSSLDTLSTransport? {
        SSL_get_ex_data(ssl, 0).map { Unmanaged<OpenSSLDTLSTransport>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Checks the peer's certificate against the accepted fingerprints.
    func recognise(_ certificate: OpaquePointer?) -> Bool {
        peer = accepted.first { DTLSIdentity.fingerprint(of: certificate, $0.hash) == $0 }
        if peer == nil { hasSeenStranger = true }
        return peer != nil
    }

    /// Returns the next interval for OpenSSL's timer in microseconds. `last` is the previous interval, or 0 when a
    /// flight begins.
    private func interval(after last: UInt32) -> UInt32 {
        if last == 0 { hasNewFlight = true }
        return timer.interval(after: last, schedule)
    }

    // MARK: Handshake, data and errors

    private func read(_ record: DTLSRecord) {
        switch state {
        case .handshaking: continueHandshake()
        case .connected:
            // The fragment's length suffices, as the plaintext is shorter.
            let count = readData(longest: record.fragment.count, onlyPending: true)
            if count == 0, state == .connected, record.type == .applicationData { drops.count(.refused) }
        case .over: break
        }
    }

    private func continueHandshake() {
        Self.clearErrors()
        let status = SSL_do_handshake(ssl)
        if status == 1 { connect() } else { judge(status) }
        Self.clearErrors()
    }

    private func connect() {
        guard let peer else { return fail(.wrongFingerprint) }
        var keys: SRTPKeyPair?
        if let chosen = SSL_get_selected_srtp_profile(ssl) {
            keys = SRTPProfile(openSSL: chosen.pointee.id).flatMap { exportKeys($0) }
            guard keys != nil else { return fail(.refused("no SRTP keys")) }
        }
        let cipher = SSL_CIPHER_get_name(SSL_get_current_cipher(ssl)).map { String(cString: $0) } ?? ""
        state = .connected
        retransmission.stop()
        events.append(.connected(DTLSSession(peer: peer, srtp: keys, cipher: cipher)))
        // Read data that arrived out of order, before the last flight.
        _ = readData(longest: DTLSRecord.largestData, onlyPending: false)
    }

    private func exportKeys(_ profile: SRTPProfile) -> SRTPKeyPair? {
        var bytes = [UInt8](repeating: 0, count: SRTPKeyPair.exportedLength(profile))
        let label = SRTPKeyPair.exporterLabel
        guard SSL_export_keying_material(ssl, &bytes, bytes.count, label, label.utf8.count, nil, 0, 0) == 1 else {
            return nil
        }
        return SRTPKeyPair(profile, exported: SecretBytes(bytes), role: role)
    }

    /// Reads the peer's data; returns the number of records.
    ///
    /// - Parameters:
    ///   - longest: the maximum length of a record's data in bytes.
    ///   - onlyPending: true to continue after the first record only if OpenSSL reports pending data. False to read
    ///     until there is no more data: OpenSSL does not report data that arrived before the handshake's end.
    private func readData(longest: Int, onlyPending: Bool) -> Int {
        var count = 0
        repeat {
            Self.clearErrors()
            var status: Int32 = 0
            let data = [UInt8](unsafeUninitializedCapacity: longest) { buffer, filled in
                status = SSL_read(ssl, buffer.baseAddress, Int32(buffer.count))
                filled = max(0, Int(status))
            }
            guard status > 0 else {
                judge(status)
                break
            }
            count += 1
            if events.count < Self.capacity { events.append(.data(data)) } else { drops.count(.queueFull) }
        } while state == .connected && (!onlyPending || SSL_has_pending(ssl) == 1)
        Self.clearErrors()
        return count
    }

    /// Handles a failed OpenSSL call: does nothing for a retry, otherwise closes the association or fails it with the
    /// reason.
    private func judge(_ status: Int32) {
        switch SSL_get_error(ssl, status) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: break
        case SSL_ERROR_ZERO_RETURN where state == .connected:
            sayGoodbye()
            end(.closed)
        case SSL_ERROR_ZERO_RETURN: fail(.closedByPeer)
        default:
            let code = ERR_peek_error()
            let reason = Int(ERR_GET_REASON(code))
            let alerts = Int(SSL_AD_REASON_OFFSET)..<Int(SSL_AD_REASON_OFFSET) + 256
            if hasSeenStranger {
                fail(.wrongFingerprint)
            } else if alerts.contains(reason) {
                fail(.alert(UInt8(reason - alerts.lowerBound)))
            } else {
                fail(.refused(ERR_reason_error_string(code).map { String(cString: $0) } ?? "no reason given"))
            }
        }
    }

    private func sayGoodbye() {
        Self.clearErrors()
        SSL_shutdown(ssl)
        Self.clearErrors()
    }

    private func fail(_ failure: DTLSFailure) { end(.failed(failure)) }

    private func end(_ event: DTLSOutput) {
        state = .over
        retransmission.stop()
        events.append(event)
    }

    /// Sets the deadline from OpenSSL's timer if the deadline follows it; otherwise restarts the schedule if a new
    /// flight has begun.
    private func reschedule(now: Instant) {
        let lost = bio.takeLost()
        if lost > 0 { drops.count(.queueFull, lost) }
        guard state == .handshaking else { return }
        let left = helio_ssl_time_left(ssl)
        if left < 0 {
            retransmission.stop()
        } else if case .followed = timer {
            retransmission.wait(until: now + .microseconds(left))
        } else if hasNewFlight {
            retransmission.start(now: now)
        }
        hasNewFlight = false
    }
}
