/// Requests the list of devices, one request at a time: a change during a request leads to another one.
final class PulseDeviceSearch {
    private unowned let client: PulseClient
    private let kind: PulseDevice.Kind
    private let found: (PulseReply) -> Void
    private var isAsking = false
    private var mustAskAgain = false

    /// - Parameter found: called on the connection's thread with each list of devices.
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

    /// Drops the open request, which a broken connection will not answer.
    func cancel() {
        isAsking = false
        mustAskAgain = false
    }
}
