import HelioAppModels
import HelioCore
import HelioViewerFlow
import HelioViewing

/// A session without a window: a real `MirrorSink` whose pictures are not shown.
@MainActor
final class SinkSession: WatchingSession {
    private let sink: MirrorSink
    private let tell: @MainActor (SessionEvent) -> Void
    private var reader: Task<Void, Never>?

    init(_ sink: MirrorSink, _ tell: @escaping @MainActor (SessionEvent) -> Void) {
        self.sink = sink
        self.tell = tell
    }

    func start() {
        let (sink, tell) = (sink, tell)
        reader = Task {
            for await event in sink.events {
                if let event = Self.event(event) { tell(event) }
            }
        }
        sink.start()
    }

    func send(_ input: SinkInput) { sink.send(input) }
    func selectMonitor(_ id: String) { try? sink.selectMonitor(id) }
    func setSound(on: Bool) { on ? sink.resume(.audio) : sink.pause(.audio) }
    func setActualSize(_ isOn: Bool) {}

    func setPaused(_ isPaused: Bool) { isPaused ? sink.pause(.video) : sink.resume(.video) }
    func leave() {
        let (sink, tell, reader) = (sink, tell, reader)
        Task {
            await sink.stop()
            await reader?.value
            tell(.ended(nil))
        }
    }

    private static func event(_ event: MirrorSink.Event) -> SessionEvent? {
        switch event {
        case .connected: .letIn
        case .played(let video, let allowsControl):
            .playing(PixelSize(width: video.width, height: video.height), allowsControl: allowsControl)
        case .permission(let allowsControl): .permission(allowsControl: allowsControl)
        case .driver(.nobody): .driver(.nobody)
        case .driver(.you): .driver(.you)
        case .driver(.other(let name)): .driver(.other(name: name))
        case .controlRequested(let name): .controlRequested(name: name)
        case .disconnected(let reason): .disconnected(reason: reason)
        case .ended(let error): .ended(error)
        case .changed, .monitors, .received, .receivedSound, .paused, .resumed, .info: nil
        }
    }
}
