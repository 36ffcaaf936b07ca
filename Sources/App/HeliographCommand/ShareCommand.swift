internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioGround
internal import HelioTerminal
internal import Heliograph

/// `heliograph share`: shares this machine's screen, and handles keys and questions at its terminal.
struct ShareCommand: AsyncParsableCommand, NotConfigured {
    static let onlyTyped: Set<String>? = ["list", "list-android", "android-diagnose"]

    static let configuration = CommandConfiguration(
        commandName: "share", abstract: "Share this machine's screen.",
        discussion: """
            Prints a link that lets one viewer in; after it is used there is a new one. Ends with Ctrl-C.

            In a terminal, keys work at any time: t takes control back at once, g lets viewers control again, l lists who \
            watches, o shows the link and its QR code, m shares the next monitor, s turns the sound off and on, v viewers' \
            voices (--hear), p the clipboard, f takes files and r refuses them, q stops, ? helps. The last row tells who \
            watches and who is in control.

            With --stats standard output has the lines of JSON alone, and all else goes to standard error.
            """)

    @Option(help: "X display to share, such as :0. Default: $DISPLAY, unless it is Xwayland's, which has to be named.")
    var display: String?

    @Option(
        help: ArgumentHelp(
            "How the screen is captured: x11, wlr (sway and its kind), gnome, kde, portal, or auto. See --list.",
            valueName: "way"), completion: .list(["auto", "x11", "wlr", "gnome", "kde", "portal"]))
    var capture = "auto"

    @Option(
        help: "Monitor, by number or name as in --list. Default: the primary one.",
        completion: .custom(ShareCompletion.monitors))
    var screen: String?

    @Option(
        help: ArgumentHelp(
            """
            Share what a broadcast extension relays to this socket, instead of a screen of this machine. Its folder is to be \
            yours alone.
            """,
            valueName: "socket"), completion: .file())
    var relay: String?

    @Option(help: "Address to listen on. Default: all of IPv4 and IPv6.")
    var address: String?

    @Option(help: "TCP and UDP port; input has the next UDP port. 0 takes any free ones. Default: 7236, or free ones.")
    var port: Int?

    @Option(help: "The most frames a second, 1 to 240.")
    var fps = 60

    @Option(help: "The most bits a second, such as 20M or 800k.")
    var bitrate = "20M"

    @Option(
        help: ArgumentHelp(
            "What follows the viewers' network: auto: bitrate, then size and frame rate; rate: the bitrate alone; off.",
            valueName: "what"), completion: .list(["auto", "rate", "off"]))
    var adapt = "auto"

    @Option(help: "The largest picture, such as 1280x720: a larger screen is scaled down. Default: as large as it is.")
    var maxSize: String?

    @Option(
        help: "Colour resolution: 420 for least bandwidth, 444 for sharp coloured text.",
        completion: .list(["420", "444"]))
    var chroma = "420"

    @Option(
        help: "Video codec: h264, h265, or auto: H.265 where both ends do it by hardware, else H.264.",
        completion: .list(["auto", "h264", "h265"]))
    var codec = "auto"

    @Option(
        help: "The video encoder: auto, software, or a name as in --list.",
        completion: .custom(ShareCompletion.encoders))
    var encoder = "auto"

    @Option(help: "The most moves of the pointer a second that viewers send, 1 to 1000. Default: 120.")
    var inputRate: Int?

    @Option(
        help: ArgumentHelp(
            "The sound to share: system, what this machine plays; mic; both; or off. It is taken only while somebody hears it.",
            valueName: "what"), completion: .list(["system", "mic", "both", "off"]))
    var sound = "system"

    @Option(help: "The device whose sound is taken, by its name as in --list. Default: the system's default.")
    var soundDevice: String?

    @Option(
        help: ArgumentHelp(
            "The codec of sound for --rtsp and --publish: aac, which all take; opus, which comes sooner; pcm; or off.",
            valueName: "codec"), completion: .list(["aac", "opus", "pcm", "off"]))
    var streamSound = "aac"

    @Flag(
        help: """
            Hear viewers that start with --mic: their voices are a microphone of this machine, 'Heliograph viewers', for \
            its other programs.
            """)
    var hear = false

    @Flag(help: "Viewers may watch and listen but not control.")
    var viewOnly = false

    @Flag(help: "Let the screen go dark or lock itself even while somebody watches.")
    var noKeepAwake = false

