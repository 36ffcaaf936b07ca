internal import ArgumentParser
private import Foundation
private import HelioCore
private import HelioViewing

/// `heliograph view`: shows and controls a host's screen in a window.
struct ViewCommand: ParsableCommand, NotConfigured {
    /// The ways to name a host, which are of one call.
    static let onlyTyped: Set<String>? = ["link-file", "receive", "code"]

    static let configuration = CommandConfiguration(
        commandName: "view", abstract: "Watch and control a shared screen.",
        discussion: """
            With a code:         heliograph view 192.168.1.20 --code XXXX-XXXX-XXXX-XXXX
            With a link:         heliograph view 'heliograph://...', or the browser's
            A paired machine:    heliograph view NAME
            From any network:    heliograph view NAME@RENDEZVOUS
            A camera, a stream:  heliograph view rtsp://HOST/PATH

            In the window Ctrl+Alt+Shift+H shows its keys, and Ctrl+Alt+Shift+Q ends; all other keys go to the host.

            '-' reads the link from standard input, so that it never shows in the process list. With --code the name of a \
            machine does as well that 'heliograph discover' lists.

            A machine that shares with --rendezvous is looked for on this network first, and by its rendezvous server \
            a moment later; with NAME@HOST or NAME@URL of that server, by the server alone. 'heliograph devices' shows \
            the names and the servers.

            A paired machine that answers neither at its address nor by its rendezvous server is woken, as by \
            'heliograph wake'.

            rtsp://HOST[:PORT]/PATH plays H.264 or H.265, to watch only, and as unprotected as it is sent. rtsps:// is the \
            same over TLS; where no authority vouches for the server, add #sha256= and its certificate's fingerprint. User \
            and password are taken from rtsp://USER:PASSWORD@..., best on standard input, or from HELIOGRAPH_RTSP_USER and \
            HELIOGRAPH_RTSP_PASSWORD.

            --receive waits for another program to publish its stream here (RTSP's ANNOUNCE and RECORD): FFmpeg with \
            '-f rtsp rtsp://127.0.0.1:8554/live', say. It is not encrypted.
            """)

    @Argument(
        help: "The link, an address with --code, a machine's name, an rtsp:// address, or - for standard input.",
        completion: .custom(DeviceCompletion.hosts))
    var link: String?

    @Option(help: "Read the link from this file.", completion: .file())
    var linkFile: String?

    @Option(
        defaultAsFlag: PlayerArguments.usualEndpoint,
        help: "Show what another program publishes to HOST:PORT by RTSP, not encrypted, in place of a link.")
    var receive: String?

    @Option(help: PlayerArguments.publisherCredentialsHelp, completion: .file())
    var receiveCredentials: String?

    @Option(help: "The code that the sharing machine shows, XXXX-XXXX-XXXX-XXXX.")
    var code: String?

    @Flag(help: "Begin in full screen.")
    var fullscreen = false

    @Flag(help: "End when the host stops sharing. By default the window stays, and says so, until you close it.")
    var closeAtEnd = false

    @Option(help: "Size of the picture: fit, 1:1 or integer.", completion: .list(["fit", "1:1", "integer"]))
    var scale = "fit"

    @Option(help: "The largest picture to be sent, such as 1280x720: the host scales its screen down for it.")
    var maxSize: String?

    @Option(
        help: "The video decoder: auto, software, vaapi or nvdec.",
        completion: .list(["auto", "software", "vaapi", "nvdec"]))
    var decoder = "auto"

    @Option(help: "The host's monitor to be shown, by its name, where the host lets you choose.")
    var monitor: String?

    @Option(
        name: [.customLong("link"), .customLong("transport")],
        help: ArgumentHelp(
            """
            What picture and input go by. udp, tcp: the machine's address. ice: the best path by its rendezvous \
            server; relay: TURN servers alone; rendezvous: that server alone. auto: all, the nearest first.
            """, valueName: "link"), completion: .list(["auto", "udp", "tcp", "ice", "relay", "rendezvous"]))
    var transport = NetworkTransport.automatic.rawValue

    @Flag(help: "Don't wake a paired machine that answers nowhere, and don't try it again for two minutes.")
    var noWake = false

    @Flag(help: "Watch only.")
    var viewOnly = false

    @Option(help: "The host's sound: on, or off, which the host then does not send.", completion: .list(["on", "off"]))
    var sound = "on"

    @Option(help: "How loud the host's sound is, 0 to 100.")
    var volume = 100

    @Option(help: "The device that plays the host's sound, by its name. Default: the system's default.")
    var soundDevice: String?

    @Option(
        help: ArgumentHelp(
            "Pictures that wait for their sound: auto: moving video; in-step: all; immediate: none.", valueName: "which"
        ), completion: .list(["auto", "in-step", "immediate"]))
    var sync = "auto"

    @Flag(help: "Let the host hear your microphone, where it is shared with --hear. It waits while sound plays here.")
    var mic = false

    @Option(help: "The microphone that the host hears, by its name. Default: the system's default.")
    var micDevice: String?

    @Flag(help: "With --mic: you wear a headset, so your microphone need not wait while sound plays.")
    var headset = false

    @Option(
        help: ArgumentHelp(
            """
            What your keys are there: character: what is on them arrives, whatever the host's keyboard layout; place: the \
            host's layout says what they make. Default: as you chose there last, else character.
            """, valueName: "which"), completion: .list(["character", "place"]))
    var keys: String?

