/// The full-screen session: an auto-hiding bar, its panels, the special keyboard, statistics, and another viewer's
/// request to drive.
public struct SessionModel: ScreenModel {
    /// A panel of the bar.
    public enum Panel: Hashable, Sendable {
        case people
        case monitors
        case more
    }

    /// An action that the user can take on this screen.
    public enum Action: Hashable, Sendable {
        case showBar
        case hideBar
        case panel(Panel)
        case sound
        case keys
        case statistics
        case fullScreen
        case actualSize
        case askToDrive
        /// Hands over control to the viewer with this number; `nil` hands it to the next viewer that sends input.
        case handOver(Int?)
        case decline
        case monitor(String)
        case forget
        case leave
        /// A key of the special keyboard, by its position.
        case key(row: Int, column: Int)
    }

    /// An event that the app reports to the model.
    public enum Event: Hashable, Sendable {
        case people(SessionPeople)
        case wantsToDrive(number: Int, name: String)
        case monitors([SessionMonitor], selected: String?)
        /// True if the host sends sound.
        case sound(isThere: Bool)
        /// The statistics as names and values for display.
        case figures([Figure])
        case fullScreen(Bool)
        /// Text typed on the touch keyboard.
        case typed(String)
        /// The app goes to the background, or the connection is lost; all keys have to be released.
        case interrupted
    }

    /// One value of the statistics.
    public struct Figure: Hashable, Sendable {
        /// The figure's name, such as a stage of the latency; may be empty.
        public var name: String
        /// The formatted value.
        public var value: String

        /// Makes a figure from a name and a value that is formatted for display.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// An effect that the app has to execute.
    public enum Effect: Hashable, Sendable {
        case sound(Bool)
        case fullScreen(Bool)
        case actualSize(Bool)
        case askToDrive
        case handOver(Int?)
        case monitor(String)
        case keyboard(SpecialKeyboardModel.Message)
        case forget
        case leave
    }

    /// The time after which an unused bar is hidden.
    public static let barTime = Duration.milliseconds(2500)
    /// The time for which a request to drive is shown.
    public static let wishTime = Duration.seconds(20)
    /// The maximum number of viewers, monitors or figures that are listed.
    public static let longestList = 100

    /// The effects that have not been executed yet.
    public var effects = EffectQueue<Effect>()
    /// The special keyboard below the picture.
    public private(set) var keyboard = SpecialKeyboardModel()
    /// True while the bar is shown.
    public private(set) var isBarShown = true
    /// True if each pixel of the host's screen is shown as one pixel of this device; false if the picture is fitted to
    /// the window.
    public private(set) var isActualSize = false
    private let host: String
    private var barUntil: Duration?
    private var panel: Panel?
    private var people = SessionPeople()
    private var wish: (number: Int, name: String, until: Duration)?
    private var monitors: [SessionMonitor] = []
    private var selected: String?
    private var hasSound = false
    private var isSoundOn: Bool
    private var figures: [Figure] = []
    private var showsFigures = false
    private var isFull = false

    /// Makes the screen of a session that has just begun: the bar is shown, and hides after ``barTime``.
    public init(host: String, isSoundOn: Bool = true, now: Duration) {
        self.host = host
        self.isSoundOn = isSoundOn
        barUntil = now + Self.barTime
    }

    /// Executes an action. Every action except a key shows the bar, and restarts ``barTime``.
    public mutating func press(_ action: Action, now: Duration) {
        // A tap on the special keyboard must not keep the bar open.
        if case .key(let row, let column) = action { return send(keyboard.tap(row: row, column: column)) }
        stay(now: now)
        switch action {
        case .showBar, .key: break
        case .hideBar: hide()
        case .panel(let wanted): open(panel == wanted ? nil : wanted, now: now)
        case .sound, .fullScreen, .actualSize, .statistics, .keys: toggle(action)
        case .askToDrive: effects.append(.askToDrive)
        case .handOver(let number): handOver(to: number)
        case .decline: wish = nil
        case .monitor(let id): if monitors.contains(where: { $0.id == id }) { effects.append(.monitor(id)) }
        case .forget: effects.append(.forget)
        case .leave:
            send(keyboard.releaseAll())
            effects.append(.leave)
        }
    }

    /// Adopts a state that the host or the system reports, or sends typed text to the host.
    public mutating func handle(_ event: Event, now: Duration) {
        switch event {
        case .people(let people):
            self.people = people
            self.people.watchers = Array(people.watchers.prefix(Self.longestList))
            if people.control != .yours { wish = nil }
        case .wantsToDrive(let number, let name):
            if people.control == .yours { wish = (number, name, now + Self.wishTime) }
        case .monitors(let list, let id):
            monitors = Array(list.prefix(Self.longestList))
            selected = id
            if monitors.count < 2, panel == .monitors { panel = nil }
        case .sound(let isThere): hasSound = isThere
        case .figures(let figures): self.figures = Array(figures.prefix(Self.longestList))
        case .fullScreen(let isFull): self.isFull = isFull
        case .typed(let text): send(keyboard.type(text))
        case .interrupted: send(keyboard.releaseAll())
        }
    }

