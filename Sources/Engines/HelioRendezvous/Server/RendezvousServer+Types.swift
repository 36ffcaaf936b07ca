package import HelioCore
package import HelioRendezvousWire

extension RendezvousServer {
    package enum Input: Sendable {
        /// A device's WebSocket stands, from this address.
        ///
        /// - authority: the host and port that the device has dialled, in lower case: one of this server's. A
        ///   registration has to be signed for it.
        case opened(ConnectionID, IPAddress, authority: String)
        /// A whole binary message.
        case received(ConnectionID, [UInt8])
        /// The number of bytes that wait to be written to a connection now. A driver that never says so has to bound
        /// the connection's queue by itself.
        case waiting(ConnectionID, bytes: Int)
        /// A WebSocket was lost or closed by the device. After the engine's own `close`, the input may be left out.
        case closed(ConnectionID)
        case bus(BusMessage)
        /// Messages of the bus may have been lost, as it was away or too fast: the other instances are asked for their
        /// devices again.
        case busInterrupted
        /// The answer to `StoreOrder.load`; `nil` if the store does not know the device.
        case stored(RendezvousID, DeviceFacts?)
        /// The store could not be read, or has not taken a change; the answer to each question follows all the same.
        case storeFailed
        /// The devices that may not register, instead of those before.
        case blocked(Set<RendezvousID>)
        /// Asks all devices to leave, before the server ends.
        case drain
    }

    package enum Output: Sendable, Equatable {
        case send(ConnectionID, [UInt8])
        /// Closes a connection, after what was sent to it.
        case close(ConnectionID)
        case bus(BusOrder)
        case store(StoreOrder)
        case event(Event)
    }

    /// A store's record of a device.
    package struct DeviceFacts: Sendable, Equatable {
        /// The permits, with the time that is left of them.
        package var permits: [Permit]
        /// The time since the device was last online.
        package var lastSeen: Duration

        package init(permits: [Permit], lastSeen: Duration) {
            self.permits = permits
            self.lastSeen = lastSeen
        }
    }

    package enum StoreOrder: Sendable, Equatable {
        /// The device is online.
        case seen(RendezvousID, publicKey: [UInt8])
        /// The device was online until now.
        case left(RendezvousID)
        /// The device's permits, from now on, instead of those before.
        case permits(RendezvousID, [Permit])
        /// Asks what is known of a device; `Input.stored` answers.
        case load(RendezvousID)
    }

    /// An event, for logs and tests.
    package enum Event: Sendable, Equatable {
        case registered(RendezvousID, IPAddress)
        case offline(RendezvousID)
        /// A connection is refused.
        case refused(ConnectionID, RefusalReason)
        case instanceFound(InstanceID)
        case instanceLost(InstanceID)
        /// After `drain`: no connection is left.
        case drained
    }

    package struct Statistics: Sendable {
        /// The number of connections, registered devices, calls and other instances now.
        package internal(set) var connections = 0
        package internal(set) var registered = 0
        package internal(set) var calls = 0
        package internal(set) var instances = 0
        /// The number of registrations, and of calls whose host was reached, since the start.
        package internal(set) var registrations = 0
        package internal(set) var reached = 0
        /// The number of messages and datagrams passed on to a device, and of their bytes.
        package internal(set) var messages = 0
        package internal(set) var datagrams = 0
        package internal(set) var bytes = 0
        package internal(set) var drops = DropCounter<RendezvousServerDrop>()
    }
}
