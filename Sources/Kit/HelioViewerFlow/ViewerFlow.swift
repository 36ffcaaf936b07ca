public import HelioAppModels
internal import HelioCore
internal import HelioViewing

/// The viewer app without its user-interface framework: selects the screen to show, and executes the effects of the
/// screens' models. Used on the main thread.
///
/// ```swift
/// let flow = ViewerFlow(world: SystemWorld(), store: defaults, deviceName: "iPhone", now: now, date: date)
/// flow.onChange = { draw(flow.place) }
/// flow.begin()
/// ```
///
/// Views pass actions, texts and ticks to the drivers; this class does everything else.
@MainActor
public final class ViewerFlow {
    /// Called when ``place``, ``watching``, ``pad``, ``note`` or ``isFullScreen`` may have changed.
    public var onChange: () -> Void = {}
    /// Enters or leaves full screen; the app then calls ``fullScreenChanged(_:)``.
    public var setFullScreen: (Bool) -> Void = { _ in }

    /// The driver of the list of hosts, which is the first screen.
    public private(set) lazy var hosts = ScreenDriver(HostListModel(), now: now) { [weak self] in self?.perform($0) }
    /// The driver of the settings screen, which begins with the stored settings.
    public private(set) lazy var settings = ScreenDriver(SettingsModel(memory.settings, side: .viewer), now: now) {
        [weak self] in self?.perform($0)
    }
    /// The session that is connected or connecting, for the view that shows its picture.
    public private(set) var watching: (any WatchingSession)?
    /// The picture as a trackpad; `nil` while no session is shown.
    public private(set) var pad: TouchPad?
    /// The session's latest note for the user.
    public private(set) var note: String?
    /// True while the app's window fills the screen.
    public private(set) var isFullScreen = false

    let world: any ViewerWorld
    let memory: ViewerMemory
    let now: () -> Duration
    private let date: () -> Int
    let deviceName: String

    /// The host that the user has chosen to connect to; `nil` if none is chosen, or once its screens are closed.
    var opened: OpenedHost?
    var pairing: ScreenDriver<PairingModel>?
    /// True once the opened host has paired with this device.
    var isPaired = false
    /// The pairing in progress; `nil` if there is none.
    var pairingTry: PairingTry?
    private var connecting: ScreenDriver<ConnectingModel>?
    private var session: ScreenDriver<SessionModel>?
    /// The number of the current session, by which events of earlier sessions are recognised and ignored.
    private var number = 0
    private var isBrowsing = false
    private var isWatching = false
    private var hasPlayed = false
    /// True once a code that was refused for a session has been tried for pairing, too.
    private var hasTriedPairing = false
    private var allowsControl = false
    private var driver = SessionDriver.nobody
    /// The modifiers that the special keyboard holds down at the host, by the protocol's names.
    private var held: Set<String> = []

    /// - Parameters:
    ///   - world: the network, the pairings and the sessions.
    ///   - store: the store of settings and recent hosts.
    ///   - deviceName: this device's name; the user may change it on the pairing screen.
    ///   - now: the time on a monotonic clock with any origin.
    ///   - date: the time in seconds since 1970.
    public init(
        world: any ViewerWorld, store: any KeyValueStore, deviceName: String, now: @escaping () -> Duration,
        date: @escaping () -> Int
    ) {
        self.world = world
        memory = ViewerMemory(store)
        self.deviceName = deviceName
        self.now = now
        self.date = date
    }

    /// The screen to show. The screens for pairing, connecting and the session cover the list of hosts.
    public var place: ViewerPlace {
        if let pairing { return .pairing(pairing) }
        if isWatching, let session { return .session(session) }
        return connecting.map { .connecting($0) } ?? .hosts
    }

    /// Loads the stored hosts, and starts to browse. Called when the app comes to the front.
    public func begin() {
        watching?.setPaused(false)
        reload()
        guard !isBrowsing else { return }
        isBrowsing = true
        world.browse { [weak self] found in
            self?.hosts.handle(.found(found.hosts))
            if let obstacle = found.obstacle { self?.hosts.handle(.searchFailed(obstacle)) }
        }
    }

    /// Handles the app's move to the background: keys and buttons at the host are released, browsing stops, and the
    /// stream is paused.
    public func enterBackground() {
        stopBrowsing()
        release()
        watching?.setPaused(true)
    }

    private func stopBrowsing() {
        isBrowsing = false
        world.stopBrowsing()
    }

    /// Leaves the host before the app exits. Without this call, the host only notices the end of the connection.
    public func quit() {
        release()
        watching?.leave()
        stopBrowsing()
    }

    /// Reports that the app's window has entered or left full screen.
    public func fullScreenChanged(_ isOn: Bool) {
        isFullScreen = isOn
        session?.handle(.fullScreen(isOn))
        onChange()
    }

