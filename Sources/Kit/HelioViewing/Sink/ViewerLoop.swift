private import HelioBitstream
private import HelioControlWire
import HelioCore
internal import HelioGround
internal import HelioLoop
private import HelioMedia
private import HelioPlayout
private import HelioRemote
private import HelioRemoteWire
private import HelioSession
internal import HelioSharing
internal import HelioSound

/// A ``Viewer`` on one platform: its connection, its decoding thread and its window.
///
/// Used on the window's thread; `ViewerFeed` receives the stream on the event loop.
final class ViewerLoop<Platform: SinkPlatform>: ViewerTurning {
    private typealias Frame = DecodedFrame<Platform.Decoder.Picture>

    private static var leastInterval: Duration { .milliseconds(50) }

    private let platform: Platform
    let options: Viewer.Options
    private let onStatistics: ((ViewerStatistics) -> Void)?
    let onNote: ((String) -> Void)?
    private let onEvent: ((ViewerSession.Event) -> Void)?
    let watch: HostWatch
    var target: ViewTarget { watch.host.target }
    let window: Platform.Window
    let waker: @Sendable () -> Void
    private let notes: NoteBoard
    private let decoding: DecoderLoop<Platform.Decoder>
    private let decoderThread: WorkerThread

    /// Plays the host's sound; `nil` if this system can't play sound.
    let sound: SoundPlayer?
    /// The setup of each connection: the capabilities, microphone, clipboard and files.
    private var setup = SinkConnection.Setup()
    var microphone: Microphone? { setup.microphone }
    var clipboard: SharedClipboard? { setup.clipboard }
    var files: ViewerFiles? { setup.files }
    var clipboardReads = ClipboardReadNotice()
    /// Events of the exchange of files that this thread has not shown yet.
    let fileNews = ReadQueue(EventQueue<FileEvent>(capacity: 256))
    /// The host's offers of files that the user has not answered yet.
    let offers = FileOffers()
    /// The earliest time at which a transfer's progress is shown again.
    var nextProgress: Instant?
    /// Records the session; `nil` if there is no recording.
    let recording: ViewerRecording?
    /// Writes a line for each shown picture; `nil` without `Options.trace`.
    private let trace: PictureTrace?
    private var timing: PictureTiming
    private var scheduler: FrameScheduler<Frame>
    /// The time at which the next picture is due, if one is delayed for its sound.
    private var nextPicture: Instant?
    /// The damage of the pictures skipped since the last shown one; `nil` means the whole picture.
    private var skipped: Region? = Region()
    private var refusedSeen = 0
    private var meter: ViewerMeter
    private var showsStatistics: Bool

    /// True from a reconnection until the first picture after it.
    private var comesBack = false
    /// The window's key mode.
    var keys: KeyMode
    /// The monitor named in the options, until it has been requested.
    private var wantedMonitor: String?
    /// The time at which the window's message is removed; `nil` for a message that stays.
    private var messageUntil: Instant?
    static var requestTime: Duration { .seconds(10) }
    static var hintTime: Duration { .seconds(4) }
    private var retryAt: Instant?
    private let isClosing = SharedFlag()
    private var pointer: (x: Float, y: Float) = (0.5, 0.5)

