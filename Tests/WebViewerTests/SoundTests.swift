import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A user opens the host's address in a browser and hears its sound: rows 130 and 131.
@Suite("In a browser: sound", .serialized, .timeLimit(.minutes(3)), .tags(.timed))
struct SoundTests {
    private struct Ear: Decodable {
        var frequency: Double
        var amplitude: Double
        /// True if the measured part has no break.
        var isWhole: Bool
    }

    /// A script that gives tests access to a page's connections, audio elements and worklet nodes, and their reports;
    /// `skipped` is the number of milliseconds by which the page's clock is ahead.
    private static let ears = """
        globalThis.skipped = 0;
        {
            const now = performance.now;
            performance.now = function () { return now.call(this) + skipped; };
        }
        globalThis.connections = [];
        globalThis.players = [];
        globalThis.nodes = [];
        globalThis.reports = [];
        const Connection = RTCPeerConnection, Player = Audio, Node = AudioWorkletNode;
        globalThis.RTCPeerConnection = class extends Connection {
            constructor(...all) { super(...all); connections.push(this); }
        };
        globalThis.Audio = class extends Player {
            constructor(...all) { super(...all); players.push(this); }
        };
        globalThis.AudioWorkletNode = class extends Node {
            constructor(...all) {
                super(...all);
                nodes.push(this);
                this.port.addEventListener("message", ({data}) => reports.push(data));
            }
        };
        // What the page decodes and plays by itself.
        globalThis.live = () => nodes.find(({context}) => context.state === "running");
        globalThis.track = () => connections.at(-1)?.getReceivers().map(({track}) => track)
            .filter(({kind, readyState}) => kind === "audio" && readyState === "live").at(-1);
        globalThis.soundOf = async () => {
            const report = await connections.at(-1)?.getStats();
            let found = {};
            // A track that came before this one may still be counted, and has more bytes.
            report?.forEach((entry) => {
                if (entry.type === "inbound-rtp" && entry.trackIdentifier === track()?.id)
                    found = {...entry, mimeType: report.get(entry.codecId)?.mimeType,
                        line: report.get(entry.codecId)?.sdpFmtpLine};
            });
            return found;
        };
        globalThis.playing = () =>
            players.filter((player) => player.srcObject && !player.muted && (!player.paused || live()));
        globalThis.listen = async () => {
            const node = live(), context = node?.context ?? new AudioContext();
            await context.resume();
            const source = node ?? context.createMediaStreamSource(new MediaStream([track()]));
            const splitter = context.createChannelSplitter(2);
            source.connect(splitter);
            const ears = [0, 1].map((channel) => {
                const ear = context.createAnalyser();
                ear.fftSize = 32768;
                splitter.connect(ear, channel);
                return ear;
            });
            // What a busy machine makes late is made up: a stretch without any of that tells how it sounds.
            const mended = async () => {
                const {concealedSamples, insertedSamplesForDeceleration, removedSamplesForAcceleration} = await soundOf();
                return concealedSamples + insertedSamplesForDeceleration + removedSamplesForAcceleration;
            };
            const stretch = async () => {
                const pass = () => new Promise((tell) => setTimeout(tell, 20));
                if (!node) {
                    // All that an ear holds in the end was played within it.
                    const before = await mended(), whole = context.currentTime + 1.1 * ears[0].fftSize / context.sampleRate;
                    while (context.currentTime < whole && Date.now() < end) await pass();
                    return await mended() === before;
                }
                const count = reports.length;
                while (reports.length === count && Date.now() < end) await pass();
                const {madeUp, slipped, dropped, played} = reports.at(-1) ?? {};
                return played && !(madeUp + slipped + dropped);
            };
            const hear = () => ears.map((ear) => {
                const samples = new Float32Array(ear.fftSize);
                ear.getFloatTimeDomainData(samples);
                // Rising zero crossings tell the pitch to a part of a hertz, the effective value the amplitude.
                const rising = [];
                for (let i = 1; i < samples.length; i++)
                    if (samples[i - 1] < 0 && samples[i] >= 0)
                        rising.push(i - samples[i] / (samples[i] - samples[i - 1]));
                const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
                const count = rising.length - 1;
                const period = count > 0 ? (rising.at(-1) - rising[0]) / count : Infinity;
                // Periods of a tone are alike, whatever its pitch: one that isn't has a break in it.
                const isWhole = rising.every((place, i) => !i || Math.abs(place - rising[i - 1] - period) < period / 10);
                return {frequency: context.sampleRate / period, amplitude: Math.sqrt(2 * power), isWhole};
            });
            const end = Date.now() + 30_000;
            let heard;
            while (Date.now() < end) {
                const isSteady = await stretch();
                heard = hear();
                if (isSteady && heard.every(({isWhole}) => isWhole)) break;
            }
            if (!node) await context.close();
            return heard;
        };
        """

