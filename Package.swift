// swift-tools-version: 6.2
import PackageDescription

#if os(macOS)
import Foundation
let here = "apple"
#else
let here = "linux"
#endif

// The folder tree is the architecture: a target imports only from floors below its own. The table says who stands where
// and needs whom, a row a target. script/check-architecture, which proves the rule in CI, and Fuzz/Package.swift read it
// here.
//
//     NAME  FLOOR[/SUBFLOOR]  [@SYSTEM]  NEED...  [| NEED...]
//
// - Words between spaces. A line that begins with a space goes on with the row above it, one that begins with # is a
//   comment, between rows.
// - Rows go from the ground up, each needing only what is on a sub-floor further up in the list; and on a sub-floor in
//   alphabetical order, capitals first.
// - NAME is in Sources/FLOOR/NAME; one of Testing, Web, Examples and Tests in FLOOR/NAME.
// - NEED is the name of a row, which may go without its Helio, or that of another package's product.
// - Behind the bar is what Tests/NAMETests needs beside NAME. Without a bar there is no such folder.
// - @SYSTEM is @linux or @apple: only that system has the row. Who needs it is marked as well, or says NEED@SYSTEM, having
//   another way elsewhere. Tests need no mark: where a need of theirs is missing, so are they.
//
// Facts that fit no row are in the lists below the package.
// swift-format-ignore
let table = """
HelioCore              Core         |
# Wire: formats; what is made of them; and RTSP, which may carry RTP.
HelioADBWire           Wire/1       Core | Core
HelioBitstream         Wire/1       Core | Core
HelioControlWire       Wire/1       Core | Core Fuzzing
HelioDBusWire          Wire/1       |
HelioJSON              Wire/1       Core | Core
HelioMDNS              Wire/1       Core | Core
HelioPhoneWire         Wire/1       Core | Core
HelioRelayWire         Wire/1       Core | Core
HelioRendezvousWire    Wire/1       Core | Core
HelioSDP               Wire/1       Core | Core Fuzzing
HelioSTUN              Wire/1       Core | Core OpenSSL Protection
HelioTOML              Wire/1       |
HelioTransferWire      Wire/1       Core | Core
HelioWaylandWire       Wire/1       Core | Core
HelioMPEGTS            Wire/2       Bitstream Core | Bitstream Core Fuzzing Receivers TestPrograms
HelioRTMP              Wire/2       Bitstream Core | Bitstream Core
HelioRTP               Wire/2       Bitstream Core | Bitstream Core Simulation
HelioRemoteWire        Wire/2       ControlWire Core JSON | ControlWire Core JSON
HelioRTSP              Wire/3       Core RTP | Core Fuzzing
# Engines: protection; protocols, broadcasts among them; media; what is above its streams: playout, the next picture, plain
# RTP, WebRTC's peer and our session; RTSP's two ends; and the host.
HelioProtection        Engines/1    Core | Core Fuzzing OpenSSL
HelioAndroid           Engines/2    ADBWire Core DequeModule PhoneWire | ADBWire Core PhoneWire
HelioBroadcast         Engines/2    Bitstream Core DequeModule MPEGTS Protection RTMP
                                  | Bitstream Core Fuzzing MPEGTS Protection RTMP Receivers Simulation
HelioICE               Engines/2    Core DequeModule Protection STUN | Core OpenSSL Protection STUN Simulation
HelioPatch             Engines/2    Bitstream Core | Core
HelioRelay             Engines/2    Bitstream Core DequeModule RelayWire | Core RelayWire
HelioSCTP              Engines/2    Core DequeModule Protection | Core DequeModule OpenSSL Simulation
HelioTURN              Engines/2    Core DequeModule Protection STUN
                                  | Core OpenSSL Protection STUN Simulation TestLanes TestPrograms
HelioAdmission         Engines/3    Core DequeModule Protection RTSP RendezvousWire | Core
HelioLinks             Engines/3    Core DequeModule Protection SCTP
                                  | Core OpenSSL Protection SCTP Simulation TestLanes
HelioMedia             Engines/3    Bitstream Core DequeModule RTP SDP | Bitstream Core RTP Simulation
HelioRemote            Engines/3    ControlWire Core DequeModule Protection RemoteWire | ControlWire Core RemoteWire
HelioRendezvous        Engines/3    Core DequeModule Protection RendezvousWire TURN
                                  | Core OpenSSL Protection RendezvousWire TURN
HelioTransfer          Engines/3    Core DequeModule Protection TransferWire | Core Protection TransferWire
HelioPeer              Engines/4    Core DequeModule ICE Media Protection RTP SCTP SDP STUN TURN
                                  | Bitstream Core ICE Media OpenSSL Protection RTP SCTP SDP STUN Simulation TURN
HelioPicture           Engines/4    Core DequeModule Media | Core Media
HelioPlainRTP          Engines/4    Bitstream Core DequeModule Media RTP SDP
HelioPlayout           Engines/4    Core DequeModule Media | Core Media
HelioSession           Engines/4    Admission Bitstream Core DequeModule Media Protection RTP RTSP Remote RemoteWire SDP
                                    Transfer TransferWire
                                  | Core
HelioRTSPClient        Engines/5    Admission Core DequeModule Media PlainRTP Protection RTP RTSP SDP
                                  | Core Media OpenSSL Protection RTP RTSP RTSPServer SDP Simulation
HelioRTSPServer        Engines/5    Admission Core DequeModule Media PlainRTP Protection RTP RTSP
                                  | Core Media OpenSSL Protection RTP RTSP SDP Session Simulation
HelioHost              Engines/6    Admission Core DequeModule Media Peer Protection RTP Remote RemoteWire SCTP SDP
                                    Session TURN Transfer TransferWire
                                  | Admission ControlWire Core DequeModule ICE Media OpenSSL Peer Playout Protection RTP
                                    RTSP Remote RemoteWire SCTP SDP Session Simulation TURN TransferWire
# Testing: what only tests and fuzzers use, beside the house; first the other ends of senders.
HelioReceivers         Testing/1    Bitstream Broadcast Core DequeModule MPEGTS Protection RTMP
HelioFuzzing           Testing/2    Admission Android Bitstream Broadcast ControlWire Core DBusWire DequeModule Host ICE
                                    JSON Links MDNS MPEGTS Patch Peer PhoneWire Protection RTMP RTP RTSP RTSPClient
                                    RTSPServer Receivers Relay RelayWire Remote RemoteWire Rendezvous RendezvousWire
                                    SCTP SDP STUN Session TOML TURN Transfer TransferWire WaylandWire
                                  | Core
HelioSimulation        Testing/2    Core DequeModule Protection RTP STUN | Core TestLanes
# System: C libraries, and what of the system Swift can't say; and C of our own.
CAVFormat              System/1
CAvahi                 System/1     @linux
CDatagram              System/1
CFFmpeg                System/1     @linux
CFileStatus            System/1
CGTK                   System/1     @linux
CGround                System/1
CInterfaces            System/1
CLibYUV                System/1     @linux
CMalloc                System/1     @linux
CNATS                  System/1     @linux
COpenSSL               System/1
COpus                  System/1
CPipeWire              System/1     @linux
CPulse                 System/1     @linux
CQREncode              System/1     @linux
CSDL2                  System/1     @linux
CSRT                   System/1
CSessionBus            System/1     @linux
CWayland               System/1     @linux
CX264                  System/1     @linux
CXCB                   System/1     @linux
CYUV                   System/1     @linux
CKeyGuard              System/2     @linux CXCB
# Drivers: the ground, which is clock, thread, wake-ups and mailboxes; loops, files and sound; TLS; ways to meet; who
# serves or sends by all of them; and sessions between any networks. HelioHeartbeat and HelioExtension are for
# extensions: no NIO. HelioPeerPort knows no session, RTSP or control: WebRTC alone.
HelioGround            Drivers/1    CGround Core DequeModule | Core TestLanes
HelioLocalSocket       Drivers/1    CFileStatus Core
HelioOpenSSL           Drivers/1    COpenSSL Core Protection Rendezvous
                                  | COpenSSL Core Protection Simulation TestLanes TestPrograms
HelioExtension         Drivers/2    Bitstream Core Ground LocalSocket Relay RelayWire
HelioFileFolder        Drivers/2    CFileStatus Core DequeModule Ground Transfer TransferWire
                                  | Core OpenSSL TestLanes Transfer TransferWire
HelioHeartbeat         Drivers/2    Broadcast Core Ground | Broadcast Core HeartbeatProgram TestLanes TestPrograms
HelioLoop              Drivers/2    CDatagram CInterfaces Core DequeModule Ground NIOCore NIOPosix
                                  | Core Ground NIOCore NIOPosix OpenSSL Protection Remote Session TestLanes
                                    TestPrograms
HelioRecording         Drivers/2    Bitstream CAVFormat Core DequeModule Ground
                                  | Bitstream Core Ground RecordingWriter TestLanes TestPrograms
HelioRelayDriver       Drivers/2    Core Ground LocalSocket Relay RelayWire
                                  | Core Extension ExtensionCommand Ground LocalSocket Relay RelayWire TestLanes
                                    TestPrograms
HelioSound             Drivers/2    Core Ground Playout
HelioStores            Drivers/2    Admission CFileStatus Core OpenSSL Protection
                                  | Admission Core OpenSSL Protection Session
HelioTerminal          Drivers/2    Core Ground | Core TestLanes TestPrograms
HelioDiscovery         Drivers/3    CAvahi@linux Core Ground MDNS | Core MDNS TestLanes TestPrograms
HelioTLS               Drivers/3    Admission COpenSSL Core Loop NIOCore OpenSSL
                                  | COpenSSL Core NIOCore NIOEmbedded NIOPosix OpenSSL Protection TestLanes TestPrograms
HelioADB               Drivers/4    ADBWire Android Core Ground Loop NIOCore NIOPosix TLS
HelioPeerPort          Drivers/4    CDatagram Core Ground ICE Loop MDNS NIOCore NIOPosix OpenSSL Peer Protection STUN
                                    TLS TURN
                                  | Core ICE NIOCore NIOPosix OpenSSL Peer Protection SCTP STUN TestLanes TestPrograms
HelioRendezvousPort    Drivers/4    Core Ground Loop NIOCore NIOHTTP1 NIOPosix NIOWebSocket OpenSSL Rendezvous
                                    RendezvousWire TLS
                                  | Core NIOCore NIOEmbedded
HelioSignaling         Drivers/4    Core Ground Loop NIOCore NIOHTTP1 NIOPosix NIOWebSocket OpenSSL Stores TLS
                                  | Admission Core Loop NIOCore NIOPosix Stores TLS TestLanes TestPrograms
HelioBroadcasting      Drivers/5    Broadcast CSRT Core Ground ICE Loop MPEGTS Media NIOCore NIOHTTP1 NIOPosix OpenSSL
                                    Peer PeerPort Protection RTP SDP STUN TLS TURN
                                  | Bitstream Broadcast Core Ground MPEGTS NIOPosix PeerPort Protection Receivers
                                    TestLanes TestPrograms
HelioRendezvousServer  Drivers/5    Admission CNATS@linux Core DequeModule GRDB Ground Loop NIOCore NIOHTTP1 NIOPosix
                                    NIOWebSocket OpenSSL Protection Rendezvous RendezvousWire Signaling Stores TLS TURN
                                  | Admission Core HeliographCommand NIOCore NIOPosix OpenSSL Protection Rendezvous
                                    RendezvousPort RendezvousWire Signaling TLS TestLanes TestPrograms
HelioServing           Drivers/5    Admission ControlWire Core Ground Host Loop Media NIOCore NIOPosix OpenSSL Peer
                                    PeerPort Protection RTP RTSPClient RTSPServer Remote RemoteWire SCTP Session Stores
                                    TLS TransferWire
                                  | Admission ControlWire Core Ground Host Loop Media NIOCore NIOPosix OpenSSL Protection
                                    RTSPClient RTSPServer Remote RemoteWire Session Simulation Stores TLS TestLanes
                                    TestPrograms
HelioTunnel            Drivers/6    Core Ground Host Links Loop NIOCore NIOPosix OpenSSL Peer PeerPort Protection
                                    RemoteWire Rendezvous RendezvousWire Serving Signaling
                                  | Core Ground Host Links Loop NIOCore NIOEmbedded NIOPosix NarrowEcho OpenSSL
                                    PeerPort Protection RemoteWire Rendezvous RendezvousWire Serving Signaling TURN
                                    TestLanes TestPrograms
# Web: the page for browsers, compiled in: bytes, and their names. It knows nobody; who wants it is above.
CWebPages              Web/1
HelioWebPages          Web/2        CWebPages |
# Platforms: sound's codecs, and the rules of every viewer's window; what both sides have: sound, the clipboard, and what of
# Apple's is no call into a framework, so built and tested everywhere; Apple's sound; and the sides.
HelioDesktop           Platforms/1  @linux CPipeWire CWayland Core DBusWire Ground LocalSocket
                                  | Core DBusWire Ground TestLanes TestPrograms
HelioGTK               Platforms/1  @linux CGTK CQREncode
HelioSoundCodecs       Platforms/1  COpus Core Ground
HelioWayland           Platforms/1  @linux CWayland Core Ground LocalSocket WaylandWire
                                  | Core TestLanes TestPrograms WaylandWire
HelioWindow            Platforms/1  Core | Core
HelioAppleMedia        Platforms/2  Bitstream Core Ground Playout RemoteWire SoundCodecs Window
                                  | AppleFakes@linux Bitstream CFFmpeg@linux CLibYUV@linux CSDL2@linux Core Ground
                                    LinuxSink@linux LinuxSound@linux LinuxSource@linux SoundCodecs TestLanes Window
HelioLinuxClipboard    Platforms/2  @linux CXCB Core DBusWire Desktop Ground Wayland WaylandWire
                                  | CXCB Core DBusWire Desktop TestLanes TestPrograms Transfer TransferWire WaylandWire
HelioLinuxSound        Platforms/2  @linux CFFmpeg CPulse Core Ground SoundCodecs
                                  | Bitstream Broadcast COpus Core Sound SoundCodecs TestLanes TestPrograms
HelioAppleSound        Platforms/3  @apple AppleMedia Bitstream Core Ground
HelioAppleSink         Platforms/4  @apple AppleMedia AppleSound Core Ground
HelioAppleSource       Platforms/4  @apple AppleMedia AppleSound Core Ground
HelioLinuxSink         Platforms/4  @linux Bitstream CFFmpeg CLibYUV CSDL2 Core Ground LinuxClipboard LinuxSound Patch
                                    Wayland Window
                                  | Bitstream CFFmpeg CLibYUV CSDL2 Core Ground LinuxSource Patch TestLanes TestPrograms
                                    Wayland WaylandWire Window
HelioLinuxSource       Platforms/4  @linux Bitstream CFFmpeg CKeyGuard CQREncode CSessionBus CX264 CXCB CYUV Core Desktop
                                    Ground LinuxClipboard LinuxSound LocalSocket Patch Wayland WaylandWire
                                  | Bitstream CFFmpeg CKeyGuard CQREncode CX264 CXCB CYUV Core Desktop Ground LinuxSink
                                    Patch TestLanes TestPrograms Wayland WaylandWire
# Kit: what both ends share; WebRTC, which stands apart, as do the apps' screens, without a framework that draws them;
# viewing; what can share as well; and what those screens have done: a viewer's, a host's, a broadcast's (the app's half and
# the extension's).
HelioAppModels         Kit/1        Broadcast Core Remote | ScreenReading
HelioSharing           Kit/1        Admission ControlWire Core Discovery FileFolder Ground Links LocalSocket Loop MDNS
                                    NIOCore NIOPosix OpenSSL PeerPort Protection RTSPServer Recording Remote RemoteWire
                                    Rendezvous RendezvousPort RendezvousWire Serving Session Stores Transfer
                                    TransferWire Tunnel
                                  | ControlWire Core Remote Session TestLanes TransferWire
HelioUnattended        Kit/1        Core | Core TestLanes TestPrograms
HelioWebRTC            Kit/1        Core DequeModule Ground ICE Loop Media NIOCore NIOPosix OpenSSL Peer PeerPort
                                    Protection RTP SCTP SDP STUN TURN
                                  | Core ForeignPeers NIOCore NIOEmbedded NIOPosix Peer PeerPort SCTP SoundCodecs TURN
                                    TestLanes TestPrograms
HelioViewing           Kit/2        Admission AppleSink@apple Bitstream ControlWire Core Ground LinuxSink@linux Loop
                                    Media NIOCore NIOPosix OpenSSL Playout Protection RTP RTSPClient RTSPServer
                                    Recording Remote RemoteWire Serving Session Sharing Sound Stores
HelioViewerFlow        Kit/3        AppModels ControlWire Core Remote RemoteWire Viewing
                                  | AppModels Core Heliograph TestLanes Viewing
Heliograph             Kit/3        ADB ADBWire Admission Android AppleSource@apple Bitstream Broadcast Broadcasting
                                    ControlWire Core Discovery Ground Heartbeat Host Links LinuxSource@linux Loop MDNS
                                    Media NIOCore NIOPosix OpenSSL Peer PeerPort Picture Protection RTP RTSPClient
                                    RTSPServer Recording Relay RelayDriver RelayWire Remote RemoteWire Rendezvous
                                    RendezvousPort RendezvousWire SDP Serving Session Sharing Signaling Sound Stores
                                    TLS TURN Tunnel Viewing WebPages
                                  | Android Bitstream Core Extension ExtensionCommand Ground HeliographCommand LinuxSink
                                    LinuxSource Loop Media Picture Playout RemoteWire SayHello SendFile Session Sharing
                                    Simulation Sound TestLanes TestPrograms ViewScreen Viewing WriteFile
HelioBroadcastFlow     Kit/4        AppModels AppleMedia Core Extension Heliograph
                                  | AppModels AppleMedia Bitstream Core Extension Heliograph LinuxSource Patch
                                    ScreenReading TestLanes TestPrograms
HelioHostFlow          Kit/4        AppModels Core Heliograph
                                  | AppModels Core Heliograph ScreenReading TestLanes TestPrograms
HelioDesktopFlow       Kit/5        @linux AppModels Core Heliograph HostFlow Sharing ViewerFlow Viewing
                                  | AppModels Core HostFlow ScreenReading ViewerFlow
# App: the command line, the desktop's app, and a stand-in of a broadcast extension, for its budget of memory.
HelioExtensionCommand  App          @linux CLibYUV CMalloc CX264 Extension
HeliographApp          App          @linux AppModels Core DesktopFlow GTK HostFlow ViewerFlow
                                  | Core TestLanes TestPrograms
HeliographCommand      App          ArgumentParser Core Ground Heliograph NIOPosix OpenSSL Protection RendezvousServer
                                    Stores TOML Terminal Unattended Viewing WebRTC
                                  | TestLanes TestPrograms
# Examples: programs for developers to read.
SayHello               Examples     Heliograph RemoteWire
SendFile               Examples     Heliograph
ViewScreen             Examples     Viewing
WriteFile              Examples     Heliograph
# Tests, beside those behind the bars: foreign programs, screens as text, programs that are killed; Apple's sessions and
# screen with real codecs; and the page of Web/ in a real browser.
ForeignPeers           Tests/1      | Core HeliographCommand Peer RTP SDP TestLanes TestPrograms
HeartbeatProgram       Tests/1      Broadcast Heartbeat
HelioScreenReading     Tests/1      AppModels
HelioTestLanes         Tests/1
HelioTestPrograms      Tests/1      @linux CXCB Core Simulation Wayland WaylandWire | Core Simulation TestLanes
NarrowEcho             Tests/1      Core Ground Links Loop NIOCore NIOPosix OpenSSL Protection Tunnel
RecordingWriter        Tests/1      Core Ground Recording
HelioAppleFakes        Tests/2      @linux AppleMedia Bitstream Core Ground LinuxSink LinuxSource Patch TestPrograms
                                  | AppleMedia Core Ground Heliograph HeliographCommand LinuxSink LinuxSource TestLanes
                                    TestPrograms Viewing
WebViewerTests         Tests/3      @linux Admission AppleFakes AppleMedia Core ExtensionCommand Ground Heliograph
                                    HeliographCommand Host NIOCore NIOPosix Protection Serving Session Simulation
                                    SoundCodecs Stores TLS TestLanes TestPrograms
"""

