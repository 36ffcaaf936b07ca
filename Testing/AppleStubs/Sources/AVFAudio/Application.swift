@_exported public import AppleBase

public class AVAudioApplication {
    // swift-format-ignore: TypeNamesShouldBeCapitalized
    public enum recordPermission: Int, Sendable {
        case undetermined = 0x756E_6474
        case denied = 0x6465_6E79
        case granted = 0x6772_6E74
    }

    public class var shared: AVAudioApplication { stub() }
    public var recordPermission: AVAudioApplication.recordPermission { stub() }
    public class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) { stub() }
}