    /// Opens the window, and starts the decoding thread; `run` or `begin` connects.
    ///
    /// - Parameters:
    ///   - onEvent: receives the session's events, for an app that shows the session's state itself.
    ///   - wake: called on any thread when `turn` has to be called; `nil` wakes the window's `wait` instead.
    init(
        on platform: Platform, _ target: ViewTarget, _ options: Viewer.Options,
        _ onStatistics: ((ViewerStatistics) -> Void)?, _ onNote: ((String) -> Void)?,
        onEvent: ((ViewerSession.Event) -> Void)? = nil, wake: (@Sendable () -> Void)? = nil
    ) throws(HelioError) {
        self.platform = platform
        watch = HostWatch(target)
        self.options = options
        setup.suite = try options.protection?.suiteOptions(for: target)
        try platform.check(options.decoder)
        try Self.checkDevice(options, of: platform)
        trace = try options.trace.map { path throws(HelioError) in try PictureTrace(path) }
        self.onStatistics = onStatistics
        self.onNote = onNote
        self.onEvent = onEvent
        keys = target.keys(options.keys)
        window = try Self.openWindow(on: platform, target, options)
        if let note = window.note { onNote?(note) }
        let waker = wake ?? window.waker
        self.waker = waker
        let watch = watch
        let notes = NoteBoard(bell: waker)
        self.notes = notes
        decoding = platform.makeDecoderLoop(
            mayReorder: target.isForeign, choice: options.decoder,
            // Other programs don't negotiate the size, so the options' limit does not apply to them.
            mostSamples: PictureLimit.samples(within: target.isForeign ? nil : options.largest), notes: notes,
            bell: waker, needKeyframe: { watch.submit(.keyframeNeeded) })
        let recording = try ViewerRecording(options, target, of: watch, notes: notes)
        self.recording = recording
        let isSoundRecorded = recording?.wantsSound ?? false
        sound = platform.sound.map { platform in
            SoundPlayer(
                of: platform, device: options.soundDevice, isOn: options.sound, volume: Float(options.volume),
                bell: waker,
                wantedChanged: { watch.submit(.sound($0 || isSoundRecorded)) })
        }
        setup.capabilities = StreamCapabilities(
            hardware: platform.hardwareCodecs(of: options.decoder), largest: options.largest,
            takesFullChroma: platform.takesFullChroma,
            // A recording can't contain raw samples, so Opus is requested.
            sound: isSoundRecorded ? [.opus] : sound == nil ? [] : [.pcm, .opus])
        setup.transport = options.transport
        setup.wakesHost = options.wakesHost
        setup.takesParts = platform.decodesParts
        setup.microphone = try Self.makeMicrophone(options, of: platform, beside: sound, watch, notes: notes)
        setup.clipboard = try Self.openClipboard(options, of: platform, for: target, onNote)
        if let wanted = options.files, !target.isForeign { setup.files = try ViewerFiles(wanted) }
        timing = PictureTiming(policy: options.sync.policy)
        scheduler = Self.makeScheduler(refreshRate: window.refreshRate ?? 60)
        showsStatistics = options.showsStatistics
        meter = ViewerMeter(interval: max(options.statisticsInterval, Self.leastInterval), now: MonotonicClock.now)
        wantedMonitor = options.monitor
        decoderThread = WorkerThread(name: "heliograph-decode") { [decoding] in decoding.run() }
    }

    private static func openWindow(
        on platform: Platform, _ target: ViewTarget, _ options: Viewer.Options
    ) throws(HelioError) -> Platform.Window {
        var settings = WindowOptions()
        settings.isFullScreen = options.isFullScreen
        settings.keys = target.keys(options.keys)
        settings.controls = false
        settings.scaleMode = options.scale.mode
        settings.waitingText = "Connecting to \(target.shownHost)"
        return try platform.openWindow(title: "Heliograph: \(target.shownHost)", options: settings)
    }

    private static func makeScheduler(refreshRate: Int) -> FrameScheduler<Frame> {
        var configuration = FrameScheduler<Frame>.Configuration(policy: .timed)
        // The window draws each picture with the damage of the skipped pictures, so one queued picture is enough.
        configuration.cacheLimit = 1
        configuration.refreshInterval = .seconds(1) / refreshRate
        return FrameScheduler(configuration: configuration)
    }

    func run() throws(HelioError) {
        ThreadPriority.raise()
        begin()
        defer {
            end()
            finish()
        }
        do throws(HelioError) {
            while try turn(until: nextDeadline) {}
        } catch {
            guard options.staysOpen, watch.host.hasPlayed, Self.mayBeRead(error) else { throw error }
            try stay(error)
        }
    }