    /// Sends text from a touch keyboard; line breaks and tabs in the text are sent as keys.
    public func type(_ text: String) {
        var plain = ""
        for character in text {
            guard let key = character.isNewline ? SinkInput.returnKey : character == "\t" ? SinkInput.tabKey : nil
            else {
                plain.append(character)
                continue
            }
            typed(plain)
            plain = ""
            send(SinkInput.press(key))
        }
        typed(plain)
    }

    /// Sends Backspace, for a touch keyboard's delete key.
    public func deleteBackward() { send(SinkInput.press(SinkInput.backspaceKey)) }

    private func typed(_ text: String) { if !text.isEmpty { session?.handle(.typed(text)) } }

    private func send(_ inputs: [SinkInput]) { for input in inputs { watching?.send(input) } }

    private func release() {
        session?.handle(.interrupted)
        pad?.reset()
    }

    func reload() {
        do throws(HelioError) {
            hosts.handle(.paired(try world.pairedHosts()))
        } catch {
            hosts.handle(.searchFailed(error.message))
        }
        hosts.handle(.recent(memory.recent))
    }
}

// MARK: - The list and the settings

extension ViewerFlow {
    private func perform(_ effect: HostListModel.Effect) {
        switch effect {
        case .open(let host): open(OpenedHost(known(host)))
        case .join(let host, let code):
            var opened = OpenedHost(host)
            opened.code = code
            open(opened)
        case .forget(let host): forget(host)
        }
    }

    private func perform(_ effect: SettingsModel.Effect) {
        guard case .store(let wanted) = effect else { return }
        pad?.naturalScrolling = wanted.naturalScrolling
        do {
            try memory.keep(wanted)
            settings.handle(.stored)
        } catch {
            settings.handle(.failed("\(error)"))
        }
    }

    /// Returns the listed host whose name the user has typed, or else the typed text as a host.
    private func known(_ host: ListedHost) -> ListedHost {
        if host.name != host.address || HostFinder.isAddress(host.address) { return host }
        return hosts.model.host(named: host.name) ?? host
    }

    func forget(_ host: ListedHost) {
        do {
            try world.forget(host)
            try memory.forget(host)
        } catch {
            hosts.handle(.searchFailed("\(error)"))
        }
        reload()
    }

    /// Leaves the current session, connects to a host, and shows the connecting screen.
    public func open(_ host: OpenedHost) {
        drop()
        opened = host
        abandon()
        note = nil
        hasTriedPairing = false
        isPaired = false
        pairing = nil
        session = nil
        let model = ConnectingModel(host: host.name, now: now())
        let driver = ScreenDriver(model, now: now) { [weak self] in self?.perform($0) }
        connecting = driver
        onChange()
        driver.tick()
    }
}

// MARK: - Connecting

extension ViewerFlow {
    private func perform(_ effect: ConnectingModel.Effect) {
        switch effect {
        case .connect: connect()
        case .disconnect: drop()
        case .watch: watch()
        case .ask(let ending): ask(ending)
        case .close:
            connecting = nil
            opened = nil
            reload()
        }
        onChange()
    }

    private func connect() {
        guard let opened else { return }
        drop()
        number += 1
        let number = number
        do throws(HelioError) {
            let session = try world.makeSession(with: opened, options: SessionOptions(settings.model.settings)) {
                [weak self] event in
                if self?.number == number { self?.take(event) }
            }
            watching = session
            session.start()
        } catch {
            if error.asksForCode { ask(nil) } else { connecting?.handle(.ended(SessionEnding(error))) }
        }
    }

    /// Leaves the session, and ignores its further events.
    private func drop() {
        number += 1
        watching?.leave()
        watching = nil
        pad = nil
        isWatching = false
        hasPlayed = false
        driver = .nobody
    }

    /// Shows the pairing screen, on which the user can type a code or pair.
    private func ask(_ failure: SessionEnding?) {
        guard var host = opened else { return }
        drop()
        connecting = nil
        host.code = nil
        opened = host
        let model = PairingModel(host: host.name, canPair: !host.isForeign, name: deviceName, failure: failure)
        pairing = ScreenDriver(model, now: now) { [weak self] in self?.perform($0) }
        onChange()
    }

    private func watch() {
        isWatching = true
        guard session == nil, let opened else { return }
        let isSoundOn = settings.model.settings.playsSound
        let model = SessionModel(host: opened.name, isSoundOn: isSoundOn, now: now())
        let driver = ScreenDriver(model, now: now) { [weak self] in self?.perform($0) }
        session = driver
        driver.handle(.fullScreen(isFullScreen))
        remember(opened)
    }

    private func remember(_ host: OpenedHost) {
        var listed = host.listed
        listed.usedAt = date()
        // A failure to store the list must not disturb the session.
        try? memory.remember(listed)
    }
}

