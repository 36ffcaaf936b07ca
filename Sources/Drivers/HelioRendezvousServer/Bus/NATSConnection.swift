#if os(Linux)
internal import CNATS
internal import HelioCore
internal import HelioProtection

/// A failure that the NATS library reports.
struct NATSFailure: Error {
    let status: natsStatus

    /// The reason in words, for a message to the operator.
    var words: String {
        switch status {
        case NATS_NO_SERVER: "nothing answers there"
        case NATS_CONNECTION_AUTH_FAILED: "it refuses the credentials"
        case NATS_NOT_PERMITTED: "it does not permit this user the subjects \(NATSBus.prefix)>"
        case NATS_SECURE_CONNECTION_WANTED: "it has no TLS"
        case NATS_SECURE_CONNECTION_REQUIRED: "it wants TLS"
        case NATS_SSL_ERROR: "no authority that is trusted has signed its certificate, or it is another server's"
        case NATS_TIMEOUT: "it does not answer"
        case NATS_NO_RESPONDERS: "it keeps nothing, as it runs without JetStream"
        case NATS_NO_SERVER_SUPPORT: "it refuses to keep something; is its disk full?"
        default: natsStatus_GetText(status).map { String(cString: $0) } ?? "status \(status.rawValue)"
        }
    }

    /// Throws unless the status is `NATS_OK`.
    static func check(_ status: natsStatus) throws(NATSFailure) {
        if status != NATS_OK { throw NATSFailure(status: status) }
    }
}

/// A connection to a NATS server, which ends when it is lost: its owner makes another one, so that no message of long
/// ago is sent after a loss.
///
/// Its methods block, within `patience`. `@unchecked Sendable`: the library's functions are callable from any thread.
final class NATSConnection: @unchecked Sendable {
    /// The limits in ms for a connection, and for a write that blocks; and the time between two signs of life.
    private static let patience: Int64 = 1_000
    private static let pingInterval: Int64 = 2_000
    private static let mostPings: Int32 = 2

    let pointer: OpaquePointer
    let number: UInt
    /// Added to by the owner's thread alone, before anybody else has the connection.
    private var subscriptions: [OpaquePointer?] = []

    /// Connects to one of the servers. Blocks.
    ///
    /// - Parameter name: shown by the NATS server's tools.
    init(_ place: BusPlace, name: String, _ receiver: NATSCallbacks.Receiver) throws(NATSFailure) {
        let number = NATSCallbacks.add(receiver)
        do throws(NATSFailure) {
            pointer = try Self.connect(place, name, NATSCallbacks.closure(number))
        } catch {
            NATSCallbacks.remove(number)
            throw error
        }
        self.number = number
    }

    deinit {
        NATSCallbacks.remove(number)
        for subscription in subscriptions { natsSubscription_Destroy(subscription) }
        natsConnection_Destroy(pointer)
    }

    private static func connect(
        _ place: BusPlace, _ name: String, _ closure: UnsafeMutableRawPointer?
    ) throws(NATSFailure) -> OpaquePointer {
        var options: OpaquePointer?
        try NATSFailure.check(natsOptions_Create(&options))
        defer { natsOptions_Destroy(options) }
        let set = [
            withStrings(place.servers) { natsOptions_SetServers(options, $0, Int32(place.servers.count)) },
            natsOptions_SetName(options, name),
            natsOptions_SetAllowReconnect(options, false),
            natsOptions_SetTimeout(options, patience),
            natsOptions_SetWriteDeadline(options, patience),
            natsOptions_SetPingInterval(options, pingInterval),
            natsOptions_SetMaxPingsOut(options, mostPings),
            // An instance does not hear what it says to everyone itself.
            natsOptions_SetNoEcho(options, true),
            // One thread hands on the messages of all subjects, which keeps the order among them.
            natsOptions_UseGlobalMessageDelivery(options, true),
            natsOptions_SetClosedCB(options, NATSCallbacks.closed, closure),
            natsOptions_SetErrorHandler(options, NATSCallbacks.error, closure),
        ]
        for status in set { try NATSFailure.check(status) }
        try prove(place, options)
        var connection: OpaquePointer?
        try NATSFailure.check(natsConnection_Connect(&connection, options))
        guard let connection else { throw NATSFailure(status: NATS_ERR) }
        return connection
    }

    private static func prove(_ place: BusPlace, _ options: OpaquePointer?) throws(NATSFailure) {
        if place.isSecure { try NATSFailure.check(natsOptions_SetSecure(options, true)) }
        if let file = place.authorities {
            try NATSFailure.check(natsOptions_LoadCATrustedCertificates(options, file))
        }
        switch place.credentials {
        case .file(let path): try NATSFailure.check(natsOptions_SetUserCredentialsFromFiles(options, path, nil))
        case .user(let name, let password):
            try NATSFailure.check(natsOptions_SetUserInfo(options, name, password.text))
        case .token(let token): try NATSFailure.check(natsOptions_SetToken(options, token.text))
        case nil: break
        }
    }

    /// Calls a function with an array of C strings, which are valid meanwhile.
    private static func withStrings(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafePointer<CChar>?>) -> natsStatus
    ) -> natsStatus {
        let bytes = strings.map { Array($0.utf8CString) }
        let copies = bytes.map { text in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.count)
            _ = copy.initialize(from: text)
            return copy
        }
        defer { for copy in copies { copy.deallocate() } }
        var pointers = copies.map { UnsafePointer<CChar>($0.baseAddress) }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return NATS_INVALID_ARG }
            return body(base)
        }
    }

    var isConnected: Bool { natsConnection_Status(pointer) == NATS_CONN_STATUS_CONNECTED }

    /// Hands the receiver the messages of a subject.
    ///
    /// - Parameters:
    ///   - most: the most messages that wait for the receiver, and their bytes.
    func subscribe(_ subject: String, most: Int, bytes: Int) throws(NATSFailure) {
        var subscription: OpaquePointer?
        try NATSFailure.check(
            natsConnection_Subscribe(
                &subscription, pointer, subject, NATSCallbacks.message, NATSCallbacks.closure(number)))
        subscriptions.append(subscription)
        try NATSFailure.check(natsSubscription_SetPendingLimits(subscription, Int32(most), Int32(bytes)))
    }

    func publish(_ subject: String, _ bytes: [UInt8]) throws(NATSFailure) {
        try NATSFailure.check(natsConnection_Publish(pointer, subject, bytes, Int32(bytes.count)))
    }

    /// Waits until the server has taken everything that was published.
    func flush(within limit: Duration) throws(NATSFailure) {
        try NATSFailure.check(natsConnection_FlushTimeout(pointer, max(1, limit.nanoseconds / 1_000_000)))
    }
}
#endif
