internal import ArgumentParser
private import Foundation
internal import Heliograph

/// The options of `share` for broadcasts to servers.
struct BroadcastArguments: ParsableArguments {
    static let variable = "HELIOGRAPH_BROADCAST_KEYS"

    @Option(
        help: ArgumentHelp(
            """
            Broadcast to a server for any number of people: rtmp://HOST/APPLICATION, rtmps://, \
            srt://HOST:PORT or whips://HOST/PATH (WHIP). May be given several times.
            """,
            valueName: "url"))
    var broadcast: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            File with a line for each --broadcast, in their order, readable by you alone: RTMP's stream key, SRT's \
            passphrase=…&streamid=…, or WHIP's token; empty for none. Or set \(variable).
            """,
            valueName: "file"), completion: .file())
    var broadcastKeys: String?

    @Option(help: "With --broadcast: the largest picture, turned for an upright screen.")
    var broadcastSize = "1280x720"

    @Option(help: "With --broadcast: the most frames a second, 1 to 120.")
    var broadcastFps = 30

    @Option(help: "With --broadcast: the picture's bits a second, 100k to 100M.")
    var broadcastBitrate = "3M"

    @Option(
        help: "With --broadcast: the video codec, h264 or h265, which not all servers take.",
        completion: .list(["h264", "h265"]))
    var broadcastCodec = "h264"

    @Option(
        help: "With --broadcast: the codec of sound: aac, which all take; opus; or off.",
        completion: .list(["aac", "opus", "off"]))
    var broadcastSound = "aac"

    @Option(help: "With --broadcast: the seconds between keyframes, 0.5 to 10: nobody joins in sooner.")
    var broadcastKeyframes = 2.0

    @Option(help: "With --broadcast: what colours are coded by: 709 or 601.", completion: .list(["709", "601"]))
    var broadcastColor = "709"

    @Option(
        help: ArgumentHelp(
            "With --broadcast: a folder for a heartbeat, by which 'heliograph watchdog' tells that this was killed.",
            valueName: "folder"), completion: .directory)
    var heartbeat: String?

    func validate() throws {
        _ = try SizeArgument.parse(broadcastSize)
        if !(1...120).contains(broadcastFps) {
            throw ValidationError("--broadcast-fps \(broadcastFps): give a number from 1 to 120.")
        }
        guard let bitrate = BitrateArgument.parse(broadcastBitrate), (100_000...100_000_000).contains(bitrate) else {
            throw ValidationError(
                "--broadcast-bitrate \(broadcastBitrate): give a number from 100k to 100M, such as 3M.")
        }
        if !["h264", "h265"].contains(broadcastCodec) {
            throw ValidationError("--broadcast-codec \(broadcastCodec): give h264 or h265.")
        }
        if !["aac", "opus", "off"].contains(broadcastSound) {
            throw ValidationError("--broadcast-sound \(broadcastSound): give aac, opus or off.")
        }
        if !(0.5...10).contains(broadcastKeyframes) {
            throw ValidationError("--broadcast-keyframes \(broadcastKeyframes): give a number from 0.5 to 10.")
        }
        if !["709", "601"].contains(broadcastColor) {
            throw ValidationError("--broadcast-color \(broadcastColor): give 709 or 601.")
        }
        try OptionNeed.check(
            "--broadcast", !broadcast.isEmpty,
            for: [("--heartbeat", heartbeat != nil), ("--broadcast-keys", broadcastKeys != nil)])
    }

    /// The options of the broadcasts; `nil` if there are none.
    func options() throws -> BroadcastOptions? {
        let variable = SecretVariable.take(Self.variable)
        guard !broadcast.isEmpty else { return nil }
        let keys = try keys(orElse: variable ?? "")
        var destinations: [BroadcastDestination] = []
        for (index, url) in broadcast.enumerated() {
            destinations.append(try BroadcastDestination(url: url, key: index < keys.count ? keys[index] : nil))
        }
        var options = BroadcastOptions(to: destinations)
        options.largest = try SizeArgument.parse(broadcastSize)
        options.framesPerSecond = broadcastFps
        options.bitrate = BitrateArgument.parse(broadcastBitrate) ?? options.bitrate
        options.format = broadcastCodec == "h265" ? .hevc : .avc
        options.sound = SoundArgument.format(broadcastSound)
        options.keyframeInterval = .milliseconds(Int64(broadcastKeyframes * 1000))
        options.usesBT601 = broadcastColor == "601"
        options.heartbeat = heartbeat
        return options
    }

    /// Reads the keys, one line for each broadcast.
    ///
    /// - Parameter variable: the lines to use if no file is given.
    private func keys(orElse variable: String) throws -> [String] {
        let text = try broadcastKeys.map { try PrivateFile.read($0, of: "--broadcast-keys") } ?? variable
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard lines.count <= broadcast.count else {
            throw ValidationError(
                "There are \(lines.count) lines of keys for \(broadcast.count) broadcasts: give one for each --broadcast, "
                    + "in their order.")
        }
        return lines
    }
}
