import HelioUnattended
import Testing

@Suite("What the doctor finds")
struct DiagnosisTests {
    private static let ports = [PortFact(.tcp, 7236), PortFact(.udp, 7236), PortFact(.udp, 7237)]

    @Test("a display that can be captured, one that can't, and one without a monitor")
    func display() {
        let ways = [("x11", false, "no X display is named"), ("wlr", true, "the compositor at wayland-1")]
        let good = Diagnosis.display(ways: ways, monitors: ["HEADLESS-1 1920x1080"], failure: nil)
        #expect(good.state == .ok)
        #expect(good.text == "Captured by wlr, the compositor at wayland-1: HEADLESS-1 1920x1080.")
        let dark = Diagnosis.display(ways: ways, monitors: [], failure: nil)
        #expect(dark.state == .fault && dark.advice != nil)
        let none = Diagnosis.display(ways: [], monitors: [], failure: "No display.")
        #expect(none == Finding(.display, .fault, "No display.", advice: .nameDisplay))
    }

    @Test("without an encoder nothing is shared; without a decoder it is")
    func codecs() {
        #expect(Diagnosis.encoders([("x264", true, false), ("h264_vaapi", false, true)]).state == .ok)
        #expect(Diagnosis.encoders([("x264", false, false)]).state == .fault)
        #expect(Diagnosis.encoders([]).state == .fault)
        #expect(Diagnosis.decoders(software: ["h264"], hardware: ["h265"]).text.contains("by hardware: h265"))
        #expect(Diagnosis.decoders(software: [], hardware: []).state == .warning)
    }

    @Test("sound, clipboard, discovery and clock may be missing")
    func lesser() {
        #expect(Diagnosis.sound(devices: ["Speakers"], failure: nil).state == .ok)
        #expect(Diagnosis.sound(devices: [], failure: nil).state == .warning)
        #expect(Diagnosis.sound(devices: [], failure: "No sound server.").text.hasPrefix("No sound server."))
        #expect(Diagnosis.clipboard(isThere: true, failure: nil).state == .ok)
        #expect(Diagnosis.clipboard(isThere: false, failure: nil).state == .warning)
        #expect(Diagnosis.clipboard(isThere: false, failure: "Broken.").text == "Broken.")
        #expect(Diagnosis.discovery(obstacle: nil).state == .ok)
        #expect(Diagnosis.discovery(obstacle: "Avahi does not run").text == "Avahi does not run.")
        #expect(Diagnosis.clock(isSynchronised: true).state == .ok)
        #expect(Diagnosis.clock(isSynchronised: nil).advice == nil)
        #expect(Diagnosis.clock(isSynchronised: false).state == .warning)
    }

