import Foundation
import HelioUnattended
import Testing

@Suite("Unit files")
struct ServiceUnitTests {
    @Test("a user's service: what it runs, that it starts again, and when it starts by itself")
    func user() {
        let unit = ServiceUnit(
            .user, program: "/usr/bin/heliograph", arguments: ["service", "run", "--", "--port", "7000"],
            environment: [("HELIOGRAPH_HOME", "/home/ann/keys")], comment: ["Written here."])
        #expect(
            unit.text == """
                # Written here.
                [Unit]
                Description=Heliograph, which shares this machine's screen
                StartLimitIntervalSec=0

                [Service]
                Type=exec
                ExecStart=/usr/bin/heliograph service run -- --port 7000
                Environment=HELIOGRAPH_HOME=/home/ann/keys
                Restart=always
                RestartSec=5
                TimeoutStopSec=10
                UMask=0077
                NoNewPrivileges=yes

                [Install]
                WantedBy=default.target

                """)
    }

    @Test("the machine's service has a folder of its own, little else to write to, and starts with the machine")
    func system() {
        let text = ServiceUnit(.system, program: "/usr/bin/heliograph", arguments: []).text
        for line in [
            "StateDirectory=heliograph", "StateDirectoryMode=0700", "ProtectSystem=strict", "ProtectHome=read-only",
            "CapabilityBoundingSet=CAP_DAC_READ_SEARCH CAP_SYS_PTRACE CAP_SYS_NICE", "WantedBy=multi-user.target",
        ] {
            #expect(text.contains("\n\(line)\n"), "\(line)")
        }
    }

    @Test(
        "an argument arrives as it is: quoted where it needs it, with percent and dollar signs doubled",
        arguments: [
            ("plain", "plain"), ("--name=Ann", "--name=Ann"), ("/a/b_c-d.e", "/a/b_c-d.e"),
            ("Ann's desk", "\"Ann's desk\""), ("50%", "50%%"), ("%h", "%%h"), ("$HOME", "$$HOME"),
            ("100% of $it", "\"100%% of $$it\""), ("say \"hi\"", "\"say \\\"hi\\\"\""), ("a\\b", "\"a\\\\b\""),
            ("", "\"\""), (";", "\";\""), ("a\nb", "\"a\\nb\""), ("a\tb", "\"a\\tb\""), ("a\u{1}b", "\"a\\x01b\""),
            ("ü", "\"ü\""), ("[Service]\nExecStart=/bin/sh", "\"[Service]\\nExecStart=/bin/sh\""),
        ])
    func argument(text: String, quoted: String) {
        #expect(ServiceUnit.argument(text) == quoted)
    }

    @Test("a program's path with spaces, percent and dollar signs; and a comment can't become a setting")
    func path() {
        let text = ServiceUnit(
            .user, program: "/opt/my 50% $x/heliograph", arguments: ["$x"], comment: ["one\n[Service]\r\ntwo"]
        ).text
        // No variables are replaced in the path.
        #expect(text.contains("\nExecStart=\"/opt/my 50%% $x/heliograph\" $$x\n"))
        #expect(text.hasPrefix("# one [Service] two\n[Unit]\n"))
    }

    @Test("the option of a file that is gone is left out, in both forms; others stay")
    func fileOption() {
        let option = FileOption("--code")
        func left(_ words: String...) -> [String] { option.removed(from: words) { $0 == "there" } }
        #expect(left("--code", "there", "-v") == ["--code", "there", "-v"])
        #expect(left("--code", "gone", "-v") == ["-v"])
        #expect(left("-v", "--code=gone", "--code=there") == ["-v", "--code=there"])
        #expect(left("--code") == ["--code"])
        #expect(left("--codes", "gone") == ["--codes", "gone"])
        #expect(left() == [])
    }

    @Test("a program that others than root can change, by itself or by a folder above it, is none for root to run")
    func weakProgram() throws {
        let folder = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data().write(to: URL(fileURLWithPath: folder + "/program"))
        func weakness() -> String? { ProgramPath.weakness(of: folder + "/program") }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder)
        // Unless root runs the tests, the program itself is another user's.
        #expect(weakness() == folder + (geteuid() == 0 ? "" : "/program"))
        try FileManager.default.setAttributes([.posixPermissions: 0o775], ofItemAtPath: folder + "/program")
        #expect(weakness() == folder + "/program")
        #expect(ProgramPath.weakness(of: folder + "/gone") == folder + "/gone")
        #expect(ProgramPath.weakness(of: "/bin/sh") == nil)
    }
}
