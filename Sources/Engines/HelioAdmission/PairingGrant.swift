package import HelioCore
package import HelioProtection

/// The header in which a host gives a newly paired viewer its credentials for later connections.
///
///     Heliograph-Paired: Heliograph-Pairing device="HEX", secret="HEX", name="HEX", permission="control"
///
/// It is sent inside TLS, and only after the two ends have authenticated each other.
package struct PairingGrant: Sendable, Equatable {
    package static let headerName = "Heliograph-Paired"

    package var device: DeviceID
    package var secret: SecretBytes
    /// The host's name, as sent by the host.
    package var hostName: String
    /// True if this device may control the host.
    package var allowsControl: Bool
    /// The place where the host is reached from any network, which comes in a header of its own
    /// (`HostRendezvous.headerName`); `nil` if there is none.
    package var rendezvous: HostRendezvous?
    /// The addresses by which the host is woken while it sleeps, which come in a header of their own
    /// (`WakeAddresses.headerName`); `nil` if there are none.
    package var wake: WakeAddresses?

    package init(_ device: PairedDevice, hostName: String) {
        self.device = device.id
        secret = device.secret
        self.hostName = hostName
        allowsControl = device.allowsControl
    }

    package init?(_ value: String) {
        guard let fields = HeaderFields.parse(value, scheme: PairingHeader.scheme),
            let device = fields["device"].flatMap(HeaderFields.bytes).flatMap(DeviceID.init),
            let secret = HeaderFields.bytes(fields["secret"], count: PairedDevice.secretLength),
            let hostName = fields["name"].flatMap(HeaderFields.bytes).flatMap(PairingHeader.name),
            let permission = fields["permission"].flatMap(ControlPermission.init(rawValue:))
        else { return nil }
        self.device = device
        self.secret = SecretBytes(secret)
        self.hostName = hostName
        allowsControl = permission.allowsControl
    }

    package var value: String {
        HeaderFields.write(
            PairingHeader.scheme,
            [
                ("device", Hexadecimal.text(device.bytes)), ("secret", Hexadecimal.text(secret.bytes)),
                ("name", Hexadecimal.text(Array(hostName.utf8))),
                ("permission", ControlPermission(allowsControl: allowsControl).rawValue),
            ])
    }
}
