package import HelioControl
package import HelioCore
package import HelioProtection

/// The control channels of all viewers, as one engine apart from their media: input never waits behind a packet of
/// video, and is injected by the thread that received it.
///
/// `SourceHost` says which channels there are; datagrams name theirs by the viewer's SSRC.
package final class HostControl: Engine {
    package enum Input: Sendable {
        /// A viewer was let in, and has agreed on these terms.
        case open(ControlTerms)
        /// The viewer's session is over: all that it holds is let go.
        case close(SSRC)
        /// Whether the viewer may drive, from now on. What it holds is let go when it may no longer.
        case permit(SSRC, Bool)
        case datagram([UInt8], from: PathID)
        /// The captured screen has another size, or is another: places of viewers are on this monitor from now on.
        case screen(PixelSize, on: ScreenMonitor? = nil)
        /// The host's pointer has moved; pixels of the captured screen.
        case cursorMoved(x: Int, y: Int)
    }

    package enum Output: Sendable {
        case datagram([UInt8], to: PathID)
        /// What one datagram asks for, in order: to be handed to the system together.
        case inject([InjectedInput])
    }

    /// What belonged to no channel.
    private enum Drop: String, Sendable, CaseIterable, Hashable {
        case unknownViewer = "control-unknown-viewer"
        case unusableKeys = "control-unusable-keys"
    }

    private let crypto: any CryptoProvider
    private var screen: PixelSize
    private var channels: [SSRC: HostControlChannel] = [:]
    private var outputs = OutputQueue<Output>()
    /// Channels that may have something to send.
    private var senders = OutputQueue<HostControlChannel>()
    private var sender: HostControlChannel?
    private var counter = DropCounter<Drop>()
    /// Of channels that are closed.
    private var earlierDrops: [String: Int] = [:]

    package var channelCount: Int { channels.count }

    package init(screen: PixelSize, crypto: any CryptoProvider) {
        self.screen = screen
        self.crypto = crypto
    }

    /// Input comes out ahead of all datagrams, and those are sealed as they are asked for.
    package func poll() -> Output? {
        if let output = outputs.next() { return output }
        while true {
            if let packet = sender?.nextDatagram() { return .datagram(packet.bytes, to: packet.path) }
            sender = senders.next()
            if sender == nil { return nil }
        }
    }

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .open(let terms):
            guard let channel = try? HostControlChannel(terms, screen: screen, crypto: crypto) else {
                return counter.count(.unusableKeys)
            }
            channels[terms.viewer] = channel
        case .close(let viewer):
            guard let channel = channels.removeValue(forKey: viewer) else { return }
            channel.end(now: now)
            settle(channel)
            earlierDrops.merge(channel.allDrops) { $0 + $1 }
        case .permit(let viewer, let allowed):
            guard let channel = channels[viewer] else { return }
            channel.permit(allowed, now: now)
            settle(channel)
        case .datagram(let bytes, let path):
            guard let viewer = bytes.span.bytes.uint32(at: 0), let channel = channels[SSRC(viewer)] else {
                return counter.count(.unknownViewer)
            }
            channel.receive(bytes, from: path, now: now)
            settle(channel)
        case .screen(let size, let monitor):
            screen = size
            // In order with input: what was mapped to the other one is done there.
            if let monitor { outputs.append(.inject([.monitor(monitor)])) }
            for channel in channels.values { channel.setScreen(size) }
        case .cursorMoved(let x, let y):
            for channel in channels.values {
                channel.tellCursor(x: x, y: y, now: now)
                settle(channel)
            }
        }
    }

    package func tick(now: Instant) {
        for channel in channels.values {
            channel.tick(now: now)
            settle(channel)
        }
    }

    package var deadline: Deadline? {
        channels.values.reduce(nil) { Deadline.earliest($0, $1.deadline) }
    }

    /// Everything that was thrown away, by name.
    package var drops: [String: Int] {
        var all = earlierDrops
        for (name, count) in counter.named { all[name, default: 0] += count }
        for channel in channels.values { all.merge(channel.allDrops) { $0 + $1 } }
        return all
    }

    private func settle(_ channel: HostControlChannel) {
        let inputs = channel.takeInputs()
        if !inputs.isEmpty { outputs.append(.inject(inputs)) }
        senders.append(channel)
    }
}
