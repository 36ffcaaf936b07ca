private import CLibFuzzer
private import Glibc

/// `helio-fuzz NAME [libFuzzer options]`, or `helio-fuzz --list`. Run it by `script/fuzz`.
@main
enum HelioFuzz {
    /// The fuzz function named on the command line; `nil` if it is unknown.
    static let function = FuzzFunction.all.first { $0.name == CommandLine.arguments.dropFirst().first }

    static func main() {
        if CommandLine.arguments.dropFirst() == ["--list"] {
            for function in FuzzFunction.all { print(function.name) }
            return
        }
        guard function != nil else {
            print("usage: helio-fuzz NAME [OPTION | FOLDER | FILE]...   or: helio-fuzz --list")
            exit(64)
        }
        // libFuzzer keeps the arguments, so they are never freed.
        let arguments = [CommandLine.arguments[0]] + CommandLine.arguments.dropFirst(2)
        let argv = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: arguments.count + 1)
        for (index, argument) in arguments.enumerated() { argv[index] = strdup(argument) }
        argv[arguments.count] = nil
        var count = CInt(arguments.count)
        var vector: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = argv
        exit(LLVMFuzzerRunDriver(&count, &vector, testOneInput))
    }
}

/// The symbol that libFuzzer's own `main` requires, which is linked but not used.
@c(LLVMFuzzerTestOneInput)
func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    HelioFuzz.function?.run(Array(UnsafeBufferPointer(start: data, count: size)))
    return 0
}
