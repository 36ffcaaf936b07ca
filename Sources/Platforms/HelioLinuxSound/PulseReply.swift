internal import CPulse

/// The server's answer to a request; each request fills only some of the properties.
struct PulseReply {
    var devices: [PulseDevice] = []
    /// The names of the default sink and source.
    var defaultSink: String?
    var defaultSource: String?
    var modules: [(index: UInt32, argument: String)] = []
    /// The indices of the sinks to which programs are playing.
    var playedSinks: Set<UInt32> = []
    /// The index of the loaded module; `nil` if no module was loaded.
    var module: UInt32?
}

/// A pending request to the server.
final class PulseQuestion {
    unowned let client: PulseClient
    var reply = PulseReply()
    private let then: (PulseReply) -> Void

    init(_ client: PulseClient, _ then: @escaping (PulseReply) -> Void) {
        self.client = client
        self.then = then
    }

    /// Returns the request whose pointer PulseAudio passes as the last argument of a callback.
    static func of(_ context: UnsafeMutableRawPointer?) -> PulseQuestion? {
        context.map { Unmanaged<PulseQuestion>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Handles libpulse's callback for a list: an entry, or the end of the list.
    static func take<Entry>(
        _ context: UnsafeMutableRawPointer?, _ entry: UnsafePointer<Entry>?, _ end: Int32,
        _ add: (inout PulseReply, Entry) -> Void
    ) {
        guard let question = of(context) else { return }
        if let entry, end == 0 { add(&question.reply, entry.pointee) }
        if end != 0 { question.finish() }
    }

    func finish() {
        guard client.forget(self) else { return }
        then(reply)
    }
}
