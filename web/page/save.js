// SPDX-License-Identifier: MIT
//
// Saving. The library makes the same bytes as the tool; the picture comes from the stage.

import { byId } from './dom.js';

function download(name, bytes, type) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function fileName(session, end) {
  const name = (session.figure?.name || session.scene?.name || 'ossa').replace(
    /[^\p{L}\p{N}._-]+/gu,
    '_',
  );
  return `${name}${end}`;
}

function savers(session, stage, labels) {
  return {
    glb: () => download(fileName(session, '.glb'), session.scene.glb({ variant: session.variant }), 'model/gltf-binary'),
    clip: () =>
      download(
        fileName(
          session,
          `-${session.scene.clips[session.clip].name}.glb`.replace(/[^\w.-]+/g, '_'),
        ),
        session.scene.glb({ clips: [session.clip], variant: session.variant }),
        'model/gltf-binary',
      ),
    json: () => download(fileName(session, '.json'), session.scene.json(), 'application/json'),
    png: () =>
      picture(stage, labels).toBlob(
        (blob) => download(fileName(session, '.png'), blob, 'image/png'),
        'image/png',
      ),
  };
}

// The 3D view with the names over it.
function picture(stage, labels) {
  const canvas = document.createElement('canvas');
  canvas.width = stage.canvas.width;
  canvas.height = stage.canvas.height;
  const context = canvas.getContext('2d');
  stage.draw(); // the drawing buffer is valid only in the same task
  context.drawImage(stage.canvas, 0, 0);
  if (labels.width > 0 && labels.height > 0)
    context.drawImage(labels, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** The menu of the save button. */
export function setUpSaving(session, stage, labels) {
  const menu = byId('save-menu');
  const button = byId('save');
  const save = savers(session, stage, labels);
  const close = (isFocused) => {
    menu.hidden = true;
    button.setAttribute('aria-expanded', 'false');
    if (isFocused) button.focus();
  };
  const open = () => {
    for (const item of menu.querySelectorAll('[data-save]')) {
      const needs = item.dataset.save;
      item.disabled =
        !stage && needs === 'png'
          ? true
          : needs === 'png'
            ? false
            : !session.scene || (needs === 'clip' && session.clip < 0);
    }
    menu.hidden = false;
    button.setAttribute('aria-expanded', 'true');
    menu.querySelector('button:not(:disabled)')?.focus();
  };
  button.addEventListener('click', () => (menu.hidden ? open() : close(true)));
  menu.addEventListener('click', (event) => {
    const what = event.target.closest('[data-save]')?.dataset.save;
    if (!what) return;
    close(true);
    try {
      save[what]();
    } catch (error) {
      session.emit('notice', { kind: 'error', text: `Not saved: ${error.message}` });
    }
  });
  menu.addEventListener('keydown', (event) => {
    const items = [...menu.querySelectorAll('button:not(:disabled)')];
    const at = items.indexOf(document.activeElement);
    if (event.key === 'Escape') close(true);
    else if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') items[(at + items.length - 1) % items.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener('pointerdown', (event) => {
    if (!menu.hidden && !menu.contains(event.target) && !button.contains(event.target))
      close(false);
  });
  return { open, save };
}