    /// Hides the bar after ``barTime``, and a request to drive after ``wishTime``.
    public mutating func tick(now: Duration) {
        if let wish, now >= wish.until { self.wish = nil }
        if let barUntil, now >= barUntil { hide() }
    }

    /// The time of the next necessary call of `tick(now:)`; `nil` for none.
    public var deadline: Duration? { [barUntil, wish?.until].compactMap { $0 }.min() }

    /// The accessibility label of the picture.
    public var pictureLabel: Phrase { Phrase(.sessionPicture, host) }

    /// The screen as it has to be drawn now.
    public var screen: Screen<Action, NoField> {
        var elements = isBarShown ? bar : [button(.showBar, .sessionShowBar)]
        if isBarShown, let panel { elements += content(of: panel) }
        if showsFigures {
            elements.append(.heading(Phrase(.sessionStatistics)))
            elements += figures.map { .text(Phrase(.sessionFigure, $0.name, $0.value)) }
        }
        if let wish {
            elements += [
                .warning(wish.name.isEmpty ? Phrase(.sessionSomebody) : Phrase(.sessionWantsToDrive, wish.name)),
                .button(.handOver(wish.number), label: Phrase(.sessionGive), role: .prominent),
                .button(.decline, label: Phrase(.sessionNotNow), role: .cancel),
            ]
        }
        return Screen(.verbatim(host), message: people.driver, elements)
    }

    private var bar: [ScreenElement<Action, NoField>] {
        var bar = [button(.panel(.people), .sessionPeople)]
        if monitors.count > 1 { bar.append(button(.panel(.monitors), .sessionMonitors)) }
        bar.append(toggle(.actualSize, .sessionActualSize, isActualSize))
        if hasSound { bar.append(toggle(.sound, .sessionSound, isSoundOn)) }
        return bar + [
            toggle(.keys, .sessionKeys, keyboard.isShown), toggle(.statistics, .sessionStatistics, showsFigures),
            toggle(.fullScreen, .sessionFullScreen, isFull), button(.panel(.more), .sessionMore),
        ]
    }

    private func content(of panel: Panel) -> [ScreenElement<Action, NoField>] {
        switch panel {
        case .people: [.heading(Phrase(.sessionPeople))] + people.watchers.flatMap(rows) + control
        case .monitors:
            [.heading(Phrase(.sessionMonitors))]
                + monitors.map {
                    .choice(.monitor($0.id), label: $0.label, detail: $0.detail, isChosen: $0.id == selected)
                } + [.text(Phrase(.sessionMonitorHint))]
        case .more:
            [
                .button(.forget, label: Phrase(.sessionForget), role: .destructive),
                .button(.leave, label: Phrase(.sessionLeave), role: .standard),
            ]
        }
    }

    private func rows(of watcher: SessionPeople.Watcher) -> [ScreenElement<Action, NoField>] {
        let name = watcher.name.isEmpty ? Phrase(.sessionViewer, "\(watcher.number)") : .verbatim(watcher.name)
        var rows: [ScreenElement<Action, NoField>] = [.text(name)]
        if watcher.isYou { rows.append(.text(Phrase(.sessionYou))) }
        if watcher.drives { rows.append(.text(Phrase(.sessionDrivesNote))) }
        if people.control == .yours, !watcher.isYou {
            let whom = watcher.name.isEmpty ? "\(watcher.number)" : watcher.name
            rows.append(.button(.handOver(watcher.number), label: Phrase(.sessionHandOver, whom), role: .standard))
        }
        return rows
    }

    private var control: [ScreenElement<Action, NoField>] {
        switch people.control {
        case .yours: [button(.handOver(nil), .sessionLetOthers)]
        case .others: [button(.askToDrive, .sessionAsk)]
        case .free, .forbidden: []
        }
    }

    private func button(_ action: Action, _ label: AppText) -> ScreenElement<Action, NoField> {
        .button(action, label: Phrase(label), role: .standard)
    }

    private func toggle(_ action: Action, _ label: AppText, _ isOn: Bool) -> ScreenElement<Action, NoField> {
        .toggle(action, label: Phrase(label), isOn: isOn)
    }

    private mutating func toggle(_ action: Action) {
        switch action {
        case .sound where hasSound:
            isSoundOn.toggle()
            effects.append(.sound(isSoundOn))
        // The system reports the new state by an event, because it may refuse.
        case .fullScreen: effects.append(.fullScreen(!isFull))
        case .actualSize:
            isActualSize.toggle()
            effects.append(.actualSize(isActualSize))
        case .statistics: showsFigures.toggle()
        case .keys: send(keyboard.toggle())
        default: break
        }
    }

    private mutating func handOver(to number: Int?) {
        guard people.control == .yours else { return }
        wish = nil
        effects.append(.handOver(number))
    }

    private mutating func send(_ messages: [SpecialKeyboardModel.Message]) {
        for message in messages { effects.append(.keyboard(message)) }
    }

    private mutating func open(_ wanted: Panel?, now: Duration) {
        panel = wanted
        barUntil = wanted == nil ? now + Self.barTime : nil
    }

    private mutating func stay(now: Duration) {
        isBarShown = true
        barUntil = panel == nil ? now + Self.barTime : nil
    }

    private mutating func hide() {
        isBarShown = false
        panel = nil
        barUntil = nil
    }
}
