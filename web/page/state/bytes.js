// SPDX-License-Identifier: MIT
//
// The bytes of a file, one block at a time: a large file stays on the disk, and only the blocks that
// are shown are read.

const BLOCK = 1 << 16;
const MOST_BLOCKS = 64;

export class ByteSource {
  #blocks = new Map();
  #blob;
  #whole;

  /** @param {Blob|Uint8Array} from */
  constructor(from) {
    this.#whole = from instanceof Uint8Array ? from : null;
    this.#blob = from instanceof Uint8Array ? null : from;
    this.size = from instanceof Uint8Array ? from.length : from.size;
  }

  /** The byte at an offset; null: not read yet (see `want`). */
  at(offset) {
    if (this.#whole) return this.#whole[offset];
    const block = this.#blocks.get(Math.floor(offset / BLOCK));
    return block instanceof Uint8Array ? block[offset % BLOCK] : null;
  }

  /** Whether blocks that were wanted are still being read. */
  get isComing() {
    return [...this.#blocks.values()].includes('coming');
  }

  /** Read a range, unless it was read; calls back after each new block. */
  want(from, to, whenThere) {
    if (this.#whole) return;
    const last = Math.floor(Math.max(from, Math.min(to, this.size) - 1) / BLOCK);
    for (let i = Math.floor(from / BLOCK); i <= last; i++) {
      if (this.#blocks.has(i)) continue;
      this.#forgetSome();
      this.#blocks.set(i, 'coming');
      this.#blob
        .slice(i * BLOCK, (i + 1) * BLOCK)
        .arrayBuffer()
        .then(
          (buffer) => {
            this.#blocks.set(i, new Uint8Array(buffer));
            whenThere();
          },
          () => this.#blocks.delete(i),
        ); // the file was removed from the disk: the view stays empty
    }
  }

  #forgetSome() {
    if (this.#blocks.size < MOST_BLOCKS) return;
    const oldest = this.#blocks.keys().next().value;
    this.#blocks.delete(oldest);
  }
}
