internal import HelioAdmission
internal import HelioCore
internal import HelioHost
private import HelioProtection
internal import HelioServing
internal import HelioSession
internal import HelioSharing
private import HelioSound
private import Synchronization

/// Forwards the events of a source's host to the parts that they concern: the feed of frames, the app, the virtual
/// microphone, the clipboard and the files.
final class HostReports: HostObserver {
    private let feed: any SourceFeed
    private let audience: Watchers
    private let heard: HeardViewers?
    private let clipboard: SharedClipboard?
    private let files: SharedFiles?
    private let links: LinkMaker
    private let rendezvous: RendezvousEndpoint?
    private let events: SourceEvents
    private let second: SecondEncodeNews
    private let strangers: BoundedEvents
    private let transports: BoundedEvents
    private let connected = Mutex<SourceServer?>(nil)

    init(
        feed: any SourceFeed, audience: Watchers, heard: HeardViewers?, clipboard: SharedClipboard?,
        files: SharedFiles?, links: LinkMaker, rendezvous: RendezvousEndpoint?, events: SourceEvents
    ) {
        self.feed = feed
        self.audience = audience
        self.heard = heard
        self.clipboard = clipboard
        self.files = files
        self.links = links
        self.rendezvous = rendezvous
        self.events = events
        second = SecondEncodeNews(events)
        strangers = BoundedEvents("tries to come in were refused", events)
        transports = BoundedEvents("changes of transport were made", events)
    }

    /// Sets the server, once it has started, which sends the clipboard's and the files' messages to viewers.
    func connect(_ server: SourceServer) {
        connected.withLock { $0 = server }
        clipboard?.connect { server.take($0) }
    }

    private var server: SourceServer? { connected.withLock { $0 } }

    func handle(_ event: SourceHost.Event) {
        switch event {
        case .keyframeNeeded(let reason, let encoding): feed.requestKeyframe(reason, of: encoding)
        case .repairNeeded(let frame, let reason, let encoding):
            feed.requestRepair(since: frame, reason: reason, of: encoding)
        case .bitrate(let rate): feed.setBitrate(rate)
        case .second(let rate):
            feed.setSecond(rate)
            second.set(rate != nil)
        case .prefers(let kind, let encoding): feed.prefer(kind, of: encoding)
        case .agreed(let agreement):
            feed.agree(on: agreement)
            events.put(.agreed(MediaAttributes(agreement.format), reasons: agreement.reasons))
        case .watched(let watched): audience.setViewers(watched)
        case .soundWanted(let demands): audience.setSound(demands, of: .viewers)
        case .visited: break
        case .joined(_, let address, let device): events.put(.viewerJoined(address: address, device: device))
        case .speaking(_, let address, let device, let speaks):
            events.put(.speaking(address: address, device: device, speaks))
        case .left(let viewer, let address, let device, let reason):
            heard?.voices.remove(viewer)
            events.put(.viewerLeft(address: address, device: device, reason: reason))
        case .suite(let agreement, let address):
            if let summary = agreement.summary { note("\(address): \(summary)") }
        case .transport(_, let address, let device, _, let reason):
            transports.put(.info(reason.hostSentence(about: device ?? address)))
        case .pairingAsked(let question): events.put(.pairingAsked(PairingQuestion(question)))
        case .pairingOver(let connection): events.put(.pairingOver(.init(connection)))
        case .paired(let device, let address):
            events.put(.paired(address: address, device: device.name, isVisitor: device.isVisitor))
        case .pairingRefused(let address, let refusal):
            strangers.put(.pairingRefused(address: address, reason: refusal.rawValue))
        case .refused(let address, let refusal):
            strangers.put(.viewerRefused(address: address, reason: refusal.rawValue))
        case .linkReplaced(let secret):
            rendezvous?.permit(link: secret)
            events.put(.link(links.link(port: server?.localPort ?? 0, secret: secret.bytes)))
        }
    }

    func note(_ sentence: String) { events.note(sentence) }

    func changed(_ devices: [PairedDevice]) { rendezvous?.permit(devices) }

    func play(_ packet: ReceivedSound, of viewer: ConnectionID) { heard?.voices.put(packet, of: viewer) }

    func execute(_ order: ClipboardOrder) { clipboard?.carryOut(order) }

    func handle(_ news: FileNews, of viewer: ConnectionID) {
        switch news {
        case .opened(let channel):
            files?.open(
                viewer.rawValue, of: .init(token: channel.token, device: channel.device?.bytes), name: channel.name,
                channel.permission
            ) { [self] messages in server?.send(files: messages, to: viewer) }
        case .permitted(let permission): files?.permit(viewer.rawValue, permission)
        case .traffic(let traffic):
            guard let files, !files.take(traffic, of: viewer.rawValue) else { return }
            server?.endForFlooding(viewer)
        }
    }
}
