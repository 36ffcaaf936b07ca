private import CMalloc
private import Glibc
private import HelioExtension

/// `helio-extension`: simulates a broadcast extension on Linux. It draws pictures of an iPad's size 60 times a second,
/// scales them to 720p, encodes them, relays them to an app, and reports its memory use (requirement rows 81, 84, 161
/// and 162: an extension has 50 MB for everything).
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

    /// Makes the C library return large blocks to the system as soon as they are freed. By default it raises its
    /// threshold with each freed large block; the encoders for the two orientations then leave some 6 MB of
    /// fragmentation after a few rotations.
    private static func returnMemoryAtOnce() {
        mallopt(M_MMAP_THRESHOLD, 128 << 10)
        mallopt(M_TRIM_THRESHOLD, 128 << 10)
    }
}