    /// True for an error after which the window stays open, so that the user can read what has happened.
    private static func mayBeRead(_ error: HelioError) -> Bool {
        [.ended, .refused, .unreachable, .protocolViolation].contains(error.code)
    }

    /// Shows the reason for the session's end until the user closes the window. Then throws the error, unless the host
    /// has only stopped sharing.
    private func stay(_ error: HelioError) throws(HelioError) {
        let hasStopped = error.code == .ended
        let why =
            hasStopped && !target.isForeign ? "\(target.shownHost) has stopped sharing." : options.explanation(error)
        onNote?(why)
        watch.disconnect()
        // The session is over, so there is no host to send input to.
        window.setControls(false)
        window.setMessage("\(why) Close this window to end.")
        while !isClosing.isSet, try !window.wait(until: nil).contains(.closeRequested) {}
        if !hasStopped { throw error }
    }

    var closer: @Sendable () -> Void {
        { [isClosing, waker] in
            isClosing.set()
            waker()
        }
    }

    func begin() {
        readFileEvents()
        connect()
    }

    func turn(until: Instant?) throws(HelioError) -> Bool {
        var dropped: [String] = []
        if isClosing.isSet { return false }
        for event in try window.wait(until: until) {
            if case .closeRequested = event { return false }
            if case .dropped(let path) = event { dropped.append(path) }
            handle(event)
        }
        // Files that were dropped together are sent in one batch.
        drop(dropped)
        for news in watch.takeNews() { try show(watch.interpret(news)) }
        hearOfFiles()
        for note in notes.takeAll() + (sound?.takeNotes() ?? []) { onNote?(note) }
        try present()
        let now = MonotonicClock.now
        if let retryAt, retryAt <= now { connect() }
        if let messageUntil, messageUntil <= now { endMessage() }
        if meter.isDue(now: now) { report(now) }
        return true
    }

    var nextDeadline: Instant? {
        let report = meter.nextReport
        return min(report, retryAt ?? report, messageUntil ?? report, nextPicture ?? report)
    }

    // MARK: Connection

    private func connect() {
        retryAt = nil
        setup.hearsHost = (sound?.isWanted ?? false) || (recording?.wantsSound ?? false)
        watch.connect(setup, to: ViewerFeed(decoding, sound, recording), bell: waker)
        // A host that goes to sleep during the session may be meant to.
        setup.wakesHost = false
        window.setTitle(title)
    }

    private func show(_ news: WatchedHost.News) throws(HelioError) {
        switch news {
        case .named: window.setTitle(title)
        case .admitted: onEvent?(.admitted)
        case .playing(let size, let isFirst):
            if isFirst || target.awaitsPublisher {
                // Another program's server may not announce the size.
                onNote?("Watching \(target.shownHost)\(size.area > 0 ? ", \(size)" : "").")
            }
            comesBack = !isFirst && !target.awaitsPublisher
            scheduler.reset()
            skipped = nil
            showPermission()
            if isFirst, options.showsHint { hint() }
            onEvent?(.playing(size, allowsControl: allowsControl))
            window.setWaitingText("Waiting for the first picture")
            watch.askForStatistics()
        case .permission(let allowed):
            showPermission()
            onEvent?(.permission(allowsControl: allowsControl))
            askForWantedMonitor()
            onNote?(
                allowed
                    ? "\(target.shownHost) lets you control it from now on."
                    : "\(target.shownHost) lets you watch only from now on.")
        case .waiting(let place, let note, let isFirst):
            onNote?(note)
            window.setWaitingText(place)
            // The last picture stays visible; before the first one, the window shows its own waiting text.
            if !isFirst { window.setMessage("\(place).") }
        case .note(let text): onNote?(text)
        case .cursorShape(let shape): window.setCursorShape(shape)
        case .cursorMoved(let x, let y):
            if let picture = window.picture?.size {
                let screen = watch.host.monitors.screen
                let size = screen?.even == picture ? screen ?? picture : picture
                window.setCursorPosition((x: Int(x * Float(size.width)), y: Int(y * Float(size.height))))
            }
        case .driver(let driver, let before):
            show(driver, before: before)
            onEvent?(.driver(MirrorSink.Driver(driver)))
            askForWantedMonitor()
        case .monitors(let choice, let before):
            show(choice, before: before)
            onEvent?(.monitors(choice.monitors, selected: choice.selected))
        case .controlRequested(let name):
            let request = "\(name) asks for control."
            onNote?(request)
            onEvent?(.controlRequested(name: name))
            say("\(request) Ctrl+Alt+Shift+D hands it over.", for: Self.requestTime)
        case .statistics(let session, let control): take(session, control)
        case .lost(let error, let next, let isFirst):
            messageUntil = nil
            window.setMessage("Connection lost. Trying again.")
            if isFirst {
                onNote?("Connection lost: \(error.message) Trying again.")
                onEvent?(.disconnected(reason: error.message))
            }
            retryAt = next
        }
    }