// MARK: - The session

extension ViewerFlow {
    private func take(_ event: SessionEvent) {
        switch event {
        case .reached: connecting?.handle(.reached)
        case .letIn: letIn()
        case .playing(let size, let allowsControl): playing(size, allowsControl: allowsControl)
        case .permission(let isAllowed):
            allowsControl = isAllowed
            tellPeople()
        case .driver(let driver):
            self.driver = driver
            tellPeople()
        case .controlRequested(let name):
            session?.handle(.wantsToDrive(number: Self.otherNumber, name: name))
        case .monitors(let monitors, let selected): session?.handle(.monitors(monitors, selected: selected))
        case .sound(let isThere): session?.handle(.sound(isThere: isThere))
        case .figures(let figures): session?.handle(.figures(figures))
        case .disconnected: lost()
        case .note(let text):
            note = text
            onChange()
        case .fullScreenAsked: session?.press(.fullScreen)
        case .ended(let error): ended(error)
        }
    }

    private func letIn() {
        connecting?.handle(.reached)
        connecting?.handle(.letIn)
    }

    private func playing(_ size: PixelSize, allowsControl: Bool) {
        self.allowsControl = allowsControl
        hasPlayed = true
        let pad = pad ?? makePad()
        self.pad = pad
        pad.show(size)
        letIn()
        connecting?.handle(.picture)
        tellPeople()
        onChange()
    }

    private func makePad() -> TouchPad {
        let pad = TouchPad(now: now) { [weak self] in self?.watching?.send($0) }
        pad.naturalScrolling = settings.model.settings.naturalScrolling
        return pad
    }

    private func lost() {
        release()
        isWatching = false
        driver = .nobody
        connecting?.handle(.searching)
        onChange()
    }

    private func ended(_ error: HelioError?) {
        let hadPlayed = hasPlayed
        release()
        // The session is over, so `leave` need not be called.
        watching = nil
        drop()
        session = nil
        guard let error else { return told(.left) }
        if let code = opened?.code, error.reason == "wrong-proof", !hasTriedPairing { return pair(by: code, error) }
        told(error.asksForCode ? .refused("wrong-proof") : SessionEnding(error, hasPlayed: hadPlayed))
    }

    private func told(_ ending: SessionEnding) {
        connecting?.handle(.ended(ending))
        onChange()
    }

    /// Tries a code for pairing that was refused for a session: it may be the pairing code of an unattended host.
    private func pair(by code: String, _ refused: HelioError) {
        guard let host = opened else { return }
        hasTriedPairing = true
        let number = number
        pairingTry = PairingTry(world, host, code: code, name: deviceName) { _ in
            // The closure is never called: pairing by code has no digits to compare.
        } onEnd: { [weak self] result in
            if self?.number == number { self?.paired(by: result, refused) }
        }
    }

    private func paired(by result: Result<String, HelioError>, _ refused: HelioError) {
        guard case .success = result else { return told(SessionEnding(refused)) }
        opened?.code = nil
        connect()
        onChange()
    }

    private func perform(_ effect: SessionModel.Effect) {
        switch effect {
        case .sound(let isOn): watching?.setSound(on: isOn)
        case .fullScreen(let isOn): setFullScreen(isOn)
        case .actualSize(let isOn): watching?.setActualSize(isOn)
        case .askToDrive: send([.requestControl])
        case .handOver: send([.handOver])
        case .monitor(let id): watching?.selectMonitor(id)
        case .keyboard(let message): send(message)
        case .forget:
            if let opened { forget(opened.listed) }
            watching?.leave()
        case .leave: watching?.leave()
        }
    }

    private func send(_ message: SpecialKeyboardModel.Message) {
        send(SinkInput.inputs(for: message, held: held))
        switch message {
        case .keyDown(let keyCode, _): if let name = SinkInput.modifierName(of: keyCode) { held.insert(name) }
        case .keyUp(let keyCode): if let name = SinkInput.modifierName(of: keyCode) { held.remove(name) }
        case .releaseAll: held = []
        case .keyPress, .text: break
        }
    }

    // MARK: People

    /// The numbers of the two entries in the list of viewers: this device and the driver. A host reports only its
    /// driver, not all viewers.
    private static let ownNumber = 1
    private static let otherNumber = 2

    private func tellPeople() {
        var people = SessionPeople()
        people.watchers = [
            .init(number: Self.ownNumber, name: deviceName, drives: allowsControl && driver == .you, isYou: true)
        ]
        people.control = allowsControl ? .free : .forbidden
        switch driver {
        case .nobody: break
        case .you: if allowsControl { people.control = .yours }
        case .other(let name):
            people.watchers.append(.init(number: Self.otherNumber, name: name, drives: true))
            if allowsControl { people.control = .others(name) }
        }
        session?.handle(.people(people))
    }
}