    @Option(
        defaultAsFlag: PlayerArguments.usualEndpoint,
        help: "Let ordinary players (FFmpeg, GStreamer, VLC) watch by RTSP, not encrypted, at HOST:PORT.")
    var rtsp: String?

    @Option(help: PlayerArguments.credentialsHelp, completion: .file())
    var rtspCredentials: String?

    @Option(
        help: ArgumentHelp(
            "Push the screen to the RTSP server at rtsp://[USER@]HOST[:PORT]/PATH, not encrypted, or rtsps://.",
            valueName: "url"))
    var publish: String?

    @Option(help: PlayerArguments.serverCredentialsHelp, completion: .file())
    var publishCredentials: String?

    @Flag(help: "Send no UDP to that server, but all within the RTSP connection.")
    var publishTcp = false

    @Flag(help: "List displays, ways to capture, encoders and sound devices, and why each is or is not usable.")
    var list = false

    @Flag(help: "With --list: also what the session offers to capture its screen, for a report of a fault.")
    var verbose = false

    @Option(help: "Write the link to this file too, readable by you alone.", completion: .file())
    var linkFile: String?

    @Option(
        help: "Pair one device that knows the code in this file, without asking; see 'devices make-code'.",
        completion: .file())
    var pairCodeFile: String?

    @Option(help: "What this machine is called on devices that are paired with it. Default: its host name.")
    var name: String?

    @Flag(help: "Don't announce this machine on the local network: nobody finds it by its name.")
    var noDiscovery = false

    @OptionGroup(title: "Who may come") var access: AccessArguments

    @OptionGroup(title: "Browsers") var web: WebArguments

    @OptionGroup(title: "Any network") var rendezvous: RendezvousArguments

    @OptionGroup(title: "Files") var fileArguments: FileArguments

    @OptionGroup(title: "Clipboard") var clipboard: ClipboardArguments

    @OptionGroup(title: "Recording") var recording: RecordingArguments

    @OptionGroup(title: "Broadcasts") var broadcasting: BroadcastArguments

    @OptionGroup(title: "Android") var phone: AndroidArguments

    @OptionGroup(title: "Statistics") var statistics: StatisticsArguments

    @OptionGroup(title: "Suites") var suite: SuiteArguments

    /// The progress of the current file transfer.
    private var transfer: TransferProgress { .shared }

    func validate() throws {
        if let port, !(0...65534).contains(port) {
            throw ValidationError("--port \(port): give a number from 0 to 65534.")
        }
        if verbose, !list { throw ValidationError("--verbose: only with --list.") }
        if !(1...240).contains(fps) { throw ValidationError("--fps \(fps): give a number from 1 to 240.") }
        if !["420", "444"].contains(chroma) { throw ValidationError("--chroma \(chroma): give 420 or 444.") }
        if !["auto", "h264", "h265"].contains(codec) {
            throw ValidationError("--codec \(codec): give auto, h264 or h265.")
        }
        if BitrateArgument.parse(bitrate) == nil {
            throw ValidationError("--bitrate \(bitrate): give a number from 100k to 500M, such as 8M or 800k.")
        }
        if MirrorSource.Adaptation(rawValue: adapt) == nil {
            throw ValidationError("--adapt \(adapt): give auto, rate or off.")
        }
        guard let sharing = SoundArgument.parse(sound) else {
            throw ValidationError("--sound \(sound): give system, mic, both or off.")
        }
        if !["aac", "opus", "pcm", "off"].contains(streamSound) {
            throw ValidationError("--stream-sound \(streamSound): give aac, opus, pcm or off.")
        }
        if sharing == .off, soundDevice != nil {
            throw ValidationError("--sound-device: with --sound off none is taken. Leave one of them out.")
        }
        if access.pairedOnly, linkFile != nil || web.webLinkFile != nil {
            throw ValidationError("--paired-only: there is no link to write into a file. Leave one of them out.")
        }
        if relay != nil {
            let others = [
                ("--display", display != nil), ("--capture", capture != "auto"), ("--screen", screen != nil),
                ("--max-size", maxSize != nil),
                ("--encoder", encoder != "auto"), ("--chroma", chroma != "420"), ("--sound-device", soundDevice != nil),
            ]
            if let other = others.first(where: { $0.1 }) {
                throw ValidationError(
                    "\(other.0): with --relay it is the extension's to decide. Leave one of them out.")
            }
        }
        if phone.android != nil {
            let others = [
                ("--relay", relay != nil), ("--display", display != nil), ("--screen", screen != nil),
                ("--encoder", encoder != "auto"), ("--chroma", chroma != "420"), ("--sound-device", soundDevice != nil),
                ("--sound \(sound)", sharing == .microphone || sharing == .both),
            ]
            if let other = others.first(where: { $0.1 }) {
                throw ValidationError("\(other.0): not with --android. Leave one of them out.")
            }
        }
        if let inputRate, !MirrorSource.Options.inputRates.contains(inputRate) {
            throw ValidationError("--input-rate \(inputRate): give a number from 1 to 1000.")
        }
        _ = try maxSize.map { try SizeArgument.parse($0) }
        if let rtsp { _ = try PlayerArguments.endpoint(rtsp, of: "--rtsp") }
        try checkNeeds()
    }