    @Test("the kernel's table of sockets: who listens, not who is connected")
    func sockets() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1C44 00000000:0000 01 00000000:00000000 00:00000000 00000000  1000        0 111 1
               1: 00000000:1C44 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 222 1
               2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 07 0:0 0:0 0 0 0 333 2
               3: short
            """
        #expect(PortFact(.tcp, 7236).socket(in: table) == 222)
        #expect(PortFact(.udp, 8080).socket(in: table) == 333)
        #expect(PortFact(.tcp, 8080).socket(in: table) == nil)
        #expect(PortFact(.udp, 7236).socket(in: table) == nil && PortFact(.tcp, 1).socket(in: "") == nil)
    }

    @Test("ports that are free, that sharing itself has, and that another program has")
    func portsTaken() {
        #expect(Diagnosis.ports(Self.ports, own: ["heliograph"]).text == "Free: TCP 7236, UDP 7236, UDP 7237.")
        var own = Self.ports
        own[0].socket = 1
        own[0].owner = "heliograph"
        #expect(Diagnosis.ports(own, own: ["heliograph"]).state == .ok)
        own[1].socket = 2
        let other = Diagnosis.ports(own, own: ["heliograph"])
        #expect(other.state == .warning && other.advice == .choosePort)
        #expect(other.text == "Taken: UDP 7236 (a program of another user). Other ports are used instead.")
        own[1].owner = "nginx"
        #expect(Diagnosis.ports(own, own: ["heliograph"]).text.contains("UDP 7236 (nginx)"))
    }

    @Test("ufw, firewalld and nftables, as far as they can be read")
    func firewall() {
        func find(_ change: (inout FirewallFacts) -> Void) -> Finding {
            var facts = FirewallFacts()
            change(&facts)
            return Diagnosis.firewall(facts, ports: Self.ports)
        }
        #expect(find { _ in }.text.contains("read by root alone"))
        let closed = find { $0.hasUFW = true }
        #expect(closed.advice == .command("sudo ufw allow 7236/tcp && sudo ufw allow 7236,7237/udp"))
        #expect(closed.text.contains("only root can read"))
        #expect(find { ($0.hasUFW, $0.ufwRules) = (true, "--dport 7236:7237 -p udp") }.state == .ok)
        #expect(find { ($0.hasUFW, $0.ufwRules) = (true, "--dport 22") }.state == .warning)
        #expect(find { $0.hasFirewalld = true }.state == .warning)
        let open = ["7236/tcp", "7236/udp", "7237/udp", "22/tcp"]
        #expect(find { ($0.hasFirewalld, $0.firewalldPorts) = (true, open) }.state == .ok)
        #expect(find { ($0.hasFirewalld, $0.firewalldPorts) = (true, ["7236/tcp"]) }.state == .warning)
        #expect(find { $0.nftables = "" }.state == .ok)
        let drops = "type filter hook input priority filter; policy drop;"
        #expect(find { $0.nftables = drops }.state == .warning)
        #expect(find { $0.nftables = drops + "\ntcp dport { 7236, 7237 } accept" }.state == .ok)
        #expect(find { $0.nftables = "type filter hook input priority filter; policy accept;" }.state == .ok)
    }

    @Test(
        "whether ufw is on, by its settings",
        arguments: [
            ("ENABLED=yes", true), ("# ENABLED=yes\nENABLED=no", false), (" ENABLED = YES ", true), ("", false),
            ("LOGLEVEL=low", false),
        ])
    func ufw(settings: String, isOn: Bool) {
        #expect(FirewallFacts.isUFWOn(settings) == isOn)
    }

    @Test("a rendezvous server that is not used, reached, or not reached")
    func rendezvous() {
        #expect(Diagnosis.rendezvous(url: nil, failure: nil).state == .ok)
        #expect(Diagnosis.rendezvous(url: "https://meet.example.org", failure: nil).state == .ok)
        let failed = Diagnosis.rendezvous(url: "https://meet.example.org", failure: "Its certificate is wrong.")
        #expect(failed == Finding(.rendezvous, .warning, "Its certificate is wrong.", advice: .checkRendezvous))
    }

    @Test("keys that others may read, or that belong to another user, keep sharing from using them")
    func keys() {
        let folder = KeyFile("/home/ann/my keys", owner: 1000, permissions: 0o700, isFolder: true)
        func find(_ files: KeyFile...) -> Finding { Diagnosis.keys(files, user: 1000) }
        #expect(find().state == .ok)
        #expect(find(folder, KeyFile("/home/ann/my keys/a", owner: 1000, permissions: 0o600)).state == .ok)
        #expect(find(folder, KeyFile("/home/ann/my keys/a", owner: 0, permissions: 0o600)).state == .ok)
        let open = find(folder, KeyFile("/home/ann/my keys/a", owner: 1000, permissions: 0o640))
        #expect(open.state == .fault && open.advice == .command("chmod 600 '/home/ann/my keys/a'"))
        let folderOpen = find(KeyFile("/k'k", owner: 1000, permissions: 0o755, isFolder: true))
        #expect(folderOpen.advice == .command("chmod 700 '/k'\\''k'"))
        let foreign = find(folder, KeyFile("/home/ann/my keys/a", owner: 1001, permissions: 0o600))
        #expect(foreign.advice == .command("sudo chown -R 1000 '/home/ann/my keys'"))
    }

    @Test("pairings: none needed, none there though a service runs, and a list that can't be read")
    func devices() {
        #expect(Diagnosis.devices([], failure: nil, isNeeded: false).state == .ok)
        #expect(Diagnosis.devices([], failure: nil, isNeeded: true).advice == .pairDevice)
        #expect(Diagnosis.devices(["laptop"], failure: nil, isNeeded: true).text.contains("laptop"))
        #expect(Diagnosis.devices(nil, failure: "Damaged.", isNeeded: false) == Finding(.devices, .fault, "Damaged."))
    }

    @Test("the service: not there, running, failed, stopped, or started too often")
    func service() {
        func status(_ activity: String, restarts: Int = 0) -> ServiceStatus {
            ServiceStatus("LoadState=loaded\nActiveState=\(activity)\nUnitFileState=enabled\nNRestarts=\(restarts)\n")
        }
        #expect(Diagnosis.service(user: nil, system: nil).text == "systemd can't be asked here.")
        #expect(Diagnosis.service(user: ServiceStatus(), system: nil).text == "No service is installed.")
        #expect(
            Diagnosis.service(user: status("active"), system: status("active")).text
                == "Runs: this user's and the machine's.")
        #expect(Diagnosis.service(user: status("failed"), system: nil).advice == .readServiceLog(system: false))
        #expect(Diagnosis.service(user: nil, system: status("inactive")).advice == .startService(system: true))
        #expect(Diagnosis.service(user: status("active", restarts: 9), system: nil).state == .warning)
    }

    @Test("a check that takes too long is no fault, and every check has its place")
    func late() {
        for check in Finding.Check.allCases {
            #expect(Finding.late(check).state == .warning && Finding.late(check).advice != nil)
        }
    }
}