let package = Package(
    name: "heliograph",
    // The lowest that the code allows: InlineArray, which keeps keys' nonces and the replay window off the heap, came with
    // these. Without it isolated deinit would want macOS 15.4 and iOS 18.4, Mutex and Atomic (Synchronization) 15 and 18,
    // Duration macOS 13 and iOS 16; Span runs on all of them. Linux knows no such bound.
    platforms: [.macOS(.v26), .iOS(.v26)],
    products: [
        .library(name: "Heliograph", targets: ["Heliograph"]),
        // The viewing half of Heliograph: links no video encoder.
        .library(name: "HelioViewing", targets: ["HelioViewing"]),
        .library(name: "HelioWebRTC", targets: ["HelioWebRTC"]),
        // The messages of browsers' sessions, for the apps at both ends: links no network, and no Foundation.
        .library(name: "HelioRemoteWire", targets: ["HelioRemoteWire"]),
        // What the screens of Apps/ show and do.
        .library(name: "HelioAppModels", targets: ["HelioAppModels"]),
        // What the screens of the host, and of a broadcast, have done.
        .library(name: "HelioHostFlow", targets: ["HelioHostFlow"]),
        .library(name: "HelioBroadcastFlow", targets: ["HelioBroadcastFlow"]),
        .library(name: "HelioViewerFlow", targets: ["HelioViewerFlow"]),
        // For a broadcast extension that hands pictures and sound to its app: links neither SwiftNIO nor Foundation.
        // That of Apps/Apple, which may also broadcast by itself, links HelioBroadcastFlow and so both.
        .library(name: "HelioExtension", targets: ["HelioExtension"]),
        .executable(name: "heliograph", targets: ["HeliographCommand"]),
        .executable(name: "heliograph-app", targets: ["HeliographApp"]),
        .executable(name: "helio-extension", targets: ["HelioExtensionCommand"]),
        // For the benchmarks, which are a package of their own; no promise to anybody else.
        .library(
            name: "HelioInternals",
            targets: [
                "HelioAdmission", "HelioCore", "HelioICE", "HelioMedia", "HelioOpenSSL", "HelioPeer", "HelioProtection",
                "HelioRTP", "HelioRemoteWire", "HelioSCTP", "HelioSDP", "HelioSession", "HelioSimulation",
            ] + (here == "linux" ? ["HelioLinuxSink", "HelioLinuxSource"] : [])),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ]
)

