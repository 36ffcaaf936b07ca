internal import HelioADB
internal import HelioADBWire
internal import HelioAndroid
public import HelioCore
private import HelioSharing

/// Shares the screen of an Android phone that is connected by adb, on a cable or by Wi-Fi debugging (requirement row
/// 1).
///
/// ```swift
/// let screen = try await AndroidScreen.start(.init(), phone: .init())
/// print(try await screen.source.link.text)
/// ```
///
/// No app is needed on the phone: a small server is written to it, which captures and codes the screen; its pictures
/// are passed on as they are. Viewers touch, type and listen. When the phone is unplugged or its server ends, viewers
/// stay connected and keep the last picture until it is back.
public final class AndroidScreen: Sendable {
    /// Counts of the phone's media since sharing began.
    public struct Statistics: Sendable, Hashable {
        /// Pictures that came from the phone.
        public var pictures = 0
        /// The number of `pictures` that were not sent, because nobody watched or a keyframe had to come first.
        public var picturesUnwatched = 0
        /// Packets of sound that came from the phone.
        public var sounds = 0
        /// The number of times that the phone's server was reached.
        public var connections = 0
        /// The number of encoders that were started on the phone.
        public var encoders = 0
        /// The last round trip to the phone's server; `nil` before the first.
        public var roundTrip: Duration?
        /// The number of dropped items, by reason.
        public var drops: [String: Int] = [:]
    }

    /// The source that shares the phone: its link, viewers and statistics.
    public let source: MirrorSource
    /// The phone's serial number.
    public let serial: String
    /// The phone's manufacturer and model.
    public let model: String
    private let port: AndroidPort
    private let receiver: PhoneReceiver

    private init(_ source: MirrorSource, _ ready: PhoneReceiver.Ready, _ port: AndroidPort, _ receiver: PhoneReceiver) {
        self.source = source
        serial = ready.serial
        model = ready.model
        self.port = port
        self.receiver = receiver
    }

    /// Connects to the phone, and starts to share it. Of the options for a screen, the size, frame rate, bitrate,
    /// codec, sound and clipboard count.
    ///
    /// Throws an error whose message says what to do: without `adb`, without a phone or with more than one, or for a
    /// phone that does not allow debugging or can't be captured; and the errors of `MirrorSource`.
    ///
    /// - Parameters:
    ///   - options: how it is shared, as any screen.
    ///   - phone: which phone, and what happens with it.
    ///   - onWait: called with an error that says what the person has to do at the phone, while the start waits for
    ///     that: for a minute if the phone asks whether to allow debugging, else for some seconds.
    public static func start(
        _ options: MirrorSource.Options, phone: AndroidOptions,
        onWait: @escaping @Sendable (HelioError) -> Void = { _ in }
    ) async throws(HelioError) -> AndroidScreen {
        let settings = try settings(options, phone)
        let plugin = PhonePlugin()
        let receiver = PhoneReceiver(plugin, onWait: onWait)
        let port = AndroidPort(
            settings, adb: ADBPlace(port: phone.adbPort, program: phone.adbProgram), onEvent: { receiver.take($0) })
        plugin.begin { port.submit($0) }
        do throws(HelioError) {
            let ready = try await receiver.ready()
            let source = try await share(options, ready, plugin, receiver, port)
            return AndroidScreen(source, ready, port, receiver)
        } catch {
            await port.close()
            throw error
        }
    }

    private static func share(
        _ options: MirrorSource.Options, _ ready: PhoneReceiver.Ready, _ plugin: PhonePlugin, _ receiver: PhoneReceiver,
        _ port: AndroidPort
    ) async throws(HelioError) -> MirrorSource {
        let size = ready.screen.fitted(within: options.largest?.turned(as: ready.screen)).even
        let video = MediaAttributes(
            format: options.format ?? .avc, width: size.width, height: size.height,
            framesPerSecond: options.framesPerSecond, bitrate: options.bitrate)
        let clipboard = PhoneClipboardOpening(serial: ready.serial) { port.submit($0) }
        let source = try await MirrorSource.start(
            options, on: systemSource, video: video, plugin: plugin,
            sound: options.sound == .off ? nil : SoundAttributes(format: .pcm), soundPlugin: plugin.sound,
            input: { input in if let input = AndroidInput(input) { port.submit(.input(input)) } },
            clipboard: { clipboard.open($0) })
        do throws(HelioError) {
            try receiver.begin(source, clipboard.opened, video: video)
        } catch {
            receiver.end()
            await source.stop()
            throw error
        }
        return source
    }

    private static func settings(
        _ options: MirrorSource.Options, _ phone: AndroidOptions
    ) throws(HelioError) -> AndroidSettings {
        let server = try AndroidServerFile(phone.serverFile)
        var settings = AndroidSettings(serial: phone.serial, server: server.bytes, serverDigest: server.digest)
        settings.codecs = [options.format == .hevc ? .h265 : .h264]
        settings.largest = options.largest
        settings.framesPerSecond = options.framesPerSecond
        settings.bitrate = options.bitrate
        settings.hasSound = options.sound != .off
        settings.keepsAwake = options.keepsAwake && phone.keepsAwake
        settings.screenOff = phone.switchesScreenOff
        settings.startApp = phone.app
        settings.newDisplay = phone.newDisplay
        return settings
    }

    /// The phones that adb knows, whether or not they can be shared now. Throws if there is no `adb`, or if its server
    /// does not answer.
    public static func phones(
        _ options: AndroidOptions = AndroidOptions()
    ) async throws(HelioError) -> [AndroidPhoneEntry] {
        try await ADBList.read(ADBPlace(port: options.adbPort, program: options.adbProgram)).map {
            AndroidPhoneEntry(
                id: $0.serial, model: $0.model?.replacing("_", with: " "), obstacle: AndroidTrouble(of: $0)?.error)
        }
    }

    /// Switches the phone's own screen off or on.
    public func switchScreen(on isOn: Bool) { port.submit(.screen(isOn: isOn)) }

    /// The counts of the phone's media since sharing began.
    public var statistics: Statistics {
        let (counts, phone) = (receiver.counts, port.statistics)
        var drops = phone.drops.byName
        drops.add(["phone-sound-refused": counts.soundsRefused])
        return Statistics(
            pictures: phone.pictures, picturesUnwatched: counts.unwatched, sounds: phone.sounds,
            connections: phone.connections, encoders: phone.encoders, roundTrip: phone.roundTrip, drops: drops)
    }

    /// Ends sharing: notifies every viewer, and ends the server on the phone, where nothing goes on running.
    public func stop() async {
        receiver.end()
        await port.close()
        await source.stop()
    }
}
