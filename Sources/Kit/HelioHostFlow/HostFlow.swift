public import HelioAppModels
private import HelioCore

/// The host app without its views: executes the effects of the models of its menu and preferences, and reports events
/// to these models (requirement row 103).
///
/// Views draw ``menu`` and ``settings``, and pass the user's actions to them; nothing else has to be called.
@MainActor
public final class HostFlow {
    /// The interval at which viewers, drivers and the system's permissions are polled.
    public static let interval = Duration.seconds(1)

    /// Runs the model of the menu in the menu bar: the app draws the model, and passes it the user's actions.
    public private(set) lazy var menu = ScreenDriver(
        HostMenuModel(), now: { [surroundings] in surroundings.now() }, perform: { [weak self] in self?.perform($0) })
    /// Runs the model of the preferences screen, which begins with the stored settings.
    public private(set) lazy var settings = ScreenDriver(
        SettingsModel(AppSettings(from: surroundings.store), side: .host),
        now: { [surroundings] in surroundings.now() }, perform: { [weak self] in self?.perform($0) })

    private let surroundings: HostSurroundings
    /// The number of the current attempt to share, by which a task of an earlier attempt recognises that it is
    /// obsolete.
    private var attempt = 0
    private var sharing: (any HostSharing)?
    /// The options that the current session was started with.
    private var started = SharingOptions()
    private var mayDrive = true
    private var isHeard = true
    private var isViewOnly = false
    private var question: Int?
    /// The tasks of the current session: one reads events, one polls viewers and permissions.
    private var watching: [Task<Void, Never>] = []
    /// The task of the current attempt to share, until the attempt has succeeded or failed.
    private var starting: Task<Void, Never>?
    /// The task that ends the previous session. The next session waits for it, because both use the same ports.
    private var ending: Task<Void, Never>?

    /// Makes the flow, without starting to share.
    public init(_ surroundings: HostSurroundings) {
        self.surroundings = surroundings
        menu.handle(.startsAtLogin(surroundings.loginItem.isEnabled))
    }

    /// Ends sharing. The app has to await this call before it exits.
    public func close() async {
        stop()
        await ending?.value
    }

    // MARK: Effects

    private func perform(_ effect: HostMenuModel.Effect) {
        switch effect {
        case .start: start()
        case .stop:
            stop()
            menu.handle(.stopped)
        case .takeBack: setControl(false)
        case .letDrive: setControl(true)
        case .disconnect(let number): sharing?.putOut(UInt64(clamping: number))
        // The host admits viewers only by code or pairing, so there are no requests to answer.
        case .answerRequest: break
        case .answerPairing(let isSame): answer(isSame)
        case .answerFiles(let question, let accepts): sharing?.answerFiles(question, accepts: accepts)
        case .viewerControl(let number, let isAllowed):
            guard !isAllowed || !settings.model.settings.viewOnly else { return }
            Task { [sharing] in
                await sharing?.setControl(isAllowed, of: UInt64(clamping: number))
                await lookNow()
            }
        case .monitor(let id):
            // The error for a monitor that was just unplugged is ignored, because the menu gets the new list.
            try? sharing?.selectMonitor(id)
        case .setStartAtLogin(let wanted): setLogin(wanted)
        case .openPreferences: surroundings.openPreferences()
        case .openPrivacySettings:
            surroundings.permissions.openSettings(toRecord: !surroundings.permissions.mayRecord)
        case .quit:
            Task {
                await close()
                surroundings.quit()
            }
        }
    }

    private func perform(_ effect: SettingsModel.Effect) {
        guard case .store(let wanted) = effect else { return }
        do {
            try wanted.store(in: surroundings.store)
            settings.handle(.stored)
        } catch {
            settings.handle(.failed(Self.words(error)))
        }
        follow(wanted)
    }

    private func setLogin(_ wanted: Bool) {
        do {
            try surroundings.loginItem.set(wanted)
            menu.handle(.startsAtLogin(surroundings.loginItem.isEnabled))
        } catch {
            menu.handle(.loginItemFailed(Self.words(error)))
        }
    }

    private func answer(_ isSame: Bool) {
        guard let question else { return }
        self.question = nil
        sharing?.answerPairing(question, !isSame ? .deny : settings.model.settings.viewOnly ? .watch : .control)
    }

    private func setControl(_ isAllowed: Bool) {
        // The preference `viewOnly` takes precedence: control is not granted against it.
        guard sharing != nil, !isAllowed || !settings.model.settings.viewOnly else { return }
        mayDrive = isAllowed
        sharing?.setControl(isAllowed)
        look()
    }

    // MARK: Sharing

    private var wanted: SharingOptions {
        let settings = settings.model.settings
        var options = SharingOptions()
        options.name = settings.name
        options.isAnnounced = settings.announces
        options.sharesSound = settings.sharesSound
        options.isViewOnly = settings.viewOnly || !surroundings.permissions.mayAct
        return options
    }

