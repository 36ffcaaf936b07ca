package import HelioStores

/// How a `LocalSignalingService` is set up.
package struct LocalSignalingSettings: Sendable {
    /// The address to listen on.
    package var address: String
    package var port: PortChoice
    /// With one, the page comes by `https:` and nothing by `http:`.
    package var identity: Identity?
    /// What is served, and nothing else.
    package var files: [PageFile]
    /// Names of this machine that a request may call it by, beside its addresses and `localhost`. For each, its first
    /// label and that with `.local` do as well.
    package var names: [String]

    /// Connections at once, whatever they do. Beyond, strangers make room.
    package var maximumConnections = 256
    /// So long may a request take to come, TLS included; and the next one.
    package var requestTimeout = Duration.seconds(10)
    /// So long may an answer take to be read.
    package var answerTimeout = Duration.seconds(20)
    /// So long is waited for the other end's part in closing.
    package var closeTimeout = Duration.seconds(2)
    /// Who does not answer a ping until the next one is gone.
    package var pingInterval = Duration.seconds(20)
    /// In bytes, fragmented or not.
    package var maximumMessage = 64 << 10
    package var messageBurst = 100
    package var messagesPerSecond = 20.0
    /// What tells somebody who sends more, before the end.
    package var floodNotice = Array(#"{"type":"error","message":"Too many messages."}"#.utf8)
    /// Bytes that may wait to be taken by one connection.
    package var maximumWaiting = 256 << 10

    package init(
        address: String, port: PortChoice = .preferably(8080), identity: Identity? = nil, files: [PageFile],
        names: [String] = HostNames.ofThisMachine()
    ) {
        self.address = address
        self.port = port
        self.identity = identity
        self.files = files
        self.names = names
    }
}
