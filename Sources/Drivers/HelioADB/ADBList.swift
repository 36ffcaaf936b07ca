package import HelioADBWire
private import HelioAndroid
package import HelioCore
private import NIOCore
private import NIOPosix

/// The list of phones that adb's server knows.
package enum ADBList {
    private static let answerTime: TimeAmount = .seconds(10)

    /// Asks adb's server, which is started if it is absent.
    ///
    /// Throws the errors of `AndroidTrouble`.
    package static func read(_ place: ADBPlace = ADBPlace()) async throws(HelioError) -> [ADBDevice] {
        if let devices = try await ask(place) { return devices }
        let trouble: AndroidTrouble? = await withCheckedContinuation { waiting in
            ADBProgram.startServer(place) { waiting.resume(returning: $0) }
        }
        if let trouble { throw trouble.error }
        if let devices = try await ask(place) { return devices }
        throw AndroidTrouble.serverFailed("").error
    }

    /// The list; `nil` if there is no server.
    private static func ask(_ place: ADBPlace) async throws(HelioError) -> [ADBDevice]? {
        let group = MultiThreadedEventLoopGroup.singleton
        let promise = group.next().makePromise(of: [UInt8].self)
        let connecting = ClientBootstrap(group: promise.futureResult.eventLoop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(ListHandler(promise))
                }
            }
            .connect(host: place.host, port: place.port)
        let channel: any Channel
        do {
            channel = try await connecting.get()
        } catch {
            promise.fail(error)
            return nil
        }
        let limit = channel.eventLoop.scheduleTask(in: answerTime) { channel.close(promise: nil) }
        defer {
            limit.cancel()
            channel.close(promise: nil)
        }
        do {
            return ADBDevice.list(in: try await promise.futureResult.get())
        } catch {
            throw AndroidTrouble.strangeServer.error
        }
    }

    /// Sends the request, and completes the promise with the answer's block.
    private final class ListHandler: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<[UInt8]>
        private var reader = ADBReader()
        private var isAccepted = false

        init(_ promise: EventLoopPromise<[UInt8]>) { self.promise = promise }

        func channelActive(context: ChannelHandlerContext) {
            let request = ADBRequest.devices.serialised ?? []
            context.writeAndFlush(NIOAny(ByteBuffer(bytes: request)), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            reader.append(Array(buffer: unwrapInboundIn(data)))
            do throws(ADBWireError) {
                if !isAccepted, let status = try reader.takeStatus() {
                    guard status == .okay else { return promise.fail(ADBWireError.unexpectedAnswer) }
                    isAccepted = true
                }
                if isAccepted, let block = try reader.takeBlock() { promise.succeed(block) }
            } catch {
                promise.fail(error)
            }
        }

        func channelInactive(context: ChannelHandlerContext) { promise.fail(ADBWireError.unexpectedAnswer) }
    }
}