    /// Opens a page, and waits for its picture.
    ///
    /// - Parameters:
    ///   - isLive: false for a browser without access to encoded packets, which plays them itself.
    ///   - isMuted: whether the user wants no sound.
    private static func viewer(
        _ browser: Browser, of host: SoundingHost, isLive: Bool, isMuted: Bool = false
    ) async throws -> WebViewer {
        let viewer = WebViewer(try browser.page(), of: SoundingHost.size)
        try viewer.page.before(isLive ? ears : ears + "delete globalThis.RTCRtpScriptTransform;")
        if isMuted { try viewer.page.before("localStorage['heliograph.settings'] = JSON.stringify({sound: false})") }
        try viewer.page.open(try await host.link())
        try viewer.waitForPicture()
        return viewer
    }

    /// The median over five pictures of the time in seconds that a picture waits in the page before it is decoded.
    private static func waitOfPictures(_ viewer: WebViewer, _ host: SoundingHost) throws -> Double {
        struct Sum: Decodable {
            var seconds: Double
            var count: Int
        }
        func sum() throws -> Sum {
            try viewer.page.evaluate(
                """
                connections.at(-1).getStats().then((report) => {
                    for (const {type, kind, jitterBufferDelay, jitterBufferEmittedCount} of report.values())
                        if (type === "inbound-rtp" && kind === "video")
                            return {seconds: jitterBufferDelay, count: jitterBufferEmittedCount};
                })
                """)
        }
        var waits: [Double] = []
        var before = try sum()
        let patience = Patience()
        while waits.count < 5, !patience.isOver {
            try viewer.waitForNextPicture(host.showPicture)
            let now = try sum()
            if now.count > before.count {
                waits.append((now.seconds - before.seconds) / Double(now.count - before.count))
            }
            before = now
        }
        try #require(waits.count == 5)
        return waits.sorted()[2]
    }

    private static func bytes(_ page: Page) throws -> Int {
        try page.evaluate("soundOf().then(({bytesReceived}) => bytesReceived ?? 0)")
    }

    private static func waitForSound(_ page: Page) throws {
        let before = try bytes(page)
        try page.until("(await soundOf()).bytesReceived > \(before + 5000)")
    }

    /// Waits until no sound arrives: nobody requests it from the host, and between two shown pictures, during which the
    /// tone continues, the browser has received none.
    private static func waitForSilence(_ viewer: WebViewer, _ host: SoundingHost) async throws {
        try await eventually("nobody listens") { host.demand == nil }
        try viewer.waitForNextPicture(host.showPicture)
        try await eventually("no sound comes") {
            let (before, time) = (try bytes(viewer.page), host.time)
            // 300 ms, in which many packets would arrive.
            try await eventually("the tone goes on") { host.time >= time + 14_400 }
            try viewer.waitForNextPicture(host.showPicture)
            return try bytes(viewer.page) == before
        }
    }

    private static func state(_ page: Page) throws -> String {
        try page.evaluate(
            """
            [document.querySelector('#sound-button').getAttribute('aria-label'),
                document.querySelector('#sound-button').getAttribute('aria-pressed')].join(' ')
            """)
    }