/// Folders of targets: those in Sources, and those beside it.
let floors = ["Core", "Wire", "Engines", "System", "Drivers", "Platforms", "Kit", "App"]
let beside = ["Testing", "Web", "Examples", "Tests"]
/// The other packages' products, and whose they are.
let products = [
    "ArgumentParser": "swift-argument-parser", "DequeModule": "swift-collections", "GRDB": "GRDB.swift",
    "NIOCore": "swift-nio", "NIOEmbedded": "swift-nio", "NIOHTTP1": "swift-nio", "NIOPosix": "swift-nio",
    "NIOWebSocket": "swift-nio",
]
/// The names by which pkg-config knows the C libraries that `script/install-packages` installs.
let pkgConfig = [
    "CAVFormat": "libavformat", "CAvahi": "avahi-client", "CFFmpeg": "libavcodec", "CGTK": "libadwaita-1",
    "CNATS": "libnats", "COpenSSL": "openssl", "COpus": "opus", "CPipeWire": "libpipewire-0.3", "CPulse": "libpulse",
    "CQREncode": "libqrencode", "CSDL2": "sdl2", "CSRT": "srt", "CX264": "x264", "CXCB": "xcb",
]
/// System libraries that static libraries of `script/build-apple-libraries` need: libsrt is C++.
let linkedOnApple: [String: [LinkerSetting]] = ["HelioBroadcasting": [.linkedLibrary("c++")]]
/// C of our own, and what it links.
let compiledC: [String: [LinkerSetting]] = ["CKeyGuard": [], "CWebPages": [.linkedLibrary("z")]]
/// Programs beside those of App and Examples: tests start them.
let programs = ["HeartbeatProgram", "NarrowEcho", "RecordingWriter"]
let excluded = ["ForeignPeers": ["Programs"]]
/// Their tests compare screens with files in a folder of that name.
let screens = ["HelioAppModels", "HelioBroadcastFlow", "HelioHostFlow", "HelioViewerFlow"]

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]
/// Floors, targets and tests that HELIO_CHECKS in the environment has optimised, with their assertions: tests simulate hours
/// with them, compare pictures, or count their allocations.
let simulated: Set = [
    "Core", "Wire", "Engines", "Testing", "HelioLinuxSink", "HelioLinuxSource", "HelioWebPages",
    "HelioLinksTests", "HelioLinuxSourceTests", "HelioMediaTests", "HelioOpenSSL", "HelioPlayoutTests",
    "HelioTestPrograms",
]
let checks: [SwiftSetting] = [.unsafeFlags(["-O", "-assert-config", "Debug"])]
let isChecking = Context.environment["HELIO_CHECKS"] != nil

