internal import HelioAdmission
internal import HelioCore
internal import HelioOpenSSL
internal import HelioProtection
internal import HelioRendezvous
internal import HelioRendezvousPort
internal import HelioRendezvousWire
private import HelioSharing
internal import HelioTunnel
internal import NIOCore

/// The calls of a `RemoteSignalingService` of an app's own: registers this device at a rendezvous server, and takes the
/// calls of those who know one secret.
///
/// Unchecked, as all that changes is used on the event loop alone.
final class RendezvousCallSource: SignalingCallSource, @unchecked Sendable {
    let link: String
    private let place: RendezvousPlace
    private let device: RendezvousID
    private let key: Ed25519Key
    private let tag: RingTag
    private let secret: SecretBytes
    private let certificate: OpenSSLDTLS
    private let reached: (@Sendable (HelioError?) -> Void)?
    private let loop: any EventLoop
    private let calls = RendezvousCalls()
    private var connection: RendezvousConnection?
    private var tunnels: HostTunnels?
    private var isRefused = false

    /// Makes the secret's tag and the link; `begin` connects.
    init(
        _ place: RendezvousPlace, key: Ed25519Key, secret: SecretBytes,
        reached: (@Sendable (HelioError?) -> Void)?, on loop: any EventLoop
    ) throws(HelioError) {
        let crypto = OpenSSLCrypto()
        guard let device = try? CallKeys.device(of: key.publicKey, crypto),
            let tag = try? CallKeys.tag(of: CallKeys.token(of: secret, for: device, crypto), crypto),
            let host = HostRendezvous(device: device, server: "\(place)")
        else { throw HelioError(.systemFailed, "This machine's name for the rendezvous server can't be made.") }
        certificate = try TunnelGround.makeCertificate()
        link = host.pageLink(code: ShareLink.code(of: secret.bytes))
        self.place = place
        self.device = device
        self.key = key
        self.tag = tag
        self.secret = secret
        self.reached = reached
        self.loop = loop
    }

    func begin(_ service: RemoteSignalingService) {
        guard connection == nil else { return }
        var host = HostTunnels.Host(
            secret: { [tag, secret] in $0 == tag ? secret : nil },
            // A native viewer's session, which this service has none of.
            adopt: { channel, _, _ in channel.close(promise: nil) }, received: { _, _, _ in })
        host.browser = { [weak service] in service?.serve($0, $1, from: $2, $3) }
        var settings = TunnelSettings()
        settings.mostCallsOfSecret = settings.mostCalls
        let tunnels = HostTunnels(
            device, port: nil, certificates: certificate, settings: settings, host: host, on: loop)
        self.tunnels = tunnels
        let connection = RendezvousConnection(place, signer: key, on: loop, onEvent: { [calls] in calls.take($0) })
        self.connection = connection
        calls.feed = { [weak self] in self?.connection?.feed($0) }
        calls.isNear = { [weak self] in self?.connection?.isNear ?? false }
        calls.onRung = { [weak tunnels] in tunnels?.rung($0, tag: $1, address: $2, turn: $3) }
        calls.onEvent = { [weak self] in self?.take($0) }
        connection.start()
        connection.feed(.permits([Permit(tag: tag, seconds: 0)]))
    }

    private func take(_ event: RendezvousClient.Event) {
        switch event {
        case .online:
            isRefused = false
            reached?(nil)
        case .refused: isRefused = true
        case .offline: reached?(isRefused ? refusal : connection?.failure ?? loss)
        default: break
        }
    }

    private var refusal: HelioError {
        HelioError(
            .refused,
            "The rendezvous server at \(place.url) refuses this device: use each key for one connection, and the "
                + "server's address as its operator tells it.")
    }

    private var loss: HelioError {
        HelioError(.unreachable, "The connection to the rendezvous server at \(place.url) was lost.")
    }

    func released(_ call: SealedCall) { tunnels?.released(call) }

    func end() {
        calls.onRung = nil
        // The calls' connections report their ends on the next tick, and the hanging up goes out before.
        loop.execute { [self] in
            tunnels?.close()
            tunnels = nil
            connection?.stop()
            connection = nil
        }
    }
}
