private import Glibc
private import HelioExtension

/// `helio-extension`: stands in for a broadcast extension on Linux. It takes pictures of an iPad's size 60 times a second,
/// scales them to 720p, codes them and relays them to an app, and tells how much memory that took (rows 81, 84, 161 and
/// 162: an extension has 50 MB for everything).
@main
enum HelioExtensionCommand {
    static func main() {
        do throws(HelioError) {
            let options = try Options(CommandLine.arguments.dropFirst())
            var standIn = try StandIn(options)
            try standIn.run()
        } catch {
            let usage = error.code == .invalidArgument ? Options.help : ""
            let text = Array("helio-extension: \(error.message)\n\(usage)".utf8)
            _ = write(STDERR_FILENO, text, text.count)
            exit(1)
        }
    }
}
