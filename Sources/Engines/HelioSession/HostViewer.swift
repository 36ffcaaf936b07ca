package import HelioAdmission
package import HelioCore
package import HelioProtection
package import HelioRemote

/// One viewer at the host, whatever its signalling: its identity, its permission to drive, and its channels.
///
/// A native viewer's `SourceSession` and a browser's session each have a `HostViewer`, and add signalling and media
/// transport.
package struct HostViewer: Sendable {
    /// An output of a viewer's session that its host must act on.
    package enum Demand: Sendable {
        case control(HostControl.Input)
        case event(HostEvent)
        /// The viewer was admitted by the link, which is now used up.
        case usedLink
        case transfer(TransferDemand)
    }

    /// The time limit for admission, after which the connection is closed.
    package static let admissionTime = Duration.seconds(20)

    package let id: ConnectionID
    /// The viewer's address as text, which is shown to the host's user, and which limits by address apply to.
    package let address: String
    /// The virtual path of the viewer's datagrams if its connection came through a tunnel; `nil` for a socket's.
    package let route: PathID?
    package let joined: Instant
    /// The viewer's paired device; `nil` before the viewer has authenticated, and for a viewer that connected with a
    /// link.
    package var device: PairedDevice?
    /// The name that a browser gives itself, such as "Firefox on Linux"; `nil` for other viewers. It is not
    /// authenticated.
    package var givenName: String?
    /// The viewer's capabilities; `nil` before it is admitted.
    package var capabilities: StreamCapabilities?
    /// The ticket that the viewer connected with; it is retired once the viewer has received its next ticket.
    package var ticketUsed: SecretBytes?
    /// True if the viewer may drive; false if it may only watch.
    package var allowsControl = false
    /// True if the viewer has a control channel at `HostControl`.
    package var hasControl = false
    /// True if the viewer has a transfer channel, for clipboard and files.
    package var hasTransfer = false

    package init(_ id: ConnectionID, address: String, route: PathID? = nil, now: Instant) {
        self.id = id
        self.address = address
        self.route = route
        joined = now
    }

    /// The address that the viewer's datagrams have at first: that of its connection, or of its tunnel's virtual path.
    /// Datagrams from it need no validation.
    package var home: IPAddress? { route.map(\.ip) ?? IPAddress(address) }

    /// The address by which the bitrate of the viewer's path is remembered; `nil` for a tunnel, which may lead over
    /// another network the next time, much slower than this one.
    package var rememberedAddress: IPAddress? { route == nil ? IPAddress(address) : nil }

    /// The viewer's human-readable name: that of its paired device, or else `givenName`; `nil` if it has neither.
    package var name: String? { device?.name ?? givenName }

    /// The time at which a viewer that is not admitted yet is disconnected; a native viewer must also play by then.
    /// While the viewer is pairing, the pairing's deadline applies instead.
    package var admissionEnds: Instant { joined + Self.admissionTime }

    /// Updates `device` from the present paired devices.
    ///
    /// - Returns: false if the viewer is no longer paired, so that it must be disconnected.
    package mutating func follow(_ devices: [DeviceID: PairedDevice]) -> Bool {
        guard isPaired(in: devices) else { return false }
        device = device.flatMap { devices[$0.id] }
        return true
    }

    /// Returns false if the viewer connected as a paired device that is no longer among `devices`, or that was paired
    /// again with a new secret.
    package func isPaired(in devices: [DeviceID: PairedDevice]) -> Bool {
        device.map { devices[$0.id]?.secret == $0.secret } ?? true
    }

    /// Sets whether the viewer may drive; returns whether that has changed.
    package mutating func permit(_ allowed: Bool) -> Bool {
        defer { allowsControl = allowed }
        return allowed != allowsControl
    }

    // MARK: Events

    package var watches: [Demand] {
        let joined = Demand.event(.joined(id, address: address, device: name))
        return [joined] + (device.map { [.event(.visited($0.id, address: address))] } ?? [])
    }

    package func left(_ reason: String) -> Demand {
        .event(.left(id, address: address, device: name, reason: reason))
    }

    package func refused(_ refusal: AdmissionDesk.Refusal) -> Demand {
        .event(.refused(address: address, refusal))
    }

    package func refused(_ refusal: PairingDesk.Refusal) -> Demand {
        .event(.pairingRefused(address: address, refusal))
    }
}

/// The reason for which the host disconnects a viewer, as sent to browsers.
package enum KickReason: String, Sendable {
    /// The host's user kicks the viewer, or the viewer sends more file-transfer messages than it may.
    case putOut = "put-out"
    case sharingEnded = "ended"
    /// The viewer does not decode the codec that the host sends now.
    case otherCodec = "other-codec"
    /// The viewer's device is no longer paired.
    case revoked
    /// The hours of the viewer's device are over.
    case outsideHours = "outside-hours"
}

/// A viewer's session at the host: a `HostViewer` with its signalling.
package protocol ViewerSession: AnyObject, DropCounting {
    var viewer: HostViewer { get set }
    /// The progress of a viewer that is not admitted yet, for `Stranger.toMakeRoom`; `nil` once it is admitted.
    var progress: Stranger.Progress? { get }

    /// Disconnects the viewer after notifying it; a browser is also sent the reason.
    ///
    /// - Parameter why: the reason as text, reported to the host's user if the viewer was watching.
    func kick(_ reason: KickReason, _ why: String, now: Instant)
    /// Sets whether the viewer may drive, or only watch.
    func permit(_ allowed: Bool)
    /// The number of bytes that the transfer channel accepts now; `nil` if it is not open.
    var transferRoom: Int? { get }
    /// Sends a message on the transfer channel; it must fit into `transferRoom`.
    func send(transfer message: [UInt8], now: Instant)
}

extension ViewerSession {
    package var id: ConnectionID { viewer.id }
    package var address: String { viewer.address }
    package var device: PairedDevice? { viewer.device }
    package var name: String? { viewer.name }
    package var capabilities: StreamCapabilities? { viewer.capabilities }
    package var hasTransfer: Bool { viewer.hasTransfer }

    /// Updates the viewer's device from the desk's paired devices; disconnects a viewer that is no longer paired, or
    /// whose hours are over.
    package func follow(_ desk: AdmissionDesk, now: Instant) {
        guard viewer.follow(desk.devices) else { return kick(.revoked, "is no longer paired", now: now) }
        if let device, !desk.isWithinHours(device) { kick(.outsideHours, "its hours are over", now: now) }
    }
}