    private func checkNeeds() throws {
        try OptionNeed.check("--rtsp", rtsp != nil, for: [("--rtsp-credentials", rtspCredentials != nil)])
        try OptionNeed.check(
            "--publish", publish != nil,
            for: [("--publish-credentials", publishCredentials != nil), ("--publish-tcp", publishTcp)])
    }

    func run() async throws {
        if list { return try listEverything() }
        if phone.listAndroid { return try await phone.list() }
        if let options = try phone.options(), phone.androidDiagnose {
            return try await AndroidDiagnosis.run(options) { say($0) }
        }
        var options = MirrorSource.Options()
        options.display = display
        options.capture = capture == "auto" ? nil : capture
        options.screen = screen
        if let address { options.address = address }
        options.port = port ?? options.port
        options.framesPerSecond = fps
        options.bitrate = BitrateArgument.parse(bitrate) ?? options.bitrate
        options.adaptation = MirrorSource.Adaptation(rawValue: adapt) ?? options.adaptation
        options.largest = try maxSize.map { try SizeArgument.parse($0) }
        options.fullChroma = chroma == "444"
        options.format = codec == "auto" ? nil : codec == "h265" ? .hevc : .avc
        options.encoder = CodecChoice(encoder)
        options.sound = SoundArgument.parse(sound) ?? options.sound
        options.soundDevice = soundDevice
        options.hearsViewers = hear
        options.isViewOnly = viewOnly
        options.keepsAwake = !noKeepAwake
        options.inputRate = inputRate
        options.players = try PlayerArguments.options(endpoint: rtsp, credentialsFile: rtspCredentials)
        options.publication = try PlayerArguments.publication(
            url: publish, credentialsFile: publishCredentials, insideConnection: publishTcp)
        options.players?.sound = SoundArgument.format(streamSound)
        options.publication?.sound = SoundArgument.format(streamSound)
        // The URL's query may contain a key.
        if publish?.contains("?") == true { ProcessTitle.hideArguments() }
        options.pairingCode = try pairCodeFile.map { try PairCode.read($0, of: "--pair-code-file") }
        options.name = name
        options.isAdvertised = !noDiscovery
        options.protection = try suite.options()
        options.rendezvous = rendezvous.url
        options.web = try web.options()
        options.recording = recording.options
        options.clipboard = clipboard.options
        options.files = fileArguments.options
        options.broadcast = try broadcasting.options()
        // SRT's parameters may contain a passphrase.
        if broadcasting.broadcast.contains(where: { $0.contains("?") }) { ProcessTitle.hideArguments() }
        options.admitsPairedOnly = access.pairedOnly
        options.asksToPair = TerminalQuestion.isPossible

        if statistics.stats { Output.keepForPrograms() }
        let shared = try await start(options)
        let source = shared.source
        // The monitors are read before the link is printed, so that every later change is reported.
        let monitors = source.monitors.map(\.name)
        StopSignals.take()
        say("Sharing \(shared.title). Ctrl-C ends it.")
        if port == nil, source.port != options.port {
            say("Note: another program has port \(options.port), so this one is at port \(source.port).")
        }
        for note in source.notes { say("Note: \(note).") }
        if let url = source.playerURL { say("Players can watch, not encrypted: \(url)") }
        if let publication = options.publication {
            say("Publishing\(publication.isEncrypted ? "" : ", not encrypted"): \(publication.shownURL)")
        }
        for destination in options.broadcast?.destinations ?? [] {
            let terms = destination.isOpenToAll ? ", to everybody who connects" : ""
            say("Broadcasting\(terms)\(destination.isEncrypted ? "" : ", not encrypted"): \(destination.shownURL)")
        }
        if hear { say("Viewers with --mic are heard: their voices are the microphone 'Heliograph viewers' here.") }
        let link = try await source.link
        try write(link)
        let console = HostConsole()
        defer { console?.close() }
        show(link, withCode: roomForCode(of: link))
        if console != nil {
            say(keys(of: source).summary(columns: Output.people.size?.columns ?? 80))
        }
        var tasks = [
            Task {
                await StopSignals.wait()
                await shared.stop()
            }
        ]
        let offers = FileOffers()
        if let console { tasks.append(Task { await obey(console, source, offers) }) }
        let service = await FileLine.serve(source.files) { say($0) }
        defer { if let service { Task { await service.stop() } } }
        if statistics.stats { tasks.append(Task { await report(source) }) }
        if Output.people.abilities.movesCursor { tasks.append(Task { await showStatus(of: source) }) }
        defer { Output.people.show(nil) }
        defer { for task in tasks.dropFirst() { task.cancel() } }
        let isKeyed = console != nil && Output.people.abilities.isTerminal
        try await tell(of: source, monitors, console, offers, showsLinks: !isKeyed)
        await tasks[0].value
        if let saved = source.recording.flatMap({ RecordingLine.ending($0) }) { say(saved) }
    }

