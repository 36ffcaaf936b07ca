/// The host's menu in the menu bar: the state of sharing, the viewers, requests to join, and the actions on them
/// (requirement row 103).
public struct HostMenuModel: ScreenModel {
    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable {
        case start
        case stop
        case takeBack
        case letDrive
        case disconnect(Int)
        case answerRequest(Bool)
        case answerPairing(Bool)
        case monitor(String)
        case startAtLogin
        case preferences
        case privacySettings
        case quit
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        case sharing(code: String)
        case stopped
        case failed(String)
        /// The system does not allow the app to record the screen.
        case noScreenPermission
        /// True if the system allows the app to inject viewers' pointer and keyboard input.
        case inputPermission(Bool)
        case people([SessionPeople.Watcher], viewersMayDrive: Bool)
        case wantsIn(number: Int, name: String)
        case pairing(name: String, digits: String)
        /// The question is obsolete: it was answered elsewhere, or the requesting device has disconnected.
        case questionGone
        case monitors([SessionMonitor], selected: String?)
        case startsAtLogin(Bool)
        case loginItemFailed(String)
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        case start
        case stop
        case takeBack
        case letDrive
        case disconnect(Int)
        case answerRequest(Int, Bool)
        case answerPairing(Bool)
        case monitor(String)
        case setStartAtLogin(Bool)
        case openPreferences
        case openPrivacySettings
        case quit
    }

    enum State: Hashable {
        case stopped
        case starting
        case sharing(String)
        case failed(String)
        case noScreen
    }

    enum Question: Hashable {
        case request(Int, String)
        case pairing(String, String)
    }

    /// The time after which an unanswered question is declined.
    public static let patience = Duration.seconds(60)
    /// The maximum number of viewers or monitors that are listed.
    public static let longestList = 100

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public private(set) var deadline: Duration?
    private var state = State.stopped
    private var question: Question?
    private var watchers: [SessionPeople.Watcher] = []
    private var viewersMayDrive = true
    private var hasInput = true
    private var monitors: [SessionMonitor] = []
    private var selected: String?
    private var isAtLogin = false
    private var loginFailure: String?

    /// Makes the menu of a host that does not share yet.
    public init() {}

    /// True while there are viewers; the icon in the menu bar is then filled.
    public var isWatched: Bool { isSharing && !watchers.isEmpty }

    /// Queues the effect of a menu item, or answers the shown question.
    public mutating func press(_ action: Action, now: Duration) {
        switch action {
        case .start:
            guard state != .starting, !isSharing else { return }
            state = .starting
            effects.append(.start)
        case .stop: effects.append(.stop)
        case .takeBack, .letDrive: effects.append(action == .takeBack ? .takeBack : .letDrive)
        case .disconnect(let number): effects.append(.disconnect(number))
        case .answerRequest(let yes), .answerPairing(let yes): answer(yes)
        case .monitor(let id): if monitors.contains(where: { $0.id == id }) { effects.append(.monitor(id)) }
        case .startAtLogin: effects.append(.setStartAtLogin(!isAtLogin))
        case .preferences: effects.append(.openPreferences)
        case .privacySettings: effects.append(.openPrivacySettings)
        case .quit: effects.append(.quit)
        }
    }

    /// Adopts a new state, or shows a question; declines a question while another one is shown.
    public mutating func handle(_ event: Event, now: Duration) {
        switch event {
        case .sharing(let code): state = .sharing(code)
        case .stopped: end(.stopped)
        case .failed(let reason): end(.failed(reason))
        case .noScreenPermission: end(.noScreen)
        case .inputPermission(let given): hasInput = given
        case .people(let people, let mayDrive):
            watchers = Array(people.prefix(Self.longestList))
            viewersMayDrive = mayDrive
        case .wantsIn(let number, let name): ask(.request(number, name), now: now)
        case .pairing(let name, let digits): ask(.pairing(name, digits), now: now)
        case .questionGone: settle()
        case .monitors(let list, let id):
            monitors = Array(list.prefix(Self.longestList))
            selected = id
        case .startsAtLogin(let isAtLogin):
            self.isAtLogin = isAtLogin
            loginFailure = nil
        case .loginItemFailed(let reason): loginFailure = reason
        }
    }

