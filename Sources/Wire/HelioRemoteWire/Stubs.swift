extension SignalingMessage {
    package var type: String { "" }
    package init(parsing bytes: RawSpan) throws(RemoteWireError) { throw .untyped }
    package func serialised() -> [UInt8] { [] }
}

extension ViewerMessage {
    package var type: String { "" }
    package init(parsing bytes: RawSpan) throws(RemoteWireError) { throw .untyped }
    package func serialised() -> [UInt8] { [] }
}

extension HostMessage {
    package var type: String { "" }
    package init(parsing bytes: RawSpan) throws(RemoteWireError) { throw .untyped }
    package func serialised() -> [UInt8] { [] }
}