    /// The shared screen or phone: its source, its description for the user, and its end.
    private struct SharedScreen {
        let source: MirrorSource
        let title: String
        let stop: @Sendable () async -> Void
    }

    /// Starts to share. If the user has requested no port and the default port is taken, uses a free port.
    private func start(_ options: MirrorSource.Options) async throws -> SharedScreen {
        do {
            if let relayed = try await startRelay(options) {
                return SharedScreen(
                    source: relayed.source, title: "what an extension relays to \(relay ?? "")",
                    stop: { await relayed.stop() })
            }
            if let phone = try phone.options() {
                let screen = try await AndroidScreen.start(options, phone: phone) { say("Waiting: \($0.sentence)") }
                return SharedScreen(
                    source: screen.source, title: "the phone \(screen.model) (\(screen.serial), \(screen.source.size))",
                    stop: { await screen.stop() })
            }
            let source = try await MirrorSource.start(options)
            return SharedScreen(source: source, title: "this screen (\(source.size))", stop: { await source.stop() })
        } catch let error as HelioError {
            guard port == nil, options.port != 0, error.remedy == .chooseSharingPort else { throw error }
            var others = options
            others.port = 0
            return try await start(others)
        }
    }

    /// The keys that have an effect now.
    private func keys(of source: MirrorSource) -> ShareKeys {
        ShareKeys(
            mayControl: !viewOnly, hasMonitors: source.monitors.count > 1, hasSound: sound != "off", hears: hear,
            sharesClipboard: !clipboard.noClipboard, takesFiles: source.files != nil)
    }

    /// Starts to share a relayed screen, if the option is given.
    private func startRelay(_ options: MirrorSource.Options) async throws -> RelayedScreen? {
        guard let relay else { return nil }
        // The screen has these attributes until an extension announces its own.
        let video = MediaAttributes(
            format: options.format ?? .avc, width: 1280, height: 720, framesPerSecond: options.framesPerSecond,
            bitrate: options.bitrate)
        return try await RelayedScreen.start(
            options, socketPath: relay, video: video, hasSound: options.sound != .off)
    }

