internal import HelioAdmission
package import HelioCore
package import HelioProtection
package import HelioRendezvous
package import HelioSignaling
package import HelioTLS

/// The settings of a `RendezvousService`.
package struct RendezvousServiceSettings: Sendable {
    /// The TURN servers whose credentials the service hands out.
    package struct TURN: Sendable {
        /// The servers' URLs (RFC 7065), at most 8.
        package var urls: [String]
        /// The secret that the servers share with this one (coturn's `static-auth-secret`).
        package var secret: SecretBytes
        /// The time for which credentials are valid.
        package var life = Duration.seconds(3600)

        package init(urls: [String], secret: SecretBytes) {
            self.urls = urls
            self.secret = secret
        }
    }

    /// The address and port to listen on; port 0 is any free one.
    package var address: String
    package var port: Int
    /// The certificate for TLS; `nil` serves plain HTTP, on loopback or behind a proxy that has TLS.
    package var certificate: CertificateFiles?
    /// The names by which devices know this server, `HOST` or `HOST:PORT`, besides addresses of loopback and
    /// `localhost`. Without any, each name is accepted, and another server could register devices here in their name.
    package var names: [String] = []
    /// The trusted reverse proxies: only their `X-Forwarded-*` headers are used.
    package var proxies: Set<IPAddress> = []
    /// The addresses that may read `/metrics`, besides those of loopback.
    package var observers: Set<IPAddress> = []
    package var turn: TURN?
    /// The NATS servers by which this instance meets others; `nil` for one that is alone.
    package var bus: BusPlace?
    /// The files of the page for browsers; without any, no page is served.
    package var page: [PageFile] = []
    /// The engine's limits. The service itself sets `instance`, `hasStore`, `startsInDoubt`, `turn` and
    /// `drainTime`.
    package var engine = RendezvousServer.Settings()

    /// The numbers for `limit` that hold unless others are set.
    package static let usualDevices = 100_000
    package static let usualNewcomers = 1000
    /// The maximum number of connections of all kinds at once.
    package var maximumConnections = usualDevices
    /// Limits how often devices may connect, and begin TLS handshakes and WebSockets.
    package var strangers = strangers(Double(usualNewcomers))
    /// The unit of the following durations, in which the service looks at all connections.
    package var tick = Duration.seconds(1)
    /// The longest time from the connection to the end of the answer to its request, or to the WebSocket.
    package var requestTimeout = Duration.seconds(15)
    /// The time of silence after which a device is sent a ping. One that is silent for as long again is disconnected.
    package var pingInterval = Duration.seconds(30)
    /// The longest wait for a device to close its side of the connection.
    package var closeTimeout = Duration.seconds(2)
    /// The time between two looks at the files of the certificate.
    package var certificateInterval = Duration.seconds(60)
    /// The time that devices have to leave when the service stops.
    package var drainTime = Duration.seconds(1)
    /// The longest message in bytes, fragmented or not.
    package var maximumMessage = 66 << 10
    /// The maximum number of bytes queued for one device. Beyond it, it is reset; the engine's own limit is lower.
    package var maximumWaiting = 5 << 18
    /// The size of the buffer into which a connection is read, in bytes. Each connection keeps one, also while it is
    /// idle: a device that only registers and answers pings needs no larger one.
    package var receiveBuffer = 512
    /// The size to which that buffer grows while a connection receives more at once, in bytes.
    package var largestReceiveBuffer = 4096

    package init(address: String, port: Int) {
        self.address = address
        self.port = port
        limit(devices: Self.usualDevices, newcomers: Self.usualNewcomers)
    }

    /// Sets the limits that follow from the number of devices.
    ///
    /// - Parameters:
    ///   - devices: the maximum number of connections of all kinds at once.
    ///   - newcomers: the number of connections of all addresses together that may begin in a second. After a restart
    ///     the devices come back at this rate, so it should be what the machine can do.
    package mutating func limit(devices: Int, newcomers: Int) {
        maximumConnections = devices
        engine.mostConnections = devices
        engine.mostDevices = 2 * devices
        engine.mostAddresses = 2 * devices
        strangers = Self.strangers(Double(newcomers))
    }

    /// An office of some hundred devices has one address. The first seconds' connections may come at once.
    private static func strangers(_ newcomers: Double) -> StrangerLimit {
        StrangerLimit(
            arrivals: ArrivalBudget(
                burst: 512, refill: 64, overallBurst: 4 * newcomers * ArrivalBudget.servedCost,
                overallRefill: newcomers * ArrivalBudget.servedCost),
            begun: GuessLimiter(burst: 512, refill: 64, overallBurst: 4 * newcomers, overallRefill: newcomers))
    }
}