    /// The former name of the option `--keys character`.
    @Flag(help: .hidden)
    var text = false

    @Option(
        help: ArgumentHelp(
            "Write a line for each picture to this file, as CSV: its size and its milliseconds in each stage.",
            valueName: "file"), completion: .file())
    var trace: String?

    @OptionGroup(title: "Files") var fileArguments: FileArguments

    @OptionGroup(title: "Clipboard") var clipboard: ClipboardArguments

    @OptionGroup(title: "Recording") var recording: RecordingArguments

    @OptionGroup(title: "Statistics") var statistics: StatisticsArguments

    @OptionGroup(title: "Suites") var suite: SuiteArguments

    func validate() throws {
        if Viewer.Scale(rawValue: scale) == nil { throw ValidationError("--scale \(scale): give fit, 1:1 or integer.") }
        if NetworkTransport(rawValue: transport) == nil {
            throw ValidationError("--link \(transport): give auto, udp, tcp, ice, relay or rendezvous.")
        }
        _ = try maxSize.map { try SizeArgument.parse($0) }
        if !["on", "off"].contains(sound) { throw ValidationError("--sound \(sound): give on or off.") }
        if !(0...100).contains(volume) { throw ValidationError("--volume \(volume): give a number from 0 to 100.") }
        if Viewer.Sync(rawValue: sync) == nil {
            throw ValidationError("--sync \(sync): give auto, in-step or immediate.")
        }
        if let keys, Viewer.Keys(rawValue: keys) == nil {
            throw ValidationError("--keys \(keys): give character or place.")
        }
        try OptionNeed.check("--mic", mic, for: [("--headset", headset), ("--mic-device", micDevice != nil)])
        if let receive {
            if mic { throw ValidationError("--receive plays what a program sends: nobody hears --mic there.") }
            if link != nil || linkFile != nil || code != nil {
                throw ValidationError("--receive waits for whoever comes: leave link and code out.")
            }
            _ = try PlayerArguments.endpoint(receive, of: "--receive")
            return
        }
        try OptionNeed.check("--receive", false, for: [("--receive-credentials", receiveCredentials != nil)])
        if (link == nil) == (linkFile == nil) {
            throw ValidationError("Give the link that 'heliograph share' prints, or --link-file.")
        }
    }

    func run() throws {
        var options = Viewer.Options()
        options.isFullScreen = fullscreen
        options.scale = Viewer.Scale(rawValue: scale) ?? .fit
        options.isViewOnly = viewOnly
        options.decoder = CodecChoice(decoder)
        options.keys = keys.flatMap(Viewer.Keys.init(rawValue:)) ?? (text ? .character : nil)
        options.sound = sound == "on"
        options.volume = Double(volume) / 100
        options.soundDevice = soundDevice
        options.sync = Viewer.Sync(rawValue: sync) ?? .auto
        options.monitor = monitor
        options.trace = trace
        if mic {
            options.microphone = MicrophoneOptions()
            options.microphone?.device = micDevice
            options.microphone?.isHeadset = headset
        }
        options.protection = try suite.options()
        options.transport = NetworkTransport(rawValue: transport) ?? .automatic
        options.wakesHost = !noWake
        options.largest = try maxSize.map { try SizeArgument.parse($0) }
        options.recording = recording.options
        options.clipboard = clipboard.options
        options.files = fileArguments.options
        options.statisticsInterval = statistics.interval
        options.staysOpen = !closeAtEnd
        options.explanation = { $0.sentence }
        options.showsHint = true
        let onStatistics: ((ViewerStatistics) -> Void)? = statistics.stats ? { Output.data($0.json) } : nil
        let onNote: @Sendable (String) -> Void = { Output.warn($0) }
        let viewer: Viewer
        var isPage = false
        if let receive {
            let publisher = try PlayerArguments.receiver(endpoint: receive, credentialsFile: receiveCredentials)
            viewer = try Viewer(receiving: publisher, options: options, onStatistics: onStatistics, onNote: onNote)
        } else {
            let target = try readLink()
            isPage = HostPairing.isPageAlone(target)
            ProcessTitle.hideArguments()
            if !HostPairing.namesRendezvous(target), let host = try HostLookup.wait(forHostCalled: target) {
                viewer = try Viewer(
                    host: host, code: code, options: options, onStatistics: onStatistics, onNote: onNote)
            } else {
                viewer = try Viewer(
                    link: target, code: code, options: options, onStatistics: onStatistics, onNote: onNote)
            }
        }
        if let files = viewer.files {
            Task {
                let service = await FileLine.serve(files, note: onNote)
                // The stream of events ends with the session.
                for await _ in files.events() {}
                await service?.stop()
            }
        }
        StopSignals.take()
        StopSignals.whenStopping(viewer.closer)
        do {
            try viewer.run()
        } catch {
            guard isPage, [.unreachable, .protocolViolation].contains(error.code) else { throw error }
            throw ValidationError(
                "That link is for browsers, and at its machine nothing of Heliograph answers at the usual port. Open it in a "
                    + "browser, or use the line with 'heliograph view' that 'heliograph share' shows.")
        }
    }

    private func readLink() throws -> String {
        if let linkFile { return try PrivateFile.read(linkFile, of: "--link-file") }
        if link == "-" {
            guard let line = readLine() else { throw ValidationError("There is no link on standard input.") }
            return line
        }
        return link ?? ""
    }
}
