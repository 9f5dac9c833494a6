// SPDX-License-Identifier: MIT
//
// The pixels of a texture file, from the library.

/**
 * Null: its kind of pixels is not supported.
 * @returns {{ width: number, height: number, pixels: Uint8ClampedArray, isOpaque: boolean }|null}
 */
export function readPicture(workspace, word) {
  let scene = null;
  try {
    scene = workspace.scene([word]);
    const [texture] = scene.textures;
    if (!texture || texture.width === 0 || texture.height === 0) return null;
    const pixels = new Uint8ClampedArray(texture.pixels); // a copy: the scene is freed
    return { width: texture.width, height: texture.height, pixels, isOpaque: isOpaque(pixels) };
  } catch {
    return null; // whoever reads the file reports why
  } finally {
    scene?.free();
  }
}

function isOpaque(pixels) {
  for (let i = 3; i < pixels.length; i += 4) if (pixels[i] !== 255) return false;
  return true;
}
