import HelioAdmission
import HelioCore
import HelioHost
import HelioProtection
import HelioSession
import HelioSimulation
import HelioTransferWire

/// A host and a viewer with the right link, connected by a simulated network.
struct SessionWorld: ~Copyable {
    let pipe: ReliablePipe
    let host: HostPeer
    let viewer: ViewerPeer
    var stepper: TwoPeerStepper<HostPeer, ViewerPeer>

    init(
        _ conditions: LinkConditions = .lan, seed: UInt64 = 1, allowsControl: Bool = true,
        capabilities: StreamCapabilities = StreamCapabilities(), hostSuite: SuiteOptions? = nil,
        viewerSuite: SuiteOptions? = nil, adaptsBitrate: Bool = true, sound: Set<SoundOrigin> = [],
        link change: (inout ShareLink) -> Void = { _ in }, fingerprint: UInt8 = 9, device: PairedDevice? = nil,
        transport: TransportPolicy = .automatic, hearsViewers: Bool = false, speaks: Bool = false,
        hostClipboard: ClipboardTerms? = nil, viewerClipboard: ClipboardTerms? = nil, sameClipboard: Bool = false,
        hasFiles: Bool = false, viewerFiles: FileToken? = nil, route: PathID? = nil,
        rendezvous: HostRendezvous? = nil, wake: WakeAddresses? = nil
    ) {
        pipe = ReliablePipe()
        host = HostPeer(
            pipe, seed: seed, allowsControl: allowsControl, suite: hostSuite, adaptsBitrate: adaptsBitrate,
            sound: sound, hearsViewers: hearsViewers, clipboard: hostClipboard,
            clipboardPlace: sameClipboard ? "one" : "host's", hasFiles: hasFiles,
            rendezvous: rendezvous, wake: wake)
        var link = ShareLink(host: "10.0.0.1", port: 7236, fingerprint: nil, secret: host.host.linkSecret.bytes)
        if let device {
            host.host.handle(.devices([device]), now: .zero)
            link.secret = device.secret.bytes
            link.device = device.id
        }
        change(&link)
        viewer = ViewerPeer(
            link, pipe, seed: seed &+ 100, fingerprint: fingerprint, capabilities: capabilities, suite: viewerSuite,
            transport: transport, speaks: speaks, clipboard: viewerClipboard,
            clipboardPlace: sameClipboard ? "one" : "viewer's", files: viewerFiles)
        stepper = TwoPeerStepper(a: host, b: viewer, network: SimulatedNetwork(conditions, seed: seed))
        host.accept(route: route, now: .zero)
        viewer.connect(now: .zero)
    }

    var now: Instant { stepper.now }

    mutating func run(_ duration: Duration) throws { try stepper.run(for: duration) }
}
