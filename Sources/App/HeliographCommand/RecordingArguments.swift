internal import ArgumentParser
internal import HelioViewing

/// The options of `share` and `view` that name a file to record to.
struct RecordingArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Record picture and sound to this file, .mp4 or .mkv: as they are sent, not coded once more.",
            valueName: "file"), completion: .file(extensions: ["mp4", "mkv"]))
    var record: String?

    @Flag(help: "With --record: a file of that name is replaced.")
    var recordOverwrite = false

    @Option(
        help: ArgumentHelp(
            "With --record: a picture to jump to, at least so often; each costs viewers its bytes. Default: none.",
            valueName: "seconds"))
    var recordKeyframes: Int?

    func validate() throws {
        if let recordKeyframes, !(1...3600).contains(recordKeyframes) {
            throw ValidationError("--record-keyframes \(recordKeyframes): give a number from 1 to 3600.")
        }
        try OptionNeed.check(
            "--record", record != nil,
            for: [("--record-overwrite", recordOverwrite), ("--record-keyframes", recordKeyframes != nil)])
    }

    var options: RecordingOptions? {
        guard let record else { return nil }
        var options = RecordingOptions(path: record)
        options.overwrites = recordOverwrite
        options.keyframeInterval = recordKeyframes.map { .seconds($0) }
        return options
    }
}