    /// Declines a question that was not answered within ``patience``.
    public mutating func tick(now: Duration) {
        if let deadline, now >= deadline { answer(false) }
    }

    /// The screen as it has to be drawn now.
    public var screen: Screen<Action, NoField> {
        var elements = questionElements
        switch state {
        case .noScreen:
            elements += [.warning(Phrase(.menuNoScreen)), button(.privacySettings, .menuPrivacy)]
        case .failed(let reason): elements.append(.warning(Phrase(.menuFailed, reason)))
        case .sharing(let code): elements += sharingElements(code)
        case .stopped, .starting: break
        }
        elements.append(isSharing || state == .starting ? button(.stop, .menuStop) : button(.start, .menuStart))
        if let loginFailure { elements.append(.warning(Phrase(.menuLoginFailed, loginFailure))) }
        elements += [
            button(.preferences, .menuPreferences),
            .toggle(.startAtLogin, label: Phrase(.menuAtLogin), isOn: isAtLogin), button(.quit, .menuQuit),
        ]
        let title: AppText = isSharing ? .menuSharing : state == .starting ? .menuStarting : .menuStopped
        return Screen(Phrase(title), isBusy: state == .starting, elements)
    }

    private var isSharing: Bool { if case .sharing = state { true } else { false } }

    private var questionElements: [ScreenElement<Action, NoField>] {
        switch question {
        case .request(_, let name):
            [
                .warning(Phrase(.menuWantsIn, name)),
                .button(.answerRequest(true), label: Phrase(.menuLetIn), role: .prominent),
                .button(.answerRequest(false), label: Phrase(.menuRefuse), role: .cancel),
            ]
        case .pairing(let name, let digits):
            [
                .warning(Phrase(.menuPairing, name)), .digits(digits),
                .button(.answerPairing(true), label: Phrase(.pairSame), role: .prominent),
                .button(.answerPairing(false), label: Phrase(.pairDiffer), role: .cancel),
            ]
        case nil: []
        }
    }

    private func sharingElements(_ code: String) -> [ScreenElement<Action, NoField>] {
        var elements: [ScreenElement<Action, NoField>] = [.text(Phrase(.menuCode, code))]
        if !hasInput { elements += [.warning(Phrase(.menuNoInput)), button(.privacySettings, .menuPrivacy)] }
        elements.append(watchers.isEmpty ? .text(Phrase(.menuNobody)) : .heading(Phrase(.sessionPeople)))
        for watcher in watchers {
            let name = watcher.name.isEmpty ? "\(watcher.number)" : watcher.name
            elements.append(.text(watcher.drives ? Phrase(.sessionDrives, name) : .verbatim(name)))
            elements.append(
                .button(.disconnect(watcher.number), label: Phrase(.menuPutOut, name), role: .destructive))
        }
        if !watchers.isEmpty {
            elements.append(viewersMayDrive ? button(.takeBack, .menuTakeBack) : button(.letDrive, .menuLetDrive))
        }
        guard monitors.count > 1 else { return elements }
        elements.append(.heading(Phrase(.sessionMonitors)))
        return elements
            + monitors.map {
                .choice(.monitor($0.id), label: $0.label, detail: $0.detail, isChosen: $0.id == selected)
            }
    }

    private func button(_ action: Action, _ label: AppText) -> ScreenElement<Action, NoField> {
        .button(action, label: Phrase(label), role: .standard)
    }

    // Shows a question, or declines it while another one is shown, because users can't compare two codes at once.
    private mutating func ask(_ next: Question, now: Duration) {
        guard question == nil else { return refuse(next) }
        question = next
        deadline = now + Self.patience
    }

    private mutating func answer(_ yes: Bool) {
        switch question {
        case .request(let number, _): effects.append(.answerRequest(number, yes))
        case .pairing: effects.append(.answerPairing(yes))
        case nil: break
        }
        settle()
    }

    private mutating func refuse(_ question: Question) {
        // The host pairs with one device at a time, and refuses a second one by itself.
        if case .request(let number, _) = question { effects.append(.answerRequest(number, false)) }
    }

    private mutating func settle() {
        question = nil
        deadline = nil
    }

    private mutating func end(_ next: State) {
        state = next
        watchers = []
        settle()
    }
}
