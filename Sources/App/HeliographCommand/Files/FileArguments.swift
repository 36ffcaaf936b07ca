internal import ArgumentParser
internal import HelioViewing

/// The file-transfer options of `share` and `view`.
struct FileArguments: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Files that the other end wants to send: ask, accept, refuse, or off for none either way.",
            valueName: "which"), completion: .list(["ask", "accept", "refuse", "off"]))
    var files = "ask"

    @Option(
        help:
            "The folder for files that come. Default: ~/Downloads/heliograph, or ~/heliograph-files where there is no Downloads.",
        completion: .directory
    )
    var filesFolder: String?

    func validate() throws {
        if files != "off", FileOptions.Receiving(rawValue: files) == nil {
            throw ValidationError("--files \(files): give ask, accept, refuse or off.")
        }
        if files == "off" || files == "refuse", filesFolder != nil {
            throw ValidationError("--files-folder: with --files \(files) none come. Leave one of them out.")
        }
    }

    /// The file options; `nil` if no files are exchanged.
    var options: FileOptions? {
        guard let receiving = FileOptions.Receiving(rawValue: files) else { return nil }
        var options = FileOptions()
        options.receiving = receiving
        if let filesFolder { options.folder = filesFolder }
        return options
    }
}
