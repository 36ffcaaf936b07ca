internal import HelioCore
package import HelioTURN

extension RendezvousServer {
    /// TURN servers with a common secret, whose credentials both ends of a call get.
    package struct TURN: Sendable {
        /// The servers' URLs (RFC 7065); those beyond 8 are not used.
        package var urls: [String]
        package var secret: TURNSharedSecret
        /// The lifetime of credentials, as the secret has it.
        package var life: Duration

        package init(urls: [String], secret: TURNSharedSecret, life: Duration) {
            self.urls = urls
            self.secret = secret
            self.life = life
        }
    }

    package struct Settings: Sendable {
        /// This instance among those that a bus joins; `nil` without a bus.
        package var instance: InstanceID?
        /// True if unknown devices are asked for at a store.
        package var hasStore = false
        /// True if the server may have known devices before its start that it does not know now.
        package var startsInDoubt = false
        /// The time after such a start, and after a failure of the store, in which a device that is not known counts as
        /// one that is offline: it may come back.
        package var doubtTime = Duration.seconds(60)
        package var turn: TURN?

        // The server.
        package var mostConnections = 100_000
        package var mostDevices = 200_000
        package var mostAddresses = 200_000
        package var mostStoreQuestions = 4_096
        package var mostInstances = 64
        /// The time from the request to drain to the end of the last connections.
        package var drainTime = Duration.seconds(30)

        // An address: an IPv4 address or an IPv6 network of 64 bits.
        package var connectionsOfAddress = 512
        package var ringsOfAddress = Rate(burst: 60, perSecond: 2)
        package var guessesOfAddress = Rate(burst: 20, perSecond: 0.1)
        /// The registrations of devices that the server does not know: anybody can make keys.
        package var newDevicesOfAddress = Rate(burst: 512, perSecond: 0.1)
        /// The watches for which the store has to be asked; rings have a limit of their own.
        package var storeQuestionsOfAddress = Rate(burst: 1_024, perSecond: 8)

        // A connection.
        /// All frames but the datagrams of calls; a connection that sends more ends.
        package var framesOfConnection = Rate(burst: 8_192, perSecond: 4_096)
        /// The datagrams of all calls together: those of as many as a device may have, of 1200 bytes each.
        package var datagramsOfConnection = Rate(burst: 16_384, perSecond: 16_384)
        package var callsOfConnection = 32
        /// The time in which a new connection has to register, ring or watch.
        package var greetingTime = Duration.seconds(10)
        /// The time after which a connection that is not registered, and has no call and no watch, ends.
        package var idleTime = Duration.seconds(120)
        /// The bytes that wait for a connection, above which datagrams for it are dropped.
        package var waitingForData = 64 << 10
        /// The bytes that wait for a connection, above which calls with messages for it end.
        package var waitingForMessages = 384 << 10
        /// The bytes that wait for a connection, above which it ends.
        package var mostWaiting = 1 << 20

        // A device.
        package var callsOfDevice = 16
        package var ringsOfDevice = Rate(burst: 30, perSecond: 1)
        package var watchersOfDevice = 256
        package var permitsOfDevice = Rate(burst: 60, perSecond: 1)

        // A call, both directions together.
        package var messagesOfCall = Rate(burst: 256, perSecond: 32)
        package var messageBytesOfCall = Rate(burst: 1 << 20, perSecond: 65_536)
        package var dataOfCall = Rate(burst: 512 << 10, perSecond: 1_048_576)
        /// The most messages that wait until the host is reached, and the most bytes of them: nobody knows yet whether
        /// the ringer may ring.
        package var heldOfCall = 16
        package var heldBytesOfCall = 128 << 10
        /// The limit for another instance and the store to answer a ring.
        package var reachTime = Duration.seconds(5)

        // The bus.
        package var aliveInterval = Duration.seconds(2)
        /// The time without a sign of life after which an instance counts as lost.
        package var instanceTime = Duration.seconds(7)

        package init() {}
    }

    /// A rate limit: a burst at once, and a number a second afterwards.
    package struct Rate: Sendable, Hashable {
        package var burst: Int
        package var perSecond: Double

        package init(burst: Int, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }

        var bucket: TokenBucket { TokenBucket(burst: burst, perSecond: perSecond) }

        func bytes(now: Instant) -> ByteBudget { ByteBudget(burst: burst, perSecond: Int(perSecond), now: now) }
    }
}