    /// Prints events until sharing ends.
    ///
    /// - Parameters:
    ///   - monitors: the names of the monitors before the first event.
    ///   - showsLinks: true to print each new link; otherwise it is shown on a key press.
    private func tell(
        of source: MirrorSource, _ monitors: [String], _ console: HostConsole?, _ offers: FileOffers, showsLinks: Bool
    ) async throws {
        var hadReasons = false
        var failures = RepeatedNews()
        var monitors = monitors
        for await event in source.events {
            switch event {
            case .started: break
            case .link(let link):
                // Writing the first link has succeeded, so a later failure, such as a full disk, must not end sharing.
                do {
                    try write(link)
                } catch {
                    ShareNews.tell(.refused, "The new link is in no file: \(error.localizedDescription)")
                }
                if access.silence != nil { break }
                if showsLinks {
                    show(link, withCode: false)
                } else {
                    ShareNews.tell(.other, "A new link lets the next viewer in: o shows it.")
                }
            case .viewerJoined(let address, let device):
                ShareNews.tell(.came, "\(ShareNews.who(address, device)) is watching.")
            case .viewerLeft(let address, let device, let reason):
                ShareNews.tell(.left, "\(ShareNews.who(address, device)) no longer watches: \(reason).")
            case .pairingAsked(let question):
                if let console { console.ask(question) } else { source.answer(question.id, .deny) }
            case .pairingOver(let id): console?.withdraw(id)
            case .paired(let address, let device, isVisitor: true):
                ShareNews.tell(
                    .came,
                    "\(ShareNews.who(address, device)) is paired for this visit: its page came by plain HTTP and keeps "
                        + "nothing.")
            case .paired(let address, let device, isVisitor: false):
                ShareNews.tell(
                    .came,
                    "\(ShareNews.who(address, device)) is paired: it may come without asking. See 'heliograph devices'."
                )
            case .pairingRefused(let address, let reason):
                ShareNews.tell(.refused, ShareNews.pairingRefusal(of: address, reason))
            case .viewerRefused(let address, let reason):
                ShareNews.tell(.refused, ShareNews.refusal(of: address, reason))
            case .agreed(let video, let reasons):
                if !reasons.isEmpty {
                    ShareNews.tell(.other, "Sending " + reasons.joined(separator: "; ") + ".")
                } else if hadReasons {
                    ShareNews.tell(.other, "Sending \(video.width)x\(video.height) again: no viewer limits it.")
                }
                hadReasons = !reasons.isEmpty
            case .monitors(let list, _):
                // A separate note reports which monitor is shared.
                if list.map(\.name) != monitors {
                    ShareNews.tell(.other, "Monitors: \(list.map(\.summary).joined(separator: ", ")).")
                }
                monitors = list.map(\.name)
            case .soundShared(let list):
                let devices = list.map {
                    "\($0.input == .system ? "this machine's sound" : "microphone") (\($0.device))"
                }
                ShareNews.tell(
                    .other,
                    list.isEmpty
                        ? "The sound is no longer shared." : "The sound is shared: \(devices.joined(separator: ", ")).")
            case .speaking(let address, let device, let speaks):
                ShareNews.tell(
                    .other,
                    speaks
                        ? "\(ShareNews.who(address, device)) is heard by its microphone."
                        : "\(ShareNews.who(address, device)) is not heard any more.")
            case .publicationFailed(let url, let error):
                ShareNews.tell(.refused, "Not published at \(url): \(error.sentence)")
            case .recording(let file): ShareNews.tell(.other, "Recording to \(file).")
            case .recordingFailed(let error): ShareNews.tell(.refused, "\(error.sentence) Sharing goes on.")
            case .broadcast(let url, let state, let reason):
                guard let line = BroadcastLine.sentence(url, state, reason) else { break }
                if state == .live { failures.succeed(url) }
                if state == .waiting, reason != nil, !failures.isNews(line, of: url, now: MonotonicClock.now) { break }
                ShareNews.tell(.other, line)
            case .files(let event):
                offers.follow(event)
                hear(event, isAsked: console != nil)
            case .rendezvous(let url, let failure):
                let name = name ?? ProcessInfo.processInfo.hostName
                ShareNews.tell(
                    failure == nil ? .other : .refused, RendezvousArguments.line(url, failure, name: name))
            case .info(let text): ShareNews.tell(.other, text)
            case .failed(let error):
                await source.stop()
                throw error
            }
        }
    }

    private func obey(_ console: HostConsole, _ source: MirrorSource, _ offers: FileOffers) async {
        for await command in console.commands {
            switch command {
            case .takeControl:
                source.takeControl()
                say("Control is yours: viewers only watch now. g lets them control again.")
            case .giveControl:
                source.setControl(allowed: true)
                say(viewOnly ? "Viewers may only watch: --view-only." : "Viewers may control again.")
            case .list:
                guard let statistics = try? await source.statistics() else { break }
                for line in AudienceList.lines(statistics) { say(line) }
            case .showLink:
                if let link = try? await source.link { show(link, withCode: true) }
            case .help: for line in keys(of: source).help { say(line) }
            case .stop: StopSignals.stop()
            case .nextMonitor: selectNextMonitor(source)
            case .toggleSound: toggleSound(source)
            case .toggleHearing: toggleHearing(source)
            case .toggleClipboard: toggleClipboard(source)
            case .answerFiles(let accepts): answerFiles(accepts, offers, source)
            case .answer(let id, let answer): source.answer(id, answer)
            }
        }
    }

