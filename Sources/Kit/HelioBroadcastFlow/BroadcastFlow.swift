public import HelioAppModels
private import HelioCore

/// The app's half of a broadcast: configures the extension, shares the relayed screen, and watches the heartbeat
/// (requirement rows 156 to 160, 166 and 167).
///
/// Views draw ``screen``, and show the system's picker while ``isPickerShown`` is true. They also have to call the
/// driver's `tick()` when it is due.
@MainActor
public final class BroadcastFlow {
    /// Runs the model of the broadcast screen: views draw the model, and pass it the user's actions.
    public private(set) lazy var screen = ScreenDriver(
        BroadcastModel(endpoint: endpoint, now: surroundings.now()), now: { [surroundings] in surroundings.now() },
        perform: { [weak self] in self?.perform($0) })
    /// True while the system's picker has to be shown, because a destination is configured.
    public private(set) var isPickerShown = false

    private let surroundings: BroadcastSurroundings
    private var relay: (any RelaySharing)?
    private var isStarting = false
    private var following: Task<Void, Never>?

    /// Makes the flow, with the stored destination selected.
    public init(_ surroundings: BroadcastSurroundings) { self.surroundings = surroundings }

    /// Ends sharing the relayed screen.
    public func close() async {
        following?.cancel()
        following = nil
        guard let relay else { return }
        self.relay = nil
        await relay.stop()
    }

    private var endpoint: String? {
        surroundings.store.text(BroadcastKeys.endpoint).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func perform(_ effect: BroadcastModel.Effect) {
        switch effect {
        case .readHeartbeat: screen.handle(.heartbeat(surroundings.folder?.heartbeat))
        case .store(let endpoint, let key):
            guard endpoint == nil else { return store(endpoint, key) }
            begin()
        case .showPicker: isPickerShown = true
        case .endRelay: end()
        }
    }

    private func store(_ endpoint: String?, _ key: String?) {
        do {
            try surroundings.store.set(endpoint, for: BroadcastKeys.endpoint)
            try surroundings.store.set(key, for: BroadcastKeys.streamKey)
            screen.handle(.stored)
        } catch {
            screen.handle(.notStored(Self.words(error)))
        }
    }

    /// Starts to listen for the extension before the user can start the extension.
    private func begin() {
        guard let folder = surroundings.folder else {
            return screen.handle(.notStored("This app and its extension have no folder in common."))
        }
        if relay != nil { return store(nil, nil) }
        guard !isStarting else { return }
        isStarting = true
        Task {
            do {
                let fresh = try await surroundings.share(folder.socket)
                isStarting = false
                relay = fresh
                follow(fresh)
                store(nil, nil)
            } catch {
                isStarting = false
                screen.handle(.notStored(Self.words(error)))
            }
        }
    }

    private func follow(_ relay: any RelaySharing) {
        following = Task { [weak self] in
            for await code in relay.codes { self?.screen.handle(.sharing(code: code)) }
        }
    }

    private func end() {
        isPickerShown = false
        screen.handle(.sharing(code: nil))
        Task { await close() }
    }

    private static func words(_ error: any Error) -> String { (error as? HelioError)?.message ?? "\(error)" }
}
