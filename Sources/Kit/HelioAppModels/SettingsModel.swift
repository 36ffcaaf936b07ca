/// The settings screen of the viewer or of the host. Each change is stored at once.
public struct SettingsModel: ScreenModel {
    /// The side whose settings are shown.
    public enum Side: Hashable, Sendable {
        case viewer
        case host
    }

    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable, CaseIterable {
        case naturalScrolling
        case typeAsText
        case playsSound
        case waitsForSound
        case watchesOnly
        case sharesSound
        case viewOnly
        case announces
    }

    /// A text field of this screen.
    public enum Field: Hashable, Sendable {
        case name
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        case stored
        case failed(String)
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        case store(AppSettings)
    }

    /// The longest name, in characters.
    public static let longestName = 64

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The current settings.
    public private(set) var settings: AppSettings
    private let side: Side
    private var failure: String?

    /// Makes a model that shows and edits these settings.
    public init(_ settings: AppSettings, side: Side) {
        self.settings = settings
        self.side = side
    }

    /// Toggles a setting, and queues storing all settings.
    public mutating func press(_ action: Action, now: Duration) {
        settings[keyPath: Self.path(action)].toggle()
        effects.append(.store(settings))
    }

    /// Changes the host's name, cut to ``longestName`` characters, and queues storing all settings.
    public mutating func edit(_ field: Field, _ text: String) {
        settings.name = String(text.prefix(Self.longestName))
        effects.append(.store(settings))
    }

    /// Shows a warning if the settings could not be stored; removes the warning once they are stored.
    public mutating func handle(_ event: Event, now: Duration) {
        switch event {
        case .stored: failure = nil
        case .failed(let reason): failure = reason
        }
    }

    /// The screen as it has to be drawn now.
    public var screen: Screen<Action, Field> {
        var elements: [ScreenElement<Action, Field>] = failure.map { [.warning(Phrase(.settingsUnsaved, $0))] } ?? []
        let toggles: [(Action, AppText)] =
            switch side {
            case .viewer:
                [
                    (.naturalScrolling, .settingsNatural), (.typeAsText, .settingsTypeAsText),
                    (.playsSound, .settingsSound), (.waitsForSound, .settingsWaitForSound),
                    (.watchesOnly, .settingsWatchOnly),
                ]
            case .host:
                [
                    (.sharesSound, .settingsShareSound), (.viewOnly, .settingsViewOnly),
                    (.announces, .settingsAnnounce),
                ]
            }
        if side == .host {
            elements.append(
                .field(.name, label: Phrase(.settingsName), value: settings.name, placeholder: "", isSecret: false))
        }
        elements += toggles.map {
            .toggle($0.0, label: Phrase($0.1), isOn: settings[keyPath: Self.path($0.0)])
        }
        return Screen(Phrase(.settingsTitle), elements)
    }

    private static func path(_ action: Action) -> WritableKeyPath<AppSettings, Bool> {
        switch action {
        case .naturalScrolling: \.naturalScrolling
        case .typeAsText: \.typeAsText
        case .playsSound: \.playsSound
        case .waitsForSound: \.waitsForSound
        case .watchesOnly: \.watchesOnly
        case .sharesSound: \.sharesSound
        case .viewOnly: \.viewOnly
        case .announces: \.announces
        }
    }
}
