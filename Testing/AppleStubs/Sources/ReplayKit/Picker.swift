public import UIKit

@MainActor open class RPSystemBroadcastPickerView: UIView {
    public var preferredExtension: String? {
        get { stub() }
        set { stub() }
    }
    public var showsMicrophoneButton: Bool {
        get { stub() }
        set { stub() }
    }
}