    /// Shows a change of the driver. The host ignores this viewer's input while another one drives.
    private func show(_ driver: Driver, before: Driver) {
        if case .other(let name) = driver {
            onNote?("\(name) is in control.")
        } else if case .other(let name) = before {
            onNote?(driver == .you ? "You are in control." : "\(name) is no longer in control.")
        }
        window.setTitle(title)
        endMessage()
    }

    /// Requests control if another viewer drives; otherwise hands over this viewer's control.
    private func changeDriver() {
        guard allowsControl else { return }
        if let otherDriver {
            watch.send(.requestControl)
            say("Asked \(otherDriver) for control.")
        } else {
            watch.send(.handOver)
            say("You gave up control: others may take it.")
        }
    }

    private func show(_ choice: MonitorChoice, before: MonitorChoice) {
        window.setScreenSize(choice.screen)
        if choice.list.count > 1, choice.list != before.list {
            onNote?("The host's monitors: \(choice.names). Ctrl+Alt+Shift+N shows the next.")
        }
        if let old = before.selected, old != choice.selected, let now = choice.selected.flatMap(choice.find) {
            onNote?("The host shows its monitor \(now.name).")
        }
        askForWantedMonitor()
    }

    /// Requests the monitor named in the options, once the list is known and this viewer may choose.
    private func askForWantedMonitor() {
        guard let wanted = wantedMonitor else { return }
        let monitors = watch.host.monitors
        guard !monitors.list.isEmpty else { return }
        if let found = monitors.find(wanted) {
            if found.id != monitors.selected {
                guard allowsControl, otherDriver == nil else { return }
                watch.send(.selectMonitor(id: found.id))
            }
        } else {
            onNote?("The host shows no monitor '\(wanted)' to viewers, but: \(monitors.names).")
        }
        wantedMonitor = nil
    }

    private func showNextMonitor() {
        guard let next = watch.host.monitors.next else {
            return say("The host has no other monitor for viewers.")
        }
        guard allowsControl else {
            return say("You watch only: the host chooses the monitor.")
        }
        if let otherDriver { return say("\(otherDriver) is in control.") }
        watch.send(.selectMonitor(id: next.id))
    }

    /// Shows a message over the picture, for three seconds by default.
    func say(_ message: String, for time: Duration = .seconds(3)) {
        window.setMessage(message)
        messageUntil = MonotonicClock.now + time
    }

    private func endMessage() {
        if messageUntil != nil { window.setMessage(nil) }
        messageUntil = nil
    }

    /// Shows the keyboard shortcut that lists the window's own shortcuts, as all other keys are sent to the host.
    private func hint() {
        let text = "Ctrl+Alt+Shift+H shows the keys of this window, Ctrl+Alt+Shift+Q ends."
        onNote?(text)
        say(allowsControl ? text : "You are watching. \(text)", for: Self.hintTime)
    }

    private var otherDriver: String? { watch.host.otherDriver }

    private var title: String {
        "Heliograph: \(target.shownHost)" + (otherDriver.map { " (\($0) is in control)" } ?? "")
    }

