#if os(Linux)
internal import CNATS
internal import HelioCore
private import Synchronization

/// A connection to the key-value buckets in JetStream by which instances share durable facts. Its methods block.
///
/// `@unchecked Sendable`: the pointers do not change, and the library's functions are callable from any thread.
final class JetStreamLink: @unchecked Sendable {
    /// The bucket of devices and their permits, and that of blocked devices, which has no expiry.
    static let devices = "heliograph-rendezvous"
    static let blocked = "heliograph-rendezvous-blocked"

    /// The time after its last change for which a fact is kept.
    private static let life = Duration.seconds(400 * 86_400)
    /// The limit in ms for an answer of JetStream.
    private static let patience: Int64 = 2_000
    /// The most changes that wait for their confirmation.
    private static let mostPending: Int64 = 4_096

    private let connection: NATSConnection
    private let stream: OpaquePointer
    private let buckets: (devices: OpaquePointer, blocked: OpaquePointer)
    private let refusals: Refusals

    private final class Refusals: Sendable {
        let count = Mutex(0)
    }

    /// Connects, and makes the buckets that are not there yet.
    init(_ place: BusPlace) throws(NATSFailure) {
        let refusals = Refusals()
        self.refusals = refusals
        connection = try NATSConnection(
            place, name: "heliograph rendezvous store",
            NATSCallbacks.Receiver(refused: { refusals.count.withLock { $0 += 1 } }))
        var options = jsOptions()
        try NATSFailure.check(jsOptions_Init(&options))
        options.Wait = Self.patience
        options.PublishAsync.MaxPending = Self.mostPending
        options.PublishAsync.StallWait = Self.patience
        options.PublishAsync.ErrHandler = NATSCallbacks.refused
        options.PublishAsync.ErrHandlerClosure = NATSCallbacks.closure(connection.number)
        var context: OpaquePointer?
        try NATSFailure.check(natsConnection_JetStream(&context, connection.pointer, &options))
        guard let context else { throw NATSFailure(status: NATS_ERR) }
        stream = context
        var first: OpaquePointer?
        do throws(NATSFailure) {
            let devices = try Self.bucket(Self.devices, life: Self.life, context)
            first = devices
            buckets = (devices, try Self.bucket(Self.blocked, life: .zero, context))
        } catch {
            kvStore_Destroy(first)
            jsCtx_Destroy(context)
            throw error
        }
    }

    deinit {
        kvStore_Destroy(buckets.devices)
        kvStore_Destroy(buckets.blocked)
        jsCtx_Destroy(stream)
    }

    /// Opens a bucket. One that an operator has made stays as it is, with replicas for example.
    private static func bucket(
        _ name: String, life: Duration, _ context: OpaquePointer
    ) throws(NATSFailure) -> OpaquePointer {
        var store: OpaquePointer?
        var status = js_KeyValue(&store, context, name)
        if status == NATS_NOT_FOUND {
            status = name.withCString { text in
                var configuration = kvConfig()
                kvConfig_Init(&configuration)
                configuration.Bucket = text
                configuration.History = 1
                configuration.TTL = life.nanoseconds
                return js_CreateKeyValue(&store, context, &configuration)
            }
        }
        try NATSFailure.check(status)
        guard let store else { throw NATSFailure(status: NATS_ERR) }
        return store
    }

    var isConnected: Bool { connection.isConnected }

    /// Returns the value of a key among the devices; `nil` if there is none.
    func value(_ key: String) throws(NATSFailure) -> [UInt8]? {
        var entry: OpaquePointer?
        let status = kvStore_Get(&entry, buckets.devices, key)
        if status == NATS_NOT_FOUND { return nil }
        try NATSFailure.check(status)
        defer { kvEntry_Destroy(entry) }
        let count = Int(kvEntry_ValueLen(entry))
        guard count > 0, let bytes = kvEntry_Value(entry) else { return [] }
        return Array(UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Returns the keys of the blocked devices.
    func blockedKeys() throws(NATSFailure) -> [String] {
        var list = kvKeysList()
        let status = kvStore_Keys(&list, buckets.blocked, nil)
        if status == NATS_NOT_FOUND { return [] }
        try NATSFailure.check(status)
        defer { kvKeysList_Destroy(&list) }
        return (0..<Int(list.Count)).compactMap { list.Keys[$0].map { String(cString: $0) } }
    }

    /// Writes values of devices, and waits until all are kept. Throws if one is not.
    func write(_ values: [String: [UInt8]]) throws(NATSFailure) {
        refusals.count.withLock { $0 = 0 }
        for (key, value) in values {
            try NATSFailure.check(
                js_PublishAsync(stream, "$KV.\(Self.devices).\(key)", value, Int32(value.count), nil))
        }
        var options = jsPubOptions()
        try NATSFailure.check(jsPubOptions_Init(&options))
        options.MaxWait = Self.patience
        try NATSFailure.check(js_PublishAsyncComplete(stream, &options))
        if refusals.count.withLock({ $0 }) > 0 { throw NATSFailure(status: NATS_NO_SERVER_SUPPORT) }
    }
}
#endif