/// A row, in words.
struct Row {
    let name, place, floor: String
    let system: String?
    let needs: [String]
    let tests: [String]?

    init(_ line: String) {
        let halves = line.split(separator: "|", omittingEmptySubsequences: false).map { $0.split(separator: " ") }
        guard halves.count <= 2, halves[0].count >= 2 else { fatalError("no row of the table: \(line)") }
        var words = halves[0].map(String.init)
        (name, place) = (words.removeFirst(), words.removeFirst())
        floor = String(place.prefix { $0 != "/" })
        guard (floors + beside).contains(floor) else { fatalError("there is no floor '\(floor)': \(line)") }
        system = words.first?.first == "@" ? String(words.removeFirst().dropFirst()) : nil
        guard [nil, "linux", "apple"].contains(system) else { fatalError("there is no system '\(system!)': \(line)") }
        needs = words
        tests = halves.count == 2 ? halves[1].map(String.init) : nil
    }
}

let lines = table.split(separator: "\n").filter { !$0.hasPrefix("#") }
let rows = lines.reduce(into: [String]()) { rows, line in
    if line.hasPrefix(" ") { rows[rows.count - 1] += line } else { rows.append(String(line)) }
}.map(Row.init)
let named = Dictionary(rows.map { ($0.name, $0) }) { fatalError("there are two rows '\($1.name)'") }
let places = rows.map(\.place)

