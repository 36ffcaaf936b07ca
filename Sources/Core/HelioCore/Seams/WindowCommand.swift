/// A user's command to the viewer's window itself rather than to the host.
package enum WindowCommand: Sendable, Hashable, CaseIterable {
    case toggleFullScreen
    case toggleStatistics
    case nextScaleMode
    case togglePointerLock
    case toggleKeyboardGrab
    case toggleKeys
    case changeDriver
    case nextMonitor
    case toggleSound
    case toggleMicrophone
    case toggleClipboard
    case takeFiles
    case declineFiles
    case louder
    case quieter
    case toggleHelp
    case quit
    case scrollLeft
    case scrollRight
    case scrollUp
    case scrollDown
}
