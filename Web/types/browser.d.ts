// What the page uses of browsers and TypeScript's own lib.dom.d.ts lacks, at least in the oldest version that checks the page
// (4.8). What not every browser has is optional.

interface Navigator {
    /** Screen Wake Lock; in secure contexts alone. */
    readonly wakeLock?: {request(type: "screen"): Promise<PageWakeLock>};
    /** Keyboard Lock. */
    readonly keyboard?: {lock?(): Promise<void>; unlock?(): void};
    /** User-Agent Client Hints. */
    readonly userAgentData?: {platform?: string};
}

interface PageWakeLock {
    readonly released: boolean;
    release(): Promise<void>;
}

// File System Access

interface Window {
    showDirectoryPicker?(options: {mode: "readwrite", id: string}): Promise<FileSystemDirectoryHandle>;
    showSaveFilePicker?(options: {suggestedName: string, id: string}): Promise<FileSystemFileHandle>;
}

interface FileSystemWritable {
    write(data: Uint8Array | {type: "write", position: number, data: Uint8Array}): Promise<void>;
    seek(position: number): Promise<void>;
    truncate(size: number): Promise<void>;
    close(): Promise<void>;
    abort(reason?: unknown): Promise<void>;
}

interface FileSystemDirectoryHandle {
    keys(): AsyncIterable<string>;
}

interface FileSystemFileHandle {
    createWritable(options?: {keepExistingData?: boolean}): Promise<FileSystemWritable>;
    createSyncAccessHandle(): Promise<{
        write(bytes: Uint8Array, options: {at: number}): number;
        truncate(size: number): void;
        flush(): void;
        close(): void;
    }>;
}

interface RTCStatsReport {
    /** It is a map. */
    get(id: string): any;
}

// WebRTC Encoded Transform, WebCodecs, Web Audio's worklets

interface EncodedFrame {
    readonly timestamp: number;
    data: ArrayBuffer;
    /** `frameId` and `dependencies`: of pictures that come with a dependency descriptor. */
    getMetadata(): {rtpTimestamp?: number, payloadType: number, frameId?: number, dependencies?: number[]};
}

interface FrameTransformer {
    readonly readable: ReadableStream<EncodedFrame>;
    readonly writable: WritableStream<EncodedFrame>;
    readonly options?: any;
    /** For pictures alone. */
    sendKeyFrameRequest?(): Promise<unknown>;
}

declare var onrtctransform: (event: {transformer: FrameTransformer}) => void;

declare class RTCRtpScriptTransform {
    constructor(worker: Worker, options?: object);
}

interface RTCRtpReceiver {
    transform?: RTCRtpScriptTransform | null;
    jitterBufferTarget?: number | null;
    playoutDelayHint?: number | null;
}

interface RTCRtpTransceiver {
    getHeaderExtensionsToNegotiate?(): {uri: string, direction: string}[];
    setHeaderExtensionsToNegotiate?(extensions: {uri: string, direction: string}[]): void;
}

interface DecodedSound {
    readonly numberOfFrames: number;
    copyTo(samples: Float32Array, options: {planeIndex: number, format: "f32-planar"}): void;
    close(): void;
}

declare class EncodedAudioChunk {
    constructor(chunk: {type: "key", timestamp: number, data: Uint8Array});
}

declare class AudioDecoder {
    constructor(ways: {output: (sound: DecodedSound) => void, error: (error: Error) => void});
    readonly state: "unconfigured" | "configured" | "closed";
    configure(configuration: object): void;
    decode(chunk: EncodedAudioChunk): void;
    close(): void;
    static isConfigSupported(configuration: object): Promise<{supported: boolean}>;
}

/** A `VideoFrame`. */
interface DecodedPicture {
    readonly timestamp: number;
    readonly displayWidth: number;
    readonly displayHeight: number;
    close(): void;
}

/** A `VideoDecoder`. */
interface PictureDecoder {
    readonly state: "unconfigured" | "configured" | "closed";
    configure(configuration: object): void;
    decode(chunk: object): void;
    close(): void;
}

declare class VideoDecoder {
    static isConfigSupported(configuration: object): Promise<{supported: boolean}>;
}

/** An `OffscreenCanvas`. */
interface PictureCanvas {
    width: number;
    height: number;
    getContext(kind: "2d", options: object): {
        drawImage(picture: DecodedPicture, x: number, y: number, width: number, height: number): void;
    } | null;
}

interface HTMLCanvasElement {
    transferControlToOffscreen(): PictureCanvas & Transferable;
}

declare class AudioWorkletProcessor {
    readonly port: MessagePort;
}

/** The context's time in seconds at the begin of the present block, and its sample rate. */
declare const currentTime: number, sampleRate: number;

declare function registerProcessor(name: string, processor: new (options: any) => AudioWorkletProcessor): void;

// Pieces of what is known otherwise

interface Element {
    requestPointerLock(options?: {unadjustedMovement?: boolean}): Promise<void>;
}

interface ARIAMixin {
    role: string | null;
}

interface HTMLElementEventMap {
    /** Pointer Events 3; in secure contexts alone. */
    "pointerrawupdate": PointerEvent;
    "gesturestart": Event;
}