    /// True if the host allows control and the options don't limit this viewer to watching.
    private var allowsControl: Bool { watch.allowsControl && !options.isViewOnly }

    private func showPermission() {
        messageUntil = nil
        window.setControls(allowsControl)
        let isExpected = watch.allowsControl || options.isViewOnly || target.isForeign
        window.setMessage(isExpected ? nil : "You can watch \(target.shownHost), but not control it.")
    }

    func end() {
        watch.disconnect()
        microphone?.stop()
        sound?.stop()
    }

    var finish: @Sendable () -> Void {
        { [watch, recording, decoding, clipboard, files] in
            watch.waitUntilClosed()
            // No connection forwards traffic of files any more.
            files?.shared.stopAndWait()
            // The clipboard is stopped only after the connection was closed: until then, the host can still fetch the
            // clipboard's content to keep it.
            clipboard?.stop()
            recording?.stop()
            decoding.close()
        }
    }

    // MARK: An app's own controls

    func send(_ input: SinkInput) { if allowsControl { watch.send(input.event) } }

    func selectMonitor(_ id: Monitor.ID) {
        if allowsControl, otherDriver == nil { watch.send(.selectMonitor(id: id)) }
    }

    var isSoundOn: Bool {
        get { sound?.isHeard ?? false }
        set { if sound?.isHeard != newValue { sound?.turn(on: newValue) } }
    }

    func setScale(_ scale: Viewer.Scale) { window.setScaleMode(scale.mode) }

    func setPaused(_ isPaused: Bool) {
        if isPaused { watch.send(.releaseAll) }
        watch.setPaused(isPaused)
    }

    // MARK: Pictures

    private func present() throws(HelioError) {
        if let size = decoding.takeRefusedSize() {
            let refusal = "Pictures of \(size) are larger than this viewer takes: they are not shown."
            onNote?(refusal)
            window.setMessage(refusal)
        }
        let heard = sound?.mixer.presented
        timing.handle(presented: heard, now: MonotonicClock.now)
        for frame in decoding.takePictures() {
            let now = MonotonicClock.now
            let due = timing.due(
                captured: frame.frame.sourceTiming?.captured, share: frame.picture.changedShare, now: now)
            scheduler.addFrame(frame, index: frame.frame.frameIndex, pts: due)
        }
        nextPicture = nil
        while true {
            let now = MonotonicClock.now
            switch scheduler.render(now: now) {
            case .show(let shown, let dropped, _):
                for frame in dropped { skipped.add(frame.handle.picture.damage) }
                try show(shown.handle, heard: heard)
            case .wait(let time, let dropped):
                for frame in dropped { skipped.add(frame.handle.picture.damage) }
                if time > .zero {
                    nextPicture = now + time
                    return
                }
            case .idle: return
            }
        }
    }

    /// Shows a picture, and redraws the damage of the skipped pictures too.
    private func show(_ shown: Frame, heard: (captured: Instant, heard: Instant)?) throws(HelioError) {
        var damage = skipped
        damage.add(shown.picture.damage)
        skipped = Region()
        let refused = decoding.refusedPictures
        if refused != refusedSeen {
            refusedSeen = refused
            damage = nil
        }
        let presented = try window.show(shown.picture, damage: damage)
        if comesBack {
            comesBack = false
            onNote?("The host is back.")
        }
        let stages = meter.show(shown, at: presented, heard: heard)
        trace?.write(shown, stages, at: presented - meter.started)
    }

    // MARK: Input

