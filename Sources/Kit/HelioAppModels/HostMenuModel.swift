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
        /// Lets the viewer with this number drive, or takes that permission back.
        case viewerControl(Int)
        case answerRequest(Bool)
        case answerPairing(Bool)
        case answerFiles(Bool)
        case monitor(String)
        case startAtLogin
        case preferences
        case privacySettings
        case quit
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        case sharing(code: String)
        /// The whole links that admit the next viewer, with the code of the last `sharing`.
        case links(SharingLinks)
        case stopped
        case failed(String)
        /// The system does not allow the app to record the screen.
        case noScreenPermission
        /// True if the system allows the app to inject viewers' pointer and keyboard input.
        case inputPermission(Bool)
        case people([SessionPeople.Watcher], viewersMayDrive: Bool)
        case wantsIn(number: Int, name: String)
        case pairing(name: String, digits: String)
        /// A viewer offers files; `what` is their name, number and size, such as `'photo.jpg' (3.2 MB)`.
        case files(number: Int, name: String, what: String)
        /// The offer of files with this number is obsolete.
        case filesGone(number: Int)
        /// A sentence about sharing, such as the start of a recording; sharing continues.
        case note(String)
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
        case answerFiles(Int, Bool)
        case viewerControl(Int, Bool)
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
        case files(Int, String, String)
    }

    /// The time after which an unanswered question is declined.
    public static let patience = Duration.seconds(60)
    /// The maximum number of viewers or monitors that are listed.
    public static let longestList = 100
    /// The maximum number of offers of files that wait while another question is shown; further ones are declined.
    public static let longestWait = 16

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public private(set) var deadline: Duration?
    private(set) var state = State.stopped
    private(set) var question: Question?
    private(set) var watchers: [SessionPeople.Watcher] = []
    private(set) var viewersMayDrive = true
    private var hasInput = true
    private(set) var monitors: [SessionMonitor] = []
    private(set) var selected: String?
    private(set) var isAtLogin = false
    private(set) var loginFailure: String?
    private(set) var links: SharingLinks?
    private(set) var note: String?
    private var waiting: [Question] = []

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
        case .viewerControl(let number):
            guard let mayDrive = watchers.first(where: { $0.number == number })?.mayDrive else { return }
            effects.append(.viewerControl(number, !mayDrive))
        // An answer in a notification may be to a question of another kind than the one that is shown by now.
        case .answerRequest(let yes): if case .request = question { answer(yes, now: now) }
        case .answerPairing(let yes): if case .pairing = question { answer(yes, now: now) }
        case .answerFiles(let yes): if case .files = question { answer(yes, now: now) }
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
        case .sharing(let code):
            if state != .sharing(code) { links = nil }
            state = .sharing(code)
        case .links(let links): self.links = isSharing ? links : nil
        case .stopped: end(.stopped)
        case .failed(let reason): end(.failed(reason))
        case .noScreenPermission: end(.noScreen)
        case .inputPermission(let given): hasInput = given
        case .people(let people, let mayDrive):
            watchers = Array(people.prefix(Self.longestList))
            viewersMayDrive = mayDrive
        case .wantsIn(let number, let name): ask(.request(number, name), now: now)
        case .pairing(let name, let digits): ask(.pairing(name, digits), now: now)
        case .files(let number, let name, let what): ask(.files(number, name, what), now: now)
        case .filesGone(let number): withdraw(files: number, now: now)
        case .note(let sentence): note = sentence
        case .questionGone: settle(now: now)
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
        if let deadline, now >= deadline { answer(false, now: now) }
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

    var isSharing: Bool { if case .sharing = state { true } else { false } }

    var questionElements: [ScreenElement<Action, NoField>] {
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
        case .files(_, let name, let what):
            [
                .warning(Phrase(.menuFiles, name, what)),
                .button(.answerFiles(true), label: Phrase(.menuTakeFiles), role: .prominent),
                .button(.answerFiles(false), label: Phrase(.menuRefuse), role: .cancel),
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
            if let mayDrive = watcher.mayDrive {
                elements.append(
                    .toggle(.viewerControl(watcher.number), label: Phrase(.menuMayControl, name), isOn: mayDrive))
            }
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

    // Shows a question. While another one is shown, offers of files wait, and the others are declined, because users
    // can't compare two codes at once.
    private mutating func ask(_ next: Question, now: Duration) {
        guard question != nil else { return show(next, now: now) }
        if case .files = next, waiting.count < Self.longestWait { return waiting.append(next) }
        refuse(next)
    }

    private mutating func show(_ next: Question, now: Duration) {
        question = next
        deadline = now + Self.patience
    }

    private mutating func answer(_ yes: Bool, now: Duration) {
        switch question {
        case .request(let number, _): effects.append(.answerRequest(number, yes))
        case .pairing: effects.append(.answerPairing(yes))
        case .files(let number, _, _): effects.append(.answerFiles(number, yes))
        case nil: break
        }
        settle(now: now)
    }

    private mutating func refuse(_ question: Question) {
        switch question {
        case .request(let number, _): effects.append(.answerRequest(number, false))
        case .files(let number, _, _): effects.append(.answerFiles(number, false))
        // The host pairs with one device at a time, and refuses a second one by itself.
        case .pairing: break
        }
    }

    private mutating func withdraw(files number: Int, now: Duration) {
        waiting.removeAll { if case .files(number, _, _) = $0 { true } else { false } }
        if case .files(number, _, _) = question { settle(now: now) }
    }

    // Closes the question, and shows the next one that waits.
    private mutating func settle(now: Duration) {
        question = nil
        deadline = nil
        if !waiting.isEmpty { show(waiting.removeFirst(), now: now) }
    }

    private mutating func end(_ next: State) {
        state = next
        watchers = []
        links = nil
        note = nil
        waiting = []
        question = nil
        deadline = nil
    }
}