    private static func run(
        sound: Set<SoundOrigin> = [.system], autoplays: Bool = true, isLive: Bool = true,
        _ body: (WebViewer, SoundingHost) async throws -> Void
    ) async throws {
        let host = try await SoundingHost(sound: sound)
        do {
            let browser = try Browser(autoplays: autoplays)
            let viewer = try await viewer(browser, of: host, isLive: isLive)
            try await body(viewer, host)
            #expect(try viewer.page.problems() == [])
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    @Test(
        "a tone comes out at its pitch and level, in its ear, as soon as the picture is there",
        arguments: [true, false])
    func tone(isLive: Bool) async throws {
        try await Self.run(isLive: isLive) { viewer, host in
            let page = viewer.page
            try Self.waitForSound(page)
            #expect(try Self.state(page) == "Sound true")
            try page.until(
                "playing().length === 1 && \(isLive ? "Boolean(live())" : "playing()[0].currentTime > 0.5")")
            let heard: [Ear] = try page.evaluate("listen()")
            let tones = [ToneCoder.left, ToneCoder.right]
            for (ear, tone) in zip(heard, tones) {
                // A cent is 0.06 %.
                #expect(abs(ear.frequency / tone.frequency - 1) < 0.0006, "\(ear)")
                #expect(abs(ear.amplitude / tone.amplitude - 1) < 0.06, "\(ear)")
            }
            if !isLive {
                #expect(try page.evaluate("soundOf().then(({mimeType}) => mimeType)", as: String.self) == "audio/opus")
                // The level by libwebrtc's energy statistics: that of both channels' mean, per second.
                let level: Double = try page.evaluate("soundOf().then(({audioLevel}) => audioLevel ?? 0)")
                #expect(level > 0.1 && level < 0.4)
            }
            // The picture is shown at once, with or without sound: compared with a muted viewer on the same machine.
            let deaf = try await Self.viewer(page.browser, of: host, isLive: isLive, isMuted: true)
            let (waited, control) = try (Self.waitOfPictures(viewer, host), Self.waitOfPictures(deaf, host))
            #expect(try Self.bytes(deaf.page) == 0)
            #expect(waited < control + 0.06, "\(waited) s, and \(control) s without sound")
            #expect(try deaf.page.problems() == [])
        }
    }

    @Test(
        "before the page was touched nothing is played and nothing sent; a click anywhere is enough",
        arguments: [true, false])
    func blocked(isLive: Bool) async throws {
        try await Self.run(autoplays: false, isLive: isLive) { viewer, host in
            let page = viewer.page
            try page.until("document.querySelector('#sound-button').classList.contains('is-asking')")
            #expect(try Self.state(page) == "Sound: click to hear false")
            #expect(try page.text(of: "#sound-text").hasPrefix("Click"))
            try await Self.waitForSilence(viewer, host)
            #expect(try page.evaluate("playing().length", as: Int.self) == 0)
            try viewer.click(x: 160, y: 120)
            try Self.waitForSound(page)
            try page.until("playing().length === 1 && Boolean(live()) === \(isLive)")
            #expect(try Self.state(page) == "Sound true")
        }
    }

    @Test("the button asks, too, where the browser waits for a touch")
    func button() async throws {
        try await Self.run(autoplays: false) { viewer, _ in
            let page = viewer.page
            try page.until("document.querySelector('#sound-button').classList.contains('is-asking')")
            // The bar is shown without a touch, by a mouse that rests on the handle.
            try viewer.holdBar()
            try page.click(on: "#sound-button")
            try Self.waitForSound(page)
            try page.until("playing().length === 1")
            #expect(try Self.state(page) == "Sound true")
        }
    }

    @Test("the keys for sound let it be heard where the browser waits for a touch, and then mute it")
    func keys() async throws {
        try await Self.run(autoplays: false) { viewer, host in
            let page = viewer.page
            try page.until("document.querySelector('#sound-button').classList.contains('is-asking')")
            try page.strike(.control, .alt, .shift, .letter("a"))
            try Self.waitForSound(page)
            #expect(try Self.state(page) == "Sound true")
            // Within a second the same keys would be ignored.
            try page.run("skipped += 1100")
            try page.strike(.control, .alt, .shift, .letter("a"))
            try await Self.waitForSilence(viewer, host)
            #expect(try Self.state(page) == "Sound false")
        }
    }

    @Test("the mute button stops the bytes and the capture, and is remembered; again, and they come back")
    func mute() async throws {
        try await Self.run { viewer, host in
            let page = viewer.page
            try Self.waitForSound(page)
            try page.strike(.control, .alt, .shift, .letter("h"))
            try page.click(on: "#sound-button")
            try await Self.waitForSilence(viewer, host)
            #expect(try Self.state(page) == "Sound false")
            #expect(
                try page.evaluate("JSON.parse(localStorage['heliograph.settings']).sound", as: Bool.self) == false)
            // Another visit: sound is not even requested.
            try page.reload()
            try viewer.waitForPicture()
            try page.until("!document.querySelector('#sound-button').hidden")
            #expect(try Self.state(page) == "Sound false")
            #expect(try page.evaluate("soundOf().then(({bytesReceived}) => bytesReceived ?? -1)", as: Int.self) == -1)
            try page.strike(.control, .alt, .shift, .letter("a"))
            try Self.waitForSound(page)
            #expect(try Self.state(page) == "Sound true")
        }
    }

    @Test("the slider sets how loud it plays, and at nothing nothing is sent", arguments: [true, false])
    func volume(isLive: Bool) async throws {
        try await Self.run(isLive: isLive) { viewer, host in
            let page = viewer.page
            try Self.waitForSound(page)
            func slide(to level: Int) throws {
                try page.run(
                    """
                    {
                        const slider = document.querySelector('#volume');
                        slider.value = \(level);
                        slider.dispatchEvent(new Event('input'));
                        slider.dispatchEvent(new Event('change'));
                    }
                    """)
            }
            try viewer.openPanel("more")
            _ = try page.place(of: "#volume")
            try slide(to: 40)
            #expect(try page.evaluate("playing()[0].volume", as: Double.self) == 0.4)
            try Self.waitForSound(page)
            try slide(to: 0)
            try await Self.waitForSilence(viewer, host)
            try slide(to: 100)
            try Self.waitForSound(page)
        }
    }

    @Test("in step is asked for and heard by another track, and back again", arguments: [true, false])
    func inStep(isLive: Bool) async throws {
        try await Self.run(isLive: isLive) { viewer, _ in
            let page = viewer.page
            try Self.waitForSound(page)
            for isInStep in [true, false] {
                try viewer.openPanel("more")
                try page.click(on: "#more-step")
                try page.until(
                    """
                    (() => {
                        const streams = (kind) => [...connections.at(-1).currentRemoteDescription.sdp
                            .matchAll(new RegExp(`^m=${kind} [^0][\\\\s\\\\S]*?^a=msid:(\\\\S+)`, 'gm'))].map(([, name]) => name);
                        return streams('video')[0] && (streams('audio').at(-1) === streams('video')[0]) === \(isInStep);
                    })()
                    """)
                try page.until("playing().length === 1 && playing()[0].srcObject.getTracks()[0].readyState === 'live'")
                // Only the browser's own playback synchronises sound and picture.
                try page.until("Boolean(live()) === \(isLive && !isInStep)")
                let heard: [Ear] = try page.evaluate("listen()")
                #expect(abs((heard.first?.frequency ?? 0) / ToneCoder.left.frequency - 1) < 0.002, "\(heard)")
                try viewer.waitForFrames(2)
            }
        }
    }

    /// The medians of a second in milliseconds, by the page's own picture worker.
    private struct Step: Decodable {
        /// The time for which pictures waited for their sound; `nil` if none did.
        var waited: Double?
        /// The time by which pictures were later than their sound; `nil` without sound.
        var skew: Double?
    }

    @Test("in step with sound the page's own picture stays, and each is drawn when its sound is heard")
    func ownInStep() async throws {
        let host = try await SoundingHost()
        do {
            let browser = try Browser(autoplays: true)
            func open(inStep: Bool) async throws -> WebViewer {
                let viewer = WebViewer(try browser.page(context: UUID().uuidString), of: SoundingHost.size)
                try viewer.page.before(Self.ears)
                try viewer.page.before(
                    """
                    if (location.host)
                        localStorage['heliograph.settings'] = JSON.stringify({inStep: \(inStep)});
                    globalThis.steps = [];
                    globalThis.modes = new Set();
                    {
                        const PlainWorker = Worker;
                        globalThis.Worker = class extends PlainWorker {
                            constructor(address, ...more) {
                                super(address, ...more);
                                if (!String(address).includes("pictureworker")) return;
                                this.addEventListener("message", ({data}) => {
                                    if (data.type !== "statistics") return;
                                    modes.add(data.mode);
                                    if (data.mode === "own" && data.drawn) steps.push(data);
                                });
                            }
                        };
                    }
                    """)
                try viewer.page.open(try await host.link().replacing("#", with: "?picture=own#"))
                try viewer.page.until("document.querySelector('#drawn').dataset.mode === 'own' && Boolean(live())")
                return viewer
            }
            let viewer = try await open(inStep: true)
            let page = viewer.page
            // What follows was drawn while the sound was heard.
            try page.run("steps.length = 0; modes.clear();")
            try page.until("steps.filter(({skew}) => skew !== null).length >= 5", seconds: 60)
            let steps: [Step] = try page.evaluate(
                "steps.filter(({skew}) => skew !== null).map(({waited, skew}) => ({waited, skew}))")
            #expect(try page.evaluate("[...modes].join()", as: String.self) == "own")
            for step in steps {
                let (skew, waited) = (step.skew ?? 0, step.waited ?? 0)
                // Without the wait, which is at most 60 ms, the picture would be as much sooner than its sound.
                let control = skew - waited
                #expect(abs(skew) <= abs(control) + 20, "\(skew) ms late after \(waited) ms")
                #expect(waited < 100)
            }
            let skews = steps.compactMap(\.skew).map(abs).sorted()
            let isBounded = steps.contains { ($0.waited ?? 0) >= 59 }
            #expect(skews[skews.count / 2] < 25 || isBounded, "\(steps)")
            #expect(try page.problems() == [])
            // The control is the same page without the setting, where no picture waits.
            let other = try await open(inStep: false)
            try other.page.run("steps.length = 0")
            try other.page.until("steps.length >= 2", seconds: 60)
            #expect(try other.page.evaluate("steps.every(({waited}) => waited === null)", as: Bool.self))
            #expect(try other.page.problems() == [])
        } catch {
            await host.stop()
            throw error
        }
        await host.stop()
    }

    @Test("a host without sound shows no button and is asked for none")
    func none() async throws {
        try await Self.run(sound: []) { viewer, _ in
            try viewer.waitForFrames(2)
            #expect(try viewer.page.evaluate("document.querySelector('#sound-button').hidden", as: Bool.self))
            #expect(
                try viewer.page.evaluate("connections.at(-1).getTransceivers().length", as: Int.self) == 1)
        }
    }
}