    private func selectNextMonitor(_ source: MirrorSource) {
        let all = source.monitors
        guard all.count > 1, let now = all.firstIndex(where: { $0.id == source.selectedMonitor?.id }) else {
            return say("There is no other monitor.")
        }
        do {
            try source.selectMonitor(all[(now + 1) % all.count].id)
        } catch {
            say(error.sentence)
        }
    }

    private func toggleHearing(_ source: MirrorSource) {
        guard hear else { return say("Nobody is heard: start with --hear.") }
        let next = !source.isHearingViewers
        do {
            try source.hear(viewers: next)
            say(next ? "Viewers are heard." : "Viewers are not heard. v hears them again.")
        } catch {
            say(error.sentence)
        }
    }

    private func toggleClipboard(_ source: MirrorSource) {
        if clipboard.noClipboard { return say("The clipboard is not shared: --no-clipboard. Start anew without it.") }
        let next = !source.isSharingClipboard
        do {
            try source.shareClipboard(next)
            say(
                next
                    ? "The clipboard is shared with who is in control."
                    : "The clipboard is not shared. p shares it again.")
        } catch {
            say(error.sentence)
        }
    }

    /// Prints an event of a file transfer. If the terminal is not interactive, an offer stays open for `heliograph
    /// get`.
    private func hear(_ event: FileEvent, isAsked: Bool) {
        switch event {
        case .progress(let batch): transfer.set(batch.progress)
        case .ended(let batch, let arrived, _, _):
            transfer.set(nil)
            if let sentence = event.sentence { ShareNews.tell(.other, sentence) }
            if batch.isIncoming, arrived > 0, let place = fileArguments.options?.place { say(place) }
        case .offered:
            if let sentence = event.sentence { ShareNews.tell(.other, sentence) }
            say(isAsked ? "f takes it, r refuses it." : "'heliograph get' takes it.")
        default: if let sentence = event.sentence { ShareNews.tell(.other, sentence) }
        }
    }

    private func answerFiles(_ accepts: Bool, _ offers: FileOffers, _ source: MirrorSource) {
        guard let files = source.files else {
            return say("No files go either way: --files off. Start anew without it.")
        }
        switch offers.takeShown() {
        case .nothing: say("Nobody offers files.")
        case .tooSoon: say("Not answered: these files were offered only just. Read what they are, then press it again.")
        case .offer(let batch):
            files.answer(batch.id, accepts: accepts)
            say(
                accepts ? "Taking \(batch.summary) from \(batch.peer)." : "Refused \(batch.summary) from \(batch.peer)."
            )
            guard let next = offers.last, let question = FileEvent.offered(next).sentence else { return }
            say("Still there: \(question) f takes it, r refuses it.")
        }
    }

    private func toggleSound(_ source: MirrorSource) {
        let chosen = SoundArgument.parse(sound) ?? .system
        if chosen == .off { return say("Sound is off: --sound off. Start anew without it.") }
        let next: SoundSharing = source.sound == .off ? chosen : .off
        do {
            try source.share(next)
            say(next == .off ? "Sound is off: nobody hears this machine. s turns it on again." : "Sound is on.")
        } catch {
            say(error.sentence)
        }
    }

    private func report(_ source: MirrorSource) async {
        var last: SourceStatistics?
        while !Task.isCancelled, (try? await Task.sleep(for: statistics.interval)) != nil {
            guard let now = try? await source.statistics(since: last) else { return }
            Output.data(now.json)
            last = now
        }
    }

    /// Shows the viewers and the statistics in the terminal's last row, or the progress of a file transfer, until the
    /// task is cancelled.
    private func showStatus(of source: MirrorSource) async {
        var last: SourceStatistics?
        while !Task.isCancelled {
            let now = try? await source.statistics(since: last)
            last = now
            let status = ShareStatus.line(now, source.recording, source.broadcasts)
            if !Task.isCancelled { Output.people.show(transfer.text.map { TerminalText($0) } ?? status) }
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { break }
        }
    }

    /// Writes the links to the files named in the options.
    private func write(_ link: MirrorSource.Link) throws {
        if let linkFile { try PrivateFile.write(link.text + "\n", to: linkFile) }
        if let file = web.webLinkFile, let page = link.web { try PrivateFile.write(page + "\n", to: file) }
    }

