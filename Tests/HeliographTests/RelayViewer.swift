import HelioCore
import HelioTestPrograms
import Heliograph
import Synchronization

/// A viewer, and all its events.
final class RelayViewer: Sendable {
    let sink: MirrorSink
    private let log = Mutex<[MirrorSink.Event]>([])
    private let reader = Mutex<Task<Void, Never>?>(nil)

    convenience init(_ screen: RelayedScreen, _ options: MirrorSink.Options = .init()) async throws {
        try self.init(link: try await screen.source.link.text, options)
    }

    init(link: String, _ options: MirrorSink.Options = .init()) throws {
        sink = try MirrorSink(link: link, options: options)
        reader.withLock { reader in
            reader = Task { [weak self, events = sink.events] in
                for await event in events { self?.log.withLock { $0.append(event) } }
            }
        }
        sink.start()
    }

    var events: [MirrorSink.Event] { log.withLock { $0 } }

    var frames: [EncodedFrame] {
        events.compactMap { if case .received(.video, let frame) = $0 { frame } else { nil } }
    }

    /// The last reported picture size.
    var size: PixelSize? {
        events.compactMap { event -> PixelSize? in
            switch event {
            case .played(let video, _), .changed(let video): PixelSize(width: video.width, height: video.height)
            default: nil
            }
        }.last
    }

    var inputs: Set<SoundInput> {
        Set(events.compactMap { if case .receivedSound(_, let input) = $0 { input } else { nil } })
    }

    /// True if its session has continued without interruption.
    var isUnbroken: Bool {
        !events.contains {
            switch $0 {
            case .disconnected, .ended: true
            default: false
            }
        }
    }

    func waitForFrame(_ what: String, where fits: (EncodedFrame) -> Bool) async throws {
        try await eventually("a frame came: \(what)", sees: summary) { frames.contains(where: fits) }
    }

    var summary: String {
        "\(frames.count) frames, \(size.map { "\($0)" } ?? "no size"), "
            + "\(events.compactMap { event -> String? in if case .received = event { nil } else { "\(event)" } })"
    }
}
