import HelioMedia

extension NegotiatedCodec {
    /// The format in which packets of this codec are sent.
    var sendFormat: SendFormat {
        let repair: PacketRepair =
            if let type = sendRetransmissionType { .retransmissionStream(type) } else {
                has("nack") ? .samePacket : .none
            }
        return SendFormat(payloadType: sendPayloadType, clockRate: codec.clockRate, repair: repair)
    }

    /// The format in which packets of this codec are received.
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
