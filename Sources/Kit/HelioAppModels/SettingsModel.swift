/// The settings of the viewer or of the host: each change is stored at once.
public struct SettingsModel: ScreenModel {
    /// Whose settings are shown.
    public enum Side: Hashable, Sendable {
        case viewer
        case host
    }

    /// What a person can press here.
    public enum Action: Hashable, Sendable, CaseIterable {
        case naturalScrolling
        case typeAsText
        case playsSound
        case waitsForSound
        case sharesSound
        case viewOnly
        case announces
    }

    /// What a person can write in here.
    public enum Field: Hashable, Sendable {
        case name
    }

    /// What happens elsewhere and is told here.
    public enum Event: Hashable, Sendable {
        case stored
        case failed(String)
    }

    /// What is to be done elsewhere.
    public enum Effect: Hashable, Sendable {
        case store(AppSettings)
    }

    /// The most characters of a name.
    public static let longestName = 64

    /// What is to be done and nobody has taken yet.
    public var effects = EffectQueue<Effect>()
    /// What is set now.
    public private(set) var settings: AppSettings
    private let side: Side
    private var failure: String?

    /// Makes it as it is at first.
    public init(_ settings: AppSettings, side: Side) {
        self.settings = settings
        self.side = side
    }

    /// Takes in what a person has pressed.
    public mutating func press(_ action: Action, now: Duration) {
        settings[keyPath: Self.path(action)].toggle()
        effects.append(.store(settings))
    }

    /// Takes in what a person has written.
    public mutating func edit(_ field: Field, _ text: String) {
        settings.name = String(text.prefix(Self.longestName))
        effects.append(.store(settings))
    }

    /// Takes in what has happened.
    public mutating func handle(_ event: Event, now: Duration) {
        switch event {
        case .stored: failure = nil
        case .failed(let reason): failure = reason
        }
    }

    /// What is to be seen and can be done now.
    public var screen: Screen<Action, Field> {
        var elements: [ScreenElement<Action, Field>] = failure.map { [.warning(Phrase(.settingsUnsaved, $0))] } ?? []
        let toggles: [(Action, AppText)] =
            switch side {
            case .viewer:
                [
                    (.naturalScrolling, .settingsNatural), (.typeAsText, .settingsTypeAsText),
                    (.playsSound, .settingsSound), (.waitsForSound, .settingsWaitForSound),
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
        case .sharesSound: \.sharesSound
        case .viewOnly: \.viewOnly
        case .announces: \.announces
        }
    }
}