    private func handle(_ event: WindowEvent) {
        switch event {
        case .input(let input): if allowsControl { send(input) }
        case .command(.toggleStatistics):
            showsStatistics.toggle()
            window.setStatistics(showsStatistics ? meter.statistics.lines : nil)
        case .command(.changeDriver): changeDriver()
        case .command(.nextMonitor): showNextMonitor()
        case .command(.toggleFullScreen):
            onEvent?(.fullScreenAsked)
            tell(.toggleFullScreen)
        case .command(.toggleKeys): toggleKeys()
        case .command(.toggleSound): toggleSound()
        case .command(.toggleMicrophone): toggleMicrophone()
        case .command(.toggleClipboard): toggleClipboard()
        case .command(.takeFiles): answerFiles(true)
        case .command(.declineFiles): answerFiles(false)
        case .command(.louder): change(volumeBy: Self.volumeStep)
        case .command(.quieter): change(volumeBy: -Self.volumeStep)
        // The window may have moved to another screen.
        case .resized: scheduler.setRefreshRate(window.refreshRate ?? 0)
        case .command(let command): tell(command)
        case .closeRequested, .dropped, .woken: break
        }
    }

    /// Shows the outcome of a command that the window executes by itself.
    private func tell(_ command: WindowCommand) {
        if let text = window.outcome(of: command) { say(text) }
    }

    private func send(_ input: WindowInput) {
        if input.isPress, let otherDriver { say("\(otherDriver) is in control.") }
        switch input {
        case .pointerMoved(let x, let y):
            pointer = (Float(x), Float(y))
            watch.send(.pointerMove(x: pointer.x, y: pointer.y))
        case .pointerMovedBy(let dx, let dy): watch.send(.relativeMove(dx: dx, dy: dy))
        case .button(let button, let isDown):
            watch.send(.button(button, isDown: isDown, x: pointer.x, y: pointer.y))
        case .touch(let phase, let x, let y, let pressure):
            watch.send(.touch(TouchPhase(phase), x: Float(x), y: Float(y), pressure: Float(pressure)))
        case .scrolled(let dx, let dy): watch.send(.scroll(dx: dx, dy: dy))
        case .key(let usage, let modifiers, let isDown):
            watch.send(.key(usage: usage, modifiers: KeyModifiers(rawValue: modifiers), isDown: isDown))
        case .character(let character, let usage): watch.send(.character(character, usage: usage))
        case .text(let text): watch.send(.text(text))
        case .locks(let locks): watch.send(.locks(locks))
        case .focusGained: break
        case .focusLost: watch.send(.releaseAll)
        }
    }

    // MARK: Statistics

    private func take(_ session: SinkStatistics, _ control: ViewerControl.Statistics?) {
        let now = MonotonicClock.now
        meter.take(session, control, now: now)
        tellOfClipboardReads(session.clipboard?.transfersSent ?? 0, now: now)
    }

    private func report(_ now: Instant) {
        let hadHeard = meter.hasHeard
        let statistics = meter.report(parts, now: now)
        if meter.hasHeard != hadHeard { onEvent?(.sound(isThere: true)) }
        onStatistics?(statistics)
        trace?.flush()
        if showsStatistics { window.setStatistics(statistics.lines) }
        watch.askForStatistics()
    }

    /// The state of all parts, for a report.
    private var parts: ViewerMeter.Parts {
        .init(
            decoder: decoding.summary,
            sound: sound.map { .init(report: $0.mixer.report, status: $0.status, isOn: $0.isHeard) },
            microphone: microphone?.status, recording: recording?.status, files: files?.shared.traffic,
            drops: .sum(
                decoding, watch, scheduler.drops.named("present-"), notes, sound?.mixer, files?.shared, fileNews))
    }
}

extension WindowInput {
    /// True for a press, a scroll or text. While another viewer drives, a message reports that such input has no
    /// effect.
    fileprivate var isPress: Bool {
        switch self {
        case .button(_, let isDown), .key(_, _, let isDown): isDown
        case .touch(let phase, _, _, _): phase == .down
        case .character, .text, .scrolled: true
        case .pointerMoved, .pointerMovedBy, .locks, .focusGained, .focusLost: false
        }
    }
}

extension TouchPhase {
    fileprivate init(_ phase: WindowTouchPhase) {
        self =
            switch phase {
            case .down: .down
            case .move: .move
            case .up: .up
            case .cancelled: .cancelled
            }
    }
}