    /// Returns the QR code of a link; `nil` if the terminal can't show QR codes. The code contains the link for
    /// browsers, because a phone's camera app opens it in a browser.
    private func code(of link: MirrorSource.Link) -> String? {
        guard Output.people.abilities.hasStyles, Output.people.abilities.isUnicode else { return nil }
        return QRCode.render(link.webFromAnywhere ?? link.web ?? link.text)
    }

    /// Returns the size of a QR code in terminal columns and rows.
    private func size(ofCode code: String) -> (columns: Int, rows: Int) {
        let rows = code.split(separator: "\n").count
        // A character is two modules high and one module wide, and a code has an odd number of modules on each side.
        return (rows * 2 - 1, rows)
    }

    /// True if the QR code and the lines above it fit in the window together.
    private func roomForCode(of link: MirrorSource.Link) -> Bool {
        guard let window = Output.people.size, let code = code(of: link) else { return false }
        let size = size(ofCode: code)
        return TerminalLayout.windowNeeded(forPicture: (size.columns, size.rows + 11), in: window) == nil
    }

    /// Prints the commands to connect with a link. The QR code is printed last, so that it stays complete if the lines
    /// above it scroll off.
    private func show(_ link: MirrorSource.Link, withCode: Bool) {
        // The place has no secret.
        let place = link.text.dropFirst("heliograph://".count).prefix { $0 != "/" }
        if let lines = access.silence {
            for line in lines { say(line) }
            return say("This machine's address: \(place)")
        }
        let columns = Output.people.abilities.isTerminal ? Output.people.size?.columns : nil
        say("")
        if let page = link.web {
            let label = "To watch in a browser:  "
            if let columns, label.count + page.count >= columns {
                say("To watch in a browser:")
                say(TerminalText(page, .bold))
            } else {
                say(TerminalText(label) + TerminalText(page, .bold))
            }
        }
        if let page = link.webFromAnywhere {
            let label = "From any network:       "
            let isWide = columns.map { label.count + page.count >= $0 } ?? false
            if isWide { say("From any network:") }
            say(isWide ? TerminalText(page, .bold) : TerminalText(label) + TerminalText(page, .bold))
        }
        let address = place.hasSuffix(":7236") ? place.dropLast(":7236".count) : place
        let command = ["heliograph view \(address)", "--code \(link.code)"]
        for line in TerminalLayout.command("To watch by Heliograph:", command, columns: columns) { say(line) }
        let isFarReaching = rendezvous.url != nil
        if withCode || !Output.people.abilities.isTerminal || isFarReaching {
            let whole = ["heliograph view '\(link.text)'"]
            let label = isFarReaching ? "From any network:      " : "Or by the whole link:  "
            for line in TerminalLayout.command(label, whole, columns: columns) { say(line) }
        }
        if !link.otherAddresses.isEmpty {
            say("Other addresses of this machine: \(link.otherAddresses.joined(separator: ", "))")
        }
        if withCode { showCode(of: link) }
        say("")
    }

    private func showCode(of link: MirrorSource.Link) {
        guard let code = code(of: link) else {
            if Output.people.abilities.isTerminal { say("This terminal can't show a QR code.") }
            return
        }
        let needed = Output.people.size.flatMap { TerminalLayout.windowNeeded(forPicture: size(ofCode: code), in: $0) }
        if let needed {
            say(
                "The QR code needs a window of \(needed.columns) columns and \(needed.rows) rows: make this one larger, then "
                    + "press o again.")
        } else {
            say(TerminalText(code, .ready))
        }
    }

    private func listEverything() throws {
        for entry in MirrorSource.screens(display: display, capture: capture == "auto" ? nil : capture) { say(entry) }
        say("")
        let captures = MirrorSource.captures(display: display)
        for entry in captures { say(entry) }
        if !captures.isEmpty { say("") }
        if verbose {
            for entry in MirrorSource.captureDetails(display: display) { say(entry) }
            say("")
        }
        for entry in MirrorSource.encoders() { say(entry) }
        say("")
        for entry in MirrorSource.soundDevices() { say(entry) }
    }
}

extension Monitor {
    fileprivate var summary: String { "\(name) (\(width)x\(height)\(isPrimary ? ", primary" : ""))" }
}
