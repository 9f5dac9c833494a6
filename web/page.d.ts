// SPDX-License-Identifier: MIT
//
// What the page uses that TypeScript does not know.

/** The module, compressed by build.mjs. */
declare module 'ossa.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

/** index.html, compressed by build.mjs. */
declare module 'ossa.shell' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

declare module 'gifenc'; // has no types

interface CanvasCaptureMediaStreamTrack {
  requestFrame(): void;
}

/** The script of the worker, bundled by build.mjs. */
declare module 'ossa.worker' {
  const script: string;
  export default script;
}

/** The figure that the empty page offers, packed by build.mjs. */
declare module 'ossa.sample' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}

interface Window {
  ossaViewer: any; // see page/README.md
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle>; // Chrome and Edge
}

/** In workers only. */
declare var FileReaderSync: { new (): { readAsArrayBuffer(blob: Blob): ArrayBuffer } };
