internal import HelioCore
package import HelioRendezvousWire

extension RendezvousClient {
    package struct Settings: Sendable {
        /// The host and port that the device dials, in lower case: part of what it signs.
        package var authority: String
        /// True if the device registers, so that others can ring it; false for one that only rings.
        package var registers: Bool
        /// The base of the first wait before a new connection; each further base is twice as long.
        package var firstWait = Duration.milliseconds(250)
        /// The longest base of a wait.
        package var longestWait = Duration.seconds(30)
        /// The time online after which waits begin with the first again.
        package var goodTime = Duration.seconds(10)
        /// The limit for the driver to connect.
        package var connectTime = Duration.seconds(30)
        /// The limit for the server's challenge, and again for its answer to the registration.
        package var greetingTime = Duration.seconds(10)
        /// The limit from `ring` to `ringing`.
        package var ringTime = Duration.seconds(15)
        /// The most calls at once.
        package var mostCalls = 32
        /// The most messages of a call that wait for the connection.
        package var mostHeld = 16

        package init(authority: String, registers: Bool) {
            self.authority = authority
            self.registers = registers
        }
    }

    package enum Input: Sendable {
        /// The WebSocket stands.
        case connected
        /// The WebSocket was lost, closed, or could not be made.
        case disconnected
        /// A whole binary message.
        case received([UInt8])
        /// The whole list of permits, which replaces the previous one. It is published again at each registration.
        case permits([Permit])
        /// Calls a device. `Event.dialled` follows at once, with the call's number; a device that is not online yet is
        /// rung once it is.
        case ring(RendezvousID, RingToken)
        /// A message for a call. Messages of the ringer may be given from `dialled` on.
        case send(CallNumber, [UInt8])
        /// A datagram for a call.
        case data(CallNumber, [UInt8])
        /// Ends a call; no event follows.
        case hangUp(CallNumber, HangUpReason = .ended)
        /// Asks for the presence of a device, from now on, over all connections.
        case watch(RendezvousID, RingToken)
    }

    package enum Output: Sendable, Equatable {
        /// Makes a new WebSocket; `connected` or `disconnected` answers. An older one no longer reports.
        case connect
        /// Closes the WebSocket, after what was sent. The engine takes it as closed.
        case close
        /// Sends a binary message.
        case send([UInt8])
        case event(Event)
    }

    package enum Event: Sendable, Equatable {
        /// The device is registered, or may ring if it does not register.
        case online
        /// The connection is lost, and will be made again after this time.
        case offline(retryIn: Duration)
        /// The number of the call that the last `ring` makes.
        case dialled(CallNumber, RendezvousID)
        /// A call for this device: the permit's tag, and the ringer's address as text.
        case rung(CallNumber, RingTag, address: String)
        /// The host was reached.
        case ringing(CallNumber)
        /// TURN servers for a call, before its `rung` or `ringing`, and the seconds for which they are valid.
        case turn(CallNumber, [TURNEntry], seconds: UInt32)
        case message(CallNumber, [UInt8])
        case data(CallNumber, [UInt8])
        /// A call has ended, by other means than this device's own `hangUp`.
        case hungUp(CallNumber, HangUpReason)
        /// The presence of a watched device, and for how long it has been offline.
        case presence(RendezvousID, PresenceState, Duration)
        /// The server has refused the connection. `offline` follows.
        case refused(RefusalReason)
    }

    /// The state of the connection; each instant is the time at which the engine acts.
    enum Phase {
        /// No connection; the next is made at this time.
        case waiting(until: Instant)
        case connecting(until: Instant)
        /// Connected, waiting for the challenge.
        case greeting(until: Instant)
        case registering(until: Instant)
        case online(since: Instant)
    }

    /// A call of either direction.
    struct Call {
        enum State {
            /// A call that is rung once the device is online, with the messages that wait for this.
            case waiting(RendezvousID, RingToken, held: [[UInt8]])
            case ringing
            case open
        }

        var state: State
        /// The time at which an unanswered ring ends.
        var until: Instant?
    }

    /// A published permit, by the time at which it expires.
    struct KeptPermit {
        let tag: RingTag
        let expires: Instant?
    }
}
