import Foundation
import HelioCore
import HelioTestLanes
import HelioUnattended
import Testing

// In order: a program that one test writes is busy while another test starts one.
@Suite("Sessions and displays are read from the machine", .serialized, .tags(.quiet))
final class SessionSurveyTests {
    private let root = FileManager.default.temporaryDirectory.path + "/heliograph-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func write(_ path: String, _ text: String, isProgram: Bool = false) throws {
        let folder = (root + path as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: root + path))
        if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root + path) }
    }

    private func link(_ path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: root + path, withDestinationPath: target)
    }

    /// A survey of the planted machine, whose only programs are those in its bin folder and the shell's.
    private func survey(user: UInt32? = nil) -> SessionSurvey {
        SessionSurvey(
            root: root, user: user ?? geteuid(), home: root + "/home",
            tool: SystemTool(environment: ["PATH": root + "/bin:/usr/bin:/bin"]))
    }

    private func plantLogind(_ body: String) throws {
        try write("/proc/50/cmdline", "/lib/systemd/systemd-logind\0")
        try write("/bin/loginctl", "#!/bin/sh\n" + body, isProgram: true)
    }

    @Test("a log-in screen: logind's session, the server's command line, and its socket")
    func greeter() throws {
        try plantLogind(
            """
            case $1 in
                list-sessions) echo 'c1 106 lightdm seat0 tty7' ;;
                show-session)
                    for word in "$@"; do [ "$word" != c1 ] || printf 'Id=c1\\nType=x11\\nClass=greeter\\n'; done
                    echo "User=$(id -u)"
                    printf 'State=active\\nSeat=seat0\\nDisplay=:0\\nVTNr=7\\n'
                    ;;
            esac
            """)
        try write("/proc/100/cmdline", "/usr/lib/xorg/Xorg\0:0\0-auth\0/var/run/lightdm/root/:0\0vt7\0")
        try link("/proc/100/exe", to: "/usr/lib/xorg/Xorg (deleted)")
        // Programs that are called as a server is: one of another name, and one that can't be known.
        try write("/proc/101/cmdline", "Xorg\0root\0--\0:0\0-auth\0/tmp/key\0vt7\0")
        try link("/proc/101/exe", to: "/usr/bin/su")
        try write("/proc/102/cmdline", "Xorg\0:0\0-auth\0/tmp/key\0vt7\0")
        try write("/tmp/.X11-unix/X0", "")
        let facts = try survey(user: 0).read()
        #expect(facts.sessions.map(\.id) == ["c1"] && facts.servers.map(\.display) == [":0"])
        #expect(
            DisplayFinder.findInFront(facts).place?.environment == [
                "DISPLAY": ":0", "XAUTHORITY": "/var/run/lightdm/root/:0", "XDG_SESSION_TYPE": "x11",
                "XDG_SESSION_ID": "c1",
            ])
    }

    @Test("a user's own programs, by the variables that name a desktop and no others; sockets that were left behind")
    func own() throws {
        let user = geteuid()
        try write("/proc/300/environ", "DISPLAY=:5\0SECRET=word\0XAUTHORITY=/key=1\0PATH=/bin\0")
        try write("/proc/301/environ", "TERM=xterm\0")
        try write("/proc/400/cmdline", "Xvfb\0:5\0")
        for number in [3, 5, 6] { try write("/tmp/.X11-unix/X\(number)", "") }
        try write("/tmp/.X11-unix/not-a-display", "")
        try write("/tmp/.X3-lock", "      9999\n")
        try write("/tmp/.X5-lock", "       400\n")
        try write("/tmp/.X11-unix/X7", "")
        #expect(mkfifo(root + "/tmp/.X7-lock", 0o644) == 0, "anybody may put one there: nothing waits for it")
        try write("/run/user/\(user)/wayland-1", "")
        try write("/run/user/\(user)/wayland-1.lock", "")
        try write("/home/.Xauthority", "x")
        let facts = try survey().read()
        #expect(facts.sessions.isEmpty, "without logind")
        #expect(facts.programs == [.init(user: user, variables: ["DISPLAY": ":5", "XAUTHORITY": "/key=1"])])
        #expect(Set(facts.displays.keys) == [5, 6, 7], "3 was left behind by a server that is gone")
        #expect(facts.compositors == ["wayland-1"] && facts.runtimeFolder == root + "/run/user/\(user)")
        #expect(facts.ownAuthority == root + "/home/.Xauthority")
    }

    @Test("a logind that does not answer is no machine without sessions")
    func failing() throws {
        try plantLogind("echo 'Failed to connect to bus' >&2; exit 1\n")
        #expect(throws: HelioError.self) { try self.survey().read() }
    }

    @Test("nothing there is nothing found")
    func empty() throws {
        let facts = try survey().read()
        #expect(facts == SessionFacts(user: geteuid()))
    }

    @Test("what is cheap to look at changes when a session or a display comes or goes")
    func fingerprint() throws {
        let survey = survey()
        let before = survey.fingerprint()
        #expect(survey.fingerprint() == before)
        try write("/tmp/.X11-unix/X0", "")
        let second = survey.fingerprint()
        #expect(second != before)
        try write("/run/systemd/sessions/2", "")
        #expect(survey.fingerprint() != second)
    }
}