/// A row or a product that a row needs, as a word behind the floor names it.
struct Need {
    let dependency: Target.Dependency
    let row: Row?
    /// Whether the word says for which system.
    let isMarked: Bool

    var isHere: Bool { [nil, here].contains(row?.system) }

    init(_ word: String, of needing: Row) {
        let parts = word.split(separator: "@").map(String.init)
        isMarked = parts.count > 1
        row = named[parts[0]] ?? named["Helio" + parts[0]]
        if let row, !isMarked || parts[1] == row.system {
            dependency = .byName(name: row.name)
        } else if let package = products[word] {
            dependency = .product(name: word, package: package)
        } else {
            fatalError("\(needing.name) needs '\(word)', which is neither a row nor a product")
        }
    }
}

func targets(of row: Row) -> [Target] {
    let needs = row.needs.map { Need($0, of: row) }
    let tests = row.tests?.map { Need($0, of: row) }
    // Mistakes in a row of the other system are found here as well.
    for need in needs {
        guard let other = need.row else { continue }
        guard places.firstIndex(of: other.place)! < places.firstIndex(of: row.place)! else {
            fatalError("\(row.name) needs \(other.name), but \(other.place) is not below \(row.place)")
        }
        guard need.isMarked || [nil, row.system].contains(other.system) else {
            fatalError("\(row.name) needs \(other.name), which is for \(other.system!) alone, and does not say so")
        }
    }
    guard [nil, here].contains(row.system) else { return [] }

    let dependencies = needs.filter(\.isHere).map(\.dependency)
    let path = (floors.contains(row.floor) ? "Sources/" : "") + "\(row.floor)/\(row.name)"
    let swift = settings + (isChecking && !simulated.isDisjoint(with: [row.floor, row.name]) ? checks : [])
    let target: Target =
        if let linked = compiledC[row.name] {
            .target(name: row.name, dependencies: dependencies, path: path, linkerSettings: linked)
        } else if row.floor == "System" {
            .systemLibrary(name: row.name, path: path, pkgConfig: pkgConfig[row.name])
        } else if row.name.hasSuffix("Tests") {
            .testTarget(name: row.name, dependencies: dependencies, path: path, swiftSettings: swift)
        } else if ["App", "Examples"].contains(row.floor) || programs.contains(row.name) {
            // An example has what another package has: what is public.
            .executableTarget(
                name: row.name, dependencies: dependencies, path: path, packageAccess: row.floor != "Examples",
                swiftSettings: swift)
        } else {
            .target(
                name: row.name, dependencies: dependencies, path: path, exclude: excluded[row.name] ?? [],
                swiftSettings: swift, linkerSettings: here == "apple" ? linkedOnApple[row.name] : nil)
        }
    guard let tests, tests.allSatisfy({ $0.isHere || $0.isMarked }) else { return [target] }
    let ofTests = [.byName(name: row.name)] + tests.filter(\.isHere).map(\.dependency)
    let resources: [Resource] = screens.contains(row.name) ? [.copy("Screens")] : []
    return [
        target,
        .testTarget(
            name: row.name + "Tests", dependencies: ofTests, path: "Tests/\(row.name)Tests", resources: resources,
            swiftSettings: settings + (isChecking && simulated.contains(row.name + "Tests") ? checks : [])),
    ]
}

