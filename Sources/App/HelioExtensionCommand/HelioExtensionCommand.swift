private import CMalloc
private import Glibc
private import HelioExtension

/// `helio-extension`: stands in for a broadcast extension on Linux. It takes pictures of an iPad's size 60 times a second,
/// scales them to 720p, codes them and relays them to an app, and tells how much memory that took (rows 81, 84, 161 and
/// 162: an extension has 50 MB for everything).
@main
enum HelioExtensionCommand {
    static func main() {
        returnMemoryAtOnce()
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

    /// Has large blocks given back to the system as soon as they are freed. By itself the C library keeps more of them each
    /// time that it sees one freed, and an encoder for each orientation leaves holes: some 6 MB after a few turns.
    private static func returnMemoryAtOnce() {
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        mallopt(M_TRIM_THRESHOLD, 128 << 10)
    }
}
