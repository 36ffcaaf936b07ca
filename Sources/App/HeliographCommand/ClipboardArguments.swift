internal import ArgumentParser
internal import HelioViewing

/// The clipboard options of `share` and `view`.
struct ClipboardArguments: ParsableArguments {
    @Flag(help: "Don't share the clipboard with the other end.")
    var noClipboard = false

    @Option(
        help: ArgumentHelp("The most MiB of one content of the clipboard, 1 to 32.", valueName: "mib"))
    var clipboardLimit = 16

    @Flag(help: "Share what is only marked, too, to be pasted with the middle button (X11's PRIMARY).")
    var clipboardMarked = false

    func validate() throws {
        if !(1...32).contains(clipboardLimit) {
            throw ValidationError("--clipboard-limit \(clipboardLimit): give a number from 1 to 32.")
        }
    }

    /// The clipboard options; `nil` if the clipboard is not shared.
    var options: ClipboardOptions? {
        if noClipboard { return nil }
        var options = ClipboardOptions()
        options.limit = clipboardLimit << 20
        options.includesMarked = clipboardMarked
        return options
    }
}
