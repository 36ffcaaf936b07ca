internal import HelioCore
internal import HelioRendezvousWire

extension RendezvousServer {
    /// A device's WebSocket.
    struct Connection {
        let address: IPAddress
        /// The server's name as dialled and the nonce, which a registration has to sign. Both are emptied once the
        /// device is registered, to save memory.
        var authority: String
        var nonce: [UInt8]
        var frames: TokenBucket
        var datagrams: TokenBucket
        /// The time by which the connection has to have a reason to exist.
        var until: Instant
        /// The registered device.
        var device: RendezvousID?
        /// The server's calls by the connection's own numbers.
        var calls: [CallNumber: UInt64] = [:]
        var lastNumber: UInt32 = 0
        var watches: [RendezvousID: Watch] = [:]
        /// The bytes that wait to be written, as the driver says.
        var waiting = 0

        var isNeeded: Bool { device != nil || !calls.isEmpty || !watches.isEmpty }
        var hostCalls: Int { calls.keys.count { $0.isServers } }
    }

    struct Watch {
        var tag: RingTag
        /// The state that the watcher was told last.
        var told: PresenceState?
    }

    /// A device that is online here or elsewhere, or was.
    struct Device {
        enum Place: Equatable {
            case offline
            case here(ConnectionID)
            case there(InstanceID)
        }

        var place = Place.offline
        /// The time at which the device was last online; kept up only while it is offline.
        var lastSeen: Instant
        /// The expiry of each permit; `.some(nil)` if it has none.
        var permits: [RingTag: PermitEnd] = [:]
        /// True if the store alone has the permits, as nobody needs them here.
        var permitsAreStored = false
        var rings: TokenBucket
        var lists: TokenBucket
        /// The number of the last registration, and the instance at which it was.
        var epoch: UInt64 = 0
        var holder: InstanceID?

        func permits(_ tag: RingTag, now: Instant) -> Bool { permits[tag].map { $0.isValid(now) } ?? false }
    }

    enum PermitEnd: Equatable {
        case never
        case at(Instant)

        init(_ permit: Permit, now: Instant) {
            self = permit.seconds == 0 ? .never : .at(now + .seconds(Int(permit.seconds)))
        }

        func isValid(_ now: Instant) -> Bool {
            switch self {
            case .never: true
            case .at(let end): now < end
            }
        }

        /// The seconds that are left, at least 1; 0 for a permit that never expires.
        func secondsLeft(_ now: Instant) -> UInt32 {
            switch self {
            case .never: 0
            case .at(let end): max(1, UInt32(clamping: Int((end - now).inSeconds.rounded(.up))))
            }
        }
    }

    /// One end of a call: a connection of this instance, or a call of another one.
    enum Side: Equatable {
        case here(ConnectionID, CallNumber)
        case there(InstanceID, UInt64)
    }

    struct Call {
        let device: RendezvousID
        let tag: RingTag
        let ringer: Side
        /// The ringer's address as text.
        let address: String
        /// The host's end; `nil` until it is reached.
        var host: Side?
        /// The instance that was asked for the host.
        var asked: InstanceID?
        /// The ringer's messages until the host is reached.
        var held: [[UInt8]] = []
        /// The time at which a call whose host is not reached ends.
        var until: Instant?
        var messages: TokenBucket
        var messageBytes: ByteBudget
        var data: ByteBudget
    }

    /// The state of an address, or of an IPv6 network.
    struct Origin {
        var connections = 0
        var rings: TokenBucket
        var guesses: TokenBucket
        var newDevices: TokenBucket
        var storeQuestions: TokenBucket
        var lastUse: Instant

        /// True if forgetting the address would give it nothing that it has used up.
        func isForgettable(now: Instant) -> Bool {
            connections == 0 && now - lastUse >= RendezvousServer.addressMemory && newDevices.isFull(now: now)
        }
    }

    /// Another instance.
    struct Peer {
        var heard: Instant
        /// The number of its last record that is known; `nil` until its devices are.
        var number: UInt64?
        /// The time of the last question for its devices.
        var asked: Instant?
    }
}
