internal import ArgumentParser
private import Foundation
internal import HelioWebRTC
internal import Heliograph

/// The options of both sides of `heliograph webrtc`.
struct WebRTCArguments: ParsableArguments {
    /// The video to send: the screen, a test picture, which needs no X server, or none.
    enum Picture: String, ExpressibleByArgument, CaseIterable {
        case screen
        case test
        case none
    }

    @Option(help: "What picture to send: screen, test (a moving bar, no X server needed) or none.")
    var send = Picture.none

    @Option(help: "X display to send, such as :0. Default: $DISPLAY.")
    var display: String?

    @Option(help: "The largest picture to send, such as 1280x720; the test picture has this size.")
    var maxSize: String?

    @Option(help: "The most frames a second to send, 1 to 240.")
    var fps = 30

    @Option(help: "The most bits a second to send, such as 8M or 800k.")
    var bitrate = "8M"

    @Option(help: "Colour resolution to send: 420, or 444 where the other side takes it, for sharp coloured text.")
    var chroma = "420"

    @Flag(help: "Show the picture that comes in a window.")
    var play = false

    @Option(
        help: ArgumentHelp("Save the picture that comes, as coded (H.264, Annex B), to this file.", valueName: "file"))
    var save: String?

    @Flag(help: "Take a picture, though it is neither shown nor saved: --stats and --json count it.")
    var receive = false

    @Option(
        help: ArgumentHelp("Open a data channel: lines that are typed go out on it. Repeatable.", valueName: "label"))
    var channel: [String] = []

    @Flag(help: "Send every message back on its channel.")
    var echo = false

    @OptionGroup var servers: ICEServerArguments

    @Flag(help: "Tell no address of this machine; go by TURN servers alone.")
    var relayOnly = false

    @Option(help: "UDP and TCP port. 0 takes a free one.")
    var port = 0

    @Option(help: "Address of this machine to be reached at. Repeatable. Default: all but loopback.")
    var address: [String] = []

    @Flag(help: "Be reached by loopback too: for two sides on one machine.")
    var loopback = false

    @Flag(help: "Only wait to be found (ICE lite): for a machine that everybody can reach.")
    var lite = false

    @Flag(help: "UDP only.")
    var noTcp = false

    @OptionGroup var statistics: StatisticsArguments

    @Option(help: "End after so many seconds of connection.")
    var seconds: Double?

    @Option(help: ArgumentHelp("The offer goes by this file; give --answer-file too.", valueName: "file"))
    var offerFile: String?

    @Option(help: ArgumentHelp("The answer goes by this file; give --offer-file too.", valueName: "file"))
    var answerFile: String?

    @Flag(help: "For programs: commands and events as lines of JSON; see Tests/ForeignPeers/Programs/README.md.")
    var json = false

    /// True if this side receives video, to play it, to save it, or only to count it.
    var takesPicture: Bool { play || save != nil || receive }

    func validate(as kind: SignalledDescription.Kind) throws {
        if !(0...65535).contains(port) { throw ValidationError("--port \(port): give a number from 0 to 65535.") }
        if !(1...240).contains(fps) { throw ValidationError("--fps \(fps): give a number from 1 to 240.") }
        if BitrateArgument.parse(bitrate) == nil {
            throw ValidationError("--bitrate \(bitrate): give a number from 100k to 500M, such as 8M or 800k.")
        }
        if !["420", "444"].contains(chroma) { throw ValidationError("--chroma \(chroma): give 420 or 444.") }
        _ = try maxSize.map { try SizeArgument.parse($0) }
        if let seconds, !(seconds > 0 && seconds <= 31_536_000) {
            throw ValidationError("--seconds \(seconds): give a number above 0.")
        }
        if lite, relayOnly {
            throw ValidationError("--lite waits to be found, and --relay-only hides: give one of them.")
        }
        try validateServers()
        if (offerFile == nil) != (answerFile == nil) {
            throw ValidationError("Give both --offer-file and --answer-file, or neither.")
        }
        if let offerFile, offerFile == answerFile {
            throw ValidationError("--offer-file and --answer-file: give two different files.")
        }
        if json {
            if offerFile != nil || play || save != nil || statistics.stats || echo || seconds != nil {
                throw ValidationError(
                    "--json goes without --offer-file, --answer-file, --play, --save, --stats, --echo and --seconds.")
            }
        } else if kind == .offer, send == .none, !takesPicture, channel.isEmpty {
            throw ValidationError(
                "There would be nothing in the offer: give --send, --play, --save, --receive or --channel.")
        }
    }

    private func validateServers() throws {
        if relayOnly, !servers.hasTURN, !json {
            throw ValidationError(
                "--relay-only: give --ice-server turn:HOST and --turn-credentials FILE, or --turn-secret FILE.")
        }
    }

    func endpointOptions() -> WebRTCEndpoint.Options {
        var options = WebRTCEndpoint.Options()
        options.port = port
        options.addresses = address
        options.includesLoopback = loopback
        options.usesTCP = !noTcp
        return options
    }

    func peerOptions() throws -> PeerConnection.Options {
        var options = PeerConnection.Options()
        options.iceServers = try servers.servers().map {
            ICEServer($0.url, username: $0.username, password: $0.password)
        }
        options.turnSecret = try servers.takeSecret() ?? ""
        options.usesRelaysOnly = relayOnly
        options.isLite = lite
        return options
    }

    /// The options of the screen to send; `nil` if no picture is sent.
    func screenOptions() throws -> ScreenStream.Options? {
        var options = ScreenStream.Options()
        let largest = try maxSize.map { try SizeArgument.parse($0) }
        switch send {
        case .none: return nil
        case .screen: options.subject = .screen(display: display)
        case .test:
            let size = largest ?? PixelSize(width: 640, height: 480)
            options.subject = .testPicture(width: size.width & ~1, height: size.height & ~1)
        }
        options.largest = largest
        options.framesPerSecond = fps
        options.bitrate = BitrateArgument.parse(bitrate) ?? options.bitrate
        options.fullChroma = chroma == "444"
        return options
    }
}
