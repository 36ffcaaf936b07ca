/// Requests the list of devices, with one request at a time; a change during a request triggers another request.
final class PulseDeviceSearch {
    private unowned let client: PulseClient
    private let kind: PulseDevice.Kind
    private let found: (PulseReply) -> Void
    private var isAsking = false
    private var mustAskAgain = false

    /// - Parameter found: called with each list of devices, on the connection's thread.
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

    /// Forgets the pending request, which a broken connection will not answer.
    func cancel() {
        isAsking = false
        mustAskAgain = false
    }
}
