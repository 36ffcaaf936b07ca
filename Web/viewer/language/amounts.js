// Formats sizes and times for display, in the same way in all languages of the page.

/** @param {number} bytes */
export function sizeText(bytes) {
    if (bytes < 1000) return `${bytes} B`;
    if (bytes < 1e6) return `${(bytes / 1000).toFixed(0)} kB`;
    return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}

/** @param {number} seconds */
export function timeText(seconds) {
    if (seconds < 60) return `${seconds} s`;
    const minutes = Math.ceil(seconds / 60);
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
