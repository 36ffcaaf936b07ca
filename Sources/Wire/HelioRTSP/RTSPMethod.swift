/// The method of a request (RFC 2326 section 10); case-sensitive.
package struct RTSPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package var description: String { rawValue }

    package static let options = RTSPMethod(rawValue: "OPTIONS")
    package static let describe = RTSPMethod(rawValue: "DESCRIBE")
    package static let announce = RTSPMethod(rawValue: "ANNOUNCE")
    package static let setup = RTSPMethod(rawValue: "SETUP")
    package static let play = RTSPMethod(rawValue: "PLAY")
    package static let pause = RTSPMethod(rawValue: "PAUSE")
    package static let record = RTSPMethod(rawValue: "RECORD")
    package static let teardown = RTSPMethod(rawValue: "TEARDOWN")
    package static let getParameter = RTSPMethod(rawValue: "GET_PARAMETER")
    package static let setParameter = RTSPMethod(rawValue: "SET_PARAMETER")
}
