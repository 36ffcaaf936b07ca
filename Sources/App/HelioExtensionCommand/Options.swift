internal import HelioExtension

/// The command-line options of `helio-extension`; `help` explains each option.
struct Options {
    static let help = """
        usage: helio-extension [--socket PATH] [--seconds N] [--rate N] [--turn-every N] [--tone] [--unscaled] [--budget MB]

          --socket PATH    the app's socket; without an app pictures are coded and dropped
          --seconds N      how long (60)
          --rate N         pictures a second (60)
          --turn-every N   seconds from one change of orientation to the next (10)
          --tone           gives sound of the apps, too: a tone
          --unscaled       codes the pictures as they are: what an extension must not do
          --budget MB      the most private memory; more ends with status 2 (40)

        """

    var socket = "/tmp/helio-extension/relay"
    var seconds = 60
    var rate = 60
    var turnEvery = 10
    var hasTone = false
    var isScaled = true
    var budget = 40

    init(_ arguments: some Collection<String>) throws(HelioError) {
        var rest = Array(arguments)[...]
        while let option = rest.popFirst() {
            switch option {
            case "--socket":
                guard let path = rest.popFirst() else { throw Self.wrong(option) }
                socket = path
            case "--seconds": seconds = try Self.number(option, &rest, 1...100_000)
            case "--rate": rate = try Self.number(option, &rest, 1...240)
            case "--turn-every": turnEvery = try Self.number(option, &rest, 1...100_000)
            case "--budget": budget = try Self.number(option, &rest, 1...100_000)
            case "--tone": hasTone = true
            case "--unscaled": isScaled = false
            default: throw HelioError.invalid("There is no option '\(option)'.")
            }
        }
    }

    private static func number(
        _ option: String, _ rest: inout ArraySlice<String>, _ range: ClosedRange<Int>
    ) throws(HelioError) -> Int {
        guard let number = rest.popFirst().flatMap({ Int($0) }), range.contains(number) else { throw wrong(option) }
        return number
    }

    private static func wrong(_ option: String) -> HelioError { .invalid("'\(option)' wants another value.") }
}

extension HelioError {
    fileprivate static func invalid(_ message: String) -> HelioError { HelioError(.invalidArgument, message) }
}
