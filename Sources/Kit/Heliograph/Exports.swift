// HelioSignaling and HelioTunnel are exported because types of theirs are part of this library's interface:
// `SignalingService` with its events, connections and counts, `LocalSignalingService` and `RemoteSignalingService`.
@_exported public import HelioSignaling
@_exported public import HelioTunnel
// Programs that share usually watch, too, so all of HelioViewing is exported with this library.
@_exported public import HelioViewing
