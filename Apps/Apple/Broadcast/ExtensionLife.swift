import Foundation
import HelioAppModels
import Synchronization

/// Keeps the extension's model, whose calls come on several queues, and does what it wants done.
final class ExtensionLife: Sendable {
    private let model = Mutex(BroadcastExtensionModel())
    private let failing = Mutex<(@Sendable (any Error) -> Void)?>(nil)
    private let start = ContinuousClock.now
    private let files = GroupFiles()

    func begin(failing report: @escaping @Sendable (any Error) -> Void) {
        failing.withLock { $0 = report }
        handle(.started(hasApp: files.hasApp, endpoint: files.endpoint, key: files.streamKey))
        beat()
    }

    func handle(_ event: BroadcastExtensionModel.Event) {
        let now = start.duration(to: .now)
        act { $0.handle(event, now: now) }
    }

    /// Asks whether a sample is to be taken; sound always is.
    func takes(_ isPicture: Bool) -> Bool { !isPicture || model.withLock { $0.takesPicture() } }

    private func act(_ change: (inout BroadcastExtensionModel) -> Void) {
        let effects = model.withLock { model in
            change(&model)
            var effects: [BroadcastExtensionModel.Effect] = []
            while let effect = model.poll() { effects.append(effect) }
            return effects
        }
        effects.forEach(perform)
    }

    private func perform(_ effect: BroadcastExtensionModel.Effect) {
        switch effect {
        case .beat(let sequence, let isEnd): files.beat(sequence: sequence, isEnd: isEnd)
        case .fail(let reason):
            let error = NSError(
                domain: "org.heliograph.broadcast", code: 1, userInfo: [NSLocalizedDescriptionKey: reason.localized])
            failing.withLock { $0 }?(error)
        // Those belong to SamplePlace.
        case .openRelay, .openServer, .keyframe, .close: break
        }
    }

    private func beat() {
        guard let deadline = model.withLock({ $0.deadline }) else { return }
        let now = start.duration(to: .now)
        Task { [weak self] in
            try? await Task.sleep(for: max(.zero, deadline - now))
            guard let self else { return }
            let now = start.duration(to: .now)
            act { $0.tick(now: now) }
            beat()
        }
    }
}
