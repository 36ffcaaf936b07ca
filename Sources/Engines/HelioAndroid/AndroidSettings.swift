package import HelioCore

/// The settings of sharing one phone.
package struct AndroidSettings: Sendable {
    /// The phone's serial number; `nil` for the only one that is connected.
    package var serial: String?
    /// The server for the phone: a .jar with classes for Android.
    package var server: [UInt8]
    /// A text by which a server of other contents has another name on the phone: hexadecimal digits of a hash.
    package var serverDigest: String
    /// The codecs that may be used, the preferred one first.
    package var codecs: [VideoCodec] = [.h264]
    /// The largest picture; `nil` for the whole screen.
    package var largest: PixelSize?
    package var framesPerSecond = 60
    /// The most bits a second.
    package var bitrate = 8_000_000
    package var hasSound = true
    /// True to have the phone stay awake while somebody watches.
    package var keepsAwake = true
    /// True to switch the phone's own screen off while it is shared.
    package var screenOff = false
    /// The package name of an app to start; `nil` for none.
    package var startApp: String?
    /// The size of a new, virtual display that is shared instead of the phone's own; `nil` for the phone's own.
    package var newDisplay: PixelSize?
    /// The density of the new display, in dots per inch.
    package var density: UInt16 = 320

    package init(serial: String?, server: [UInt8], serverDigest: String) {
        self.serial = serial
        self.server = server
        self.serverDigest = serverDigest
    }

    /// The path of the server on the phone.
    package var serverPath: String { "/data/local/tmp/heliograph-\(serverDigest).jar" }

    /// The longest time that one step of starting may take: a command, or a phone that connects.
    package static let stepTime = Duration.seconds(15)
    /// The longest time to write the server to the phone.
    package static let pushTime = Duration.seconds(60)
    /// The time that a person has, before the first picture, to plug the phone in.
    package static let plugTime = Duration.seconds(3)
    /// The time that a person has, before the first picture, to allow debugging at the phone.
    package static let allowTime = Duration.seconds(60)
    /// The interval of questions whether the phone is there.
    package static let pingInterval = Duration.seconds(2)
    /// The silence after which a phone is lost.
    package static let silence = Duration.seconds(10)
    /// Failures of the server one after the other, before its first picture, after which it is given up.
    package static let attempts = 3
}
