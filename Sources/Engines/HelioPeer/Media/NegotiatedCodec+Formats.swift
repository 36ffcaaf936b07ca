import HelioMedia

extension NegotiatedCodec {
    /// What packets of this codec are sent as.
    var sendFormat: SendFormat {
        let repair: PacketRepair =
            if let type = sendRetransmissionType { .retransmissionStream(type) } else {
                has("nack") ? .samePacket : .none
            }
        return SendFormat(payloadType: sendPayloadType, clockRate: codec.clockRate, repair: repair)
    }

    /// What packets of this codec are when they come.
    var receiveFormat: ReceiveFormat {
        var format = ReceiveFormat(payloadType: receivePayloadType, video: video, clockRate: codec.clockRate)
        format.retransmissionType = receiveRetransmissionType
        format.takesNACK = has("nack")
        format.takesPictureLoss = has("nack", "pli")
        format.takesFullIntraRequest = has("ccm", "fir")
        if let video { format.parameterSets = remoteParameters?.parameterSets(video) ?? [] }
        return format
    }
}