    private func start() {
        guard surroundings.permissions.mayRecord else {
            surroundings.permissions.askToRecord()
            return menu.handle(.noScreenPermission)
        }
        if !surroundings.permissions.mayAct, !settings.model.settings.viewOnly { surroundings.permissions.askToAct() }
        attempt += 1
        let (mine, options, before) = (attempt, wanted, ending)
        starting = Task {
            defer { if mine == attempt { starting = nil } }
            await before?.value
            guard mine == attempt else { return }
            do {
                let fresh = try await surroundings.share(options)
                // A session without a code is useless, so it is ended.
                guard mine == attempt, let code = try? await fresh.code(), mine == attempt else {
                    await fresh.stop()
                    if mine == attempt { end(because: "it ended at once") }
                    return
                }
                begin(fresh, options, code: code)
            } catch {
                guard mine == attempt else { return }
                end(because: Self.words(error))
            }
        }
    }

    private func begin(_ fresh: any HostSharing, _ options: SharingOptions, code: String) {
        sharing = fresh
        started = options
        mayDrive = !options.isViewOnly
        isHeard = options.sharesSound
        isViewOnly = options.isViewOnly
        show(code: code)
        menu.handle(.inputPermission(surroundings.permissions.mayAct || settings.model.settings.viewOnly))
        let (all, selected) = fresh.monitors
        menu.handle(.monitors(all, selected: selected))
        let mine = attempt
        watching = [
            Task { [weak self] in
                for await event in fresh.events {
                    guard let self, mine == attempt else { return }
                    take(event)
                }
            },
            Task { [weak self, sleep = surroundings.sleep] in
                while (try? await sleep(Self.interval)) != nil {
                    guard let self, mine == attempt else { return }
                    followPermission()
                    menu.tick()
                    await lookNow()
                }
            },
        ]
        look()
    }

    private func take(_ event: SharingEvent) {
        switch event {
        case .code(let code): show(code: code)
        case .people: look()
        case .files(let question, let name, let what): menu.handle(.files(number: question, name: name, what: what))
        case .filesOver(let over): menu.handle(.filesGone(number: over))
        case .note(let sentence): menu.handle(.note(sentence))
        case .pairing(let question, let name, let digits):
            // A further question is denied while one is shown, because users can't compare two codes at once.
            guard self.question == nil else { return sharing?.answerPairing(question, .deny) ?? () }
            self.question = question
            menu.handle(.pairing(name: name, digits: digits))
        case .pairingOver(let over):
            guard over == question else { return }
            question = nil
            menu.handle(.questionGone)
        case .monitors(let all, let selected): menu.handle(.monitors(all, selected: selected))
        case .failed(let reason):
            stop()
            end(because: reason)
        }
    }

    private func show(code: String) {
        menu.handle(.sharing(code: code))
        let mine = attempt
        Task {
            guard let sharing, let links = await sharing.links(), mine == attempt else { return }
            menu.handle(.links(links))
        }
    }

    private func end(because reason: String) {
        // A revoked permission to record is shown in the menu instead of the error, because only the user can grant it.
        menu.handle(surroundings.permissions.mayRecord ? .failed(reason) : .noScreenPermission)
    }

    private func stop() {
        attempt += 1
        for task in watching { task.cancel() }
        watching = []
        question = nil
        // The attempt detects that it is obsolete, and ends its own session.
        if let starting { ending = starting }
        starting = nil
        guard let sharing else { return }
        self.sharing = nil
        ending = Task { await sharing.stop() }
    }

    private func look() { Task { await lookNow() } }

    private func lookNow() async {
        let mine = attempt
        guard let sharing else { return }
        let viewers = await sharing.viewers()
        guard mine == attempt else { return }
        let people = viewers.map {
            SessionPeople.Watcher(
                number: Int(clamping: $0.number), name: $0.name, drives: $0.drives, mayDrive: $0.mayDrive)
        }
        menu.handle(.people(people, viewersMayDrive: mayDrive))
    }

    // MARK: Preferences

    /// Applies changed preferences to the session. The session is restarted if control or sound is permitted that it
    /// was started without, or if announcing changes; viewers are notified of the end, and paired viewers reconnect by
    /// themselves.
    private func follow(_ settings: AppSettings) {
        guard let sharing else { return }
        if (started.isViewOnly && !wanted.isViewOnly) || (!started.sharesSound && settings.sharesSound)
            || started.isAnnounced != settings.announces
        {
            return restart()
        }
        if started.sharesSound, isHeard != settings.sharesSound {
            isHeard = settings.sharesSound
            // The error is ignored: without sound to capture, the setting has no effect.
            try? sharing.setSound(isHeard)
        }
        // Control that was revoked in the menu stays revoked unless this setting changes.
        guard isViewOnly != settings.viewOnly else { return }
        isViewOnly = settings.viewOnly
        mayDrive = !isViewOnly
        sharing.setControl(mayDrive)
        look()
    }

    private func followPermission() {
        guard started.isViewOnly, !wanted.isViewOnly else {
            // If the permission to inject input was revoked, viewers' input has no effect, and the menu shows a
            // warning.
            return menu.handle(
                .inputPermission(surroundings.permissions.mayAct || settings.model.settings.viewOnly))
        }
        restart()
    }

    private func restart() {
        stop()
        menu.handle(.stopped)
        menu.press(.start)
    }

    private static func words(_ error: any Error) -> String { (error as? HelioError)?.message ?? "\(error)" }
}
