import Foundation
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `script/make-manuals`, and the completions in the shells themselves.
@Suite("manual pages and completions", .timeLimit(.minutes(2)), .tags(.quiet))
struct ManualTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized

    /// The files that the script has made, which are removed with this object.
    private final class Made {
        let program: ConfiguredProgram
        var pages: URL { program.folder.appending(path: "made/man/man1") }
        var completions: URL { program.folder.appending(path: "made/completions") }

        init() throws {
            program = try ConfiguredProgram()
            try make(in: "made")
        }

        func make(in folder: String) throws {
            try Tool.run(
                [
                    ManualTests.root.path + "/script/make-manuals", ConfiguredProgram.executable,
                    program.folder.path + "/" + folder,
                ], environment: ["SOURCE_DATE_EPOCH": "1700000000"], errors: true)
        }

        func output(_ command: [String]) throws -> String {
            String(
                decoding: try Tool.run(
                    command, environment: ["HELIOGRAPH_HOME": program.folder.path, "HOME": program.folder.path],
                    errors: true),
                as: UTF8.self)
        }
    }

    @Test("pages are what manuals are made of, and the same each time")
    func pages() throws {
        let made = try Made()
        let names = try FileManager.default.contentsOfDirectory(atPath: made.pages.path).sorted()
        #expect(names.contains("heliograph.1") && names.contains("heliograph-share.1"))
        #expect(names.allSatisfy { $0.hasSuffix(".1") } && names.count > 10)
        try made.make(in: "again")
        try Tool.run(
            ["diff", "-r", made.program.folder.path + "/made", made.program.folder.path + "/again"], errors: true)
        for name in names {
            let page = made.pages.appending(path: name).path
            // Style is left out: it wants lines of 80 bytes, and pages that are installed.
            #expect(try made.output(["mandoc", "-T", "lint", "-W", "warning", page]) == "", "\(name)")
            let text = try made.output(["env", "LC_ALL=C.UTF-8", "MANWIDTH=80", "man", "--warnings", "-l", page])
            #expect(!text.contains("warning:"), "\(name)")
            #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(name)")
        }
        let share = try made.output(["env", "LC_ALL=C.UTF-8", "man", "-l", made.pages.path + "/heliograph-share.1"])
        for part in ["November 14, 2023", "--fps fps", "HELIOGRAPH_RENDEZVOUS", "heliograph share [options]"] {
            #expect(share.contains(part), "\(part)")
        }
        let keys = try made.program.keys().filter { $0.place.table == "share" }
        for key in keys { #expect(share.contains("--\(key.place.name)"), "\(key.key)") }
    }

    /// A store with two paired hosts.
    private static let hosts = """
        {"version":1,"entries":[\
        {"name":"Living room","address":"192.0.2.1","port":7236,"fingerprint":"\(bytes(1, 32))",\
        "device":"\(bytes(1, 16))","secret":"\(bytes(1, 32))"},\
        {"name":"desk","address":"192.0.2.2","port":7236,"fingerprint":"\(bytes(2, 32))",\
        "device":"\(bytes(2, 16))","secret":"\(bytes(2, 32))"}]}
        """

    private static func bytes(_ byte: UInt8, _ count: Int) -> String {
        Data(repeating: byte, count: count).base64EncodedString()
    }

    @Test("bash completes commands, options, values, keys and paired machines; zsh and fish read theirs")
    func completions() throws {
        let made = try Made()
        let places = made.completions.path
        #expect(
            FileManager.default.createFile(
                atPath: made.program.folder.path + "/hosts.json", contents: Data(Self.hosts.utf8),
                attributes: [.posixPermissions: 0o600]))
        let cases = [
            ("heliograph sh", ["share"]), ("heliograph help conf", ["config"]), ("heliograph share --cod", ["--codec"]),
            ("heliograph share --codec h", ["h264", "h265"]), ("heliograph config get share.fp", ["share.fps"]),
            ("heliograph devices re", ["rename", "revoke"]), ("heliograph config set share.codec h", ["h264", "h265"]),
            ("heliograph config set share.hear t", ["true"]), ("heliograph view ", ["Living room", "desk"]),
            ("heliograph wake d", ["desk"]),
            (
                "heliograph share --link-file \(places)/helio",
                [
                    places + "/heliograph.bash", places + "/heliograph.fish",
                ]
            ),
        ]
        for (typed, wanted) in cases {
            let script = """
                source '\(places)/heliograph.bash'
                heliograph() { '\(ConfiguredProgram.executable)' "$@"; }
                COMP_LINE=$1 COMP_POINT=${#1}
                read -ra COMP_WORDS <<<"$1"
                [[ $1 == *' ' ]] && COMP_WORDS+=('')
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _heliograph heliograph "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let text = try made.output(["bash", "-c", script, "bash", typed])
            #expect(text.split(separator: "\n").map(String.init).sorted() == wanted.sorted(), "\(typed): \(text)")
        }
        #expect(try made.output(["zsh", "-f", "-n", "\(places)/_heliograph"]) == "")
        #expect(try made.output(["fish", "--no-config", "--no-execute", "\(places)/heliograph.fish"]) == "")
        let told = try made.output([
            "fish", "--no-config", "-c", "source '\(places)/heliograph.fish'; complete -C 'heliograph share --codec h'",
        ])
        #expect(told.contains("h264\t") && told.contains("h265\t"), "\(told)")
    }

    @Test("a program that can't be run is told")
    func wrong() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-\(UUID().uuidString)").path
        for program in ["/nonexistent/heliograph", "/bin/false"] {
            let made = try RunningProgram(
                Self.root.path + "/script/make-manuals", [program, folder], environment: [:])
            #expect(made.waitUntilExit() == 1)
            #expect(made.text.contains("make-manuals: \(program)"), "\(made.text)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder))
    }
}