package.targets = rows.flatMap(targets)

// The targets of Benchmarks, a package of its own, that count allocations: in the build of the checks.
if isChecking, here == "linux" {
    let measured = ["HelioCore", "HelioMedia", "HelioOpenSSL", "HelioProtection", "HelioRTP"]
    package.targets += [
        .systemLibrary(name: "CSRTP", path: "Benchmarks/Sources/CSRTP", pkgConfig: "libsrtp2"),
        .target(name: "CMallocCount", path: "Benchmarks/Sources/CMallocCount"),
        .target(
            name: "HelioBudgets", dependencies: (["CMallocCount", "CSRTP"] + measured).map { .byName(name: $0) },
            path: "Benchmarks/Sources/HelioBudgets", swiftSettings: settings + checks),
        .executableTarget(
            name: "HelioBudgetsCommand", dependencies: ["HelioBudgets"],
            path: "Benchmarks/Sources/HelioBudgetsCommand", swiftSettings: settings),
    ]
    package.products.append(.executable(name: "helio-budgets", targets: ["HelioBudgetsCommand"]))
}

// HELIO_VIEWER in the environment makes the program that watches alone, of the same files: it shares nothing, and links no
// video encoder. What stands above the libraries is left out then, as a file belongs to one target.
if Context.environment["HELIO_VIEWER"] != nil {
    let viewer = Row("HeliographViewerCommand App ArgumentParser Core Stores TOML Terminal Viewing")
    let folders = ["Config", "Files"]
    let files = [
        "ClipboardArguments", "DeviceCompletion", "DevicesCommand", "DiscoverCommand", "HelioError+Sentence",
        "Heliograph", "HostLookup", "LocalTime", "Output", "PairCommand", "PlayerArguments", "PrivateFile",
        "ProcessTitle", "RecordingArguments", "SecretVariable", "SizeArgument", "StatisticsArguments", "StopSignals",
        "SuiteArguments", "TerminalMode", "TerminalQuestion", "ViewCommand", "WakeCommand", "WhereaboutsLine",
    ]
    package.targets = rows.filter { !["App", "Examples", "Tests"].contains($0.floor) }.flatMap(targets)
        .filter { $0.type != .test }
    package.targets.append(
        .executableTarget(
            name: viewer.name, dependencies: viewer.needs.map { Need($0, of: viewer).dependency },
            path: "Sources/App/HeliographCommand", sources: folders + files.map { $0 + ".swift" },
            swiftSettings: settings + [.define("HELIO_VIEWER")]))
    package.products = [.executable(name: "heliograph-viewer", targets: [viewer.name])]
}

// script/check-apple looks at what a Mac makes of all this.
#if os(macOS)
package.products.removeAll { ["helio-extension", "heliograph-app"].contains($0.name) }
// What a broadcast extension codes its pictures by.
package.products.append(.library(name: "HelioAppleSource", targets: ["HelioAppleSource"]))
// What script/build-apple-libraries has built stands in the place of what the system has: on iOS there is nothing else.
for name in ["CAVFormat", "COpenSSL", "COpus", "CSRT"] {
    let built = "Apps/Apple/Libraries/\(name).xcframework"
    guard FileManager.default.fileExists(atPath: Context.packageDirectory + "/" + built) else { continue }
    package.targets.removeAll { $0.name == name }
    package.targets.append(.binaryTarget(name: name, path: built))
}
#endif
