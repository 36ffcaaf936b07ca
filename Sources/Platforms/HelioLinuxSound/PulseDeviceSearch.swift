/// Asks for the devices that there are, one question at a time: what changes meanwhile is asked for once more.
final class PulseDeviceSearch {
    private unowned let client: PulseClient
    private let kind: PulseDevice.Kind
    private let found: (PulseReply) -> Void
    private var isAsking = false
    private var mustAskAgain = false

    /// - Parameter found: takes each answer.
    init(_ client: PulseClient, _ kind: PulseDevice.Kind, found: @escaping (PulseReply) -> Void) {
        self.client = client
        self.kind = kind
        self.found = found
    }

    func begin() {
        guard !isAsking else {
            mustAskAgain = true
            return
        }
        isAsking = true
        client.devices(kind) { [unowned self] reply in
            isAsking = false
            found(reply)
            if mustAskAgain {
                mustAskAgain = false
                begin()
            }
        }
    }

    /// Forgets the question: the connection has broken, and nobody answers.
    func cancel() {
        isAsking = false
        mustAskAgain = false
    }
}
