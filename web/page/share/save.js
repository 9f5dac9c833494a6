// SPDX-License-Identifier: MIT
//
// The save menu. The library makes the same bytes as the tool; pictures come from the stage.

import { byId } from '../window/dom.js';
import { clipName, download, figureName } from './download.js';
import { Film } from './film.js';
import { Menu } from '../window/menu.js';
import { savedPage } from './page_source.js';
import { ShareDialog } from './share_dialog.js';

const GLB = 'model/gltf-binary';

function savers({ session, player, show, stage, linking }, dialog) {
  const write = async (name, type, ...what) =>
    download(name, new Blob([await session.export(...what)], { type }));
  return {
    share: () => dialog.open(),
    glb: () => write(`${figureName(session)}.glb`, GLB, 'glb', { variant: session.variant }),
    clip: () =>
      write(`${clipName(session)}.glb`, GLB, 'glb', { clips: [session.clip], variant: session.variant }),
    bvh: () => write(`${clipName(session)}.bvh`, 'text/plain', 'bvh', { clip: session.clip }),
    csv: () => write(`${clipName(session)}.csv`, 'text/csv', 'csv', { clip: session.clip }),
    json: () => write(`${figureName(session)}.json`, 'application/json', 'json'),
    png: async () => download(`${figureName(session)}.png`, await picture(session, player, show, stage)),
    page: async () => download(`${figureName(session)}.html`, await savedPage(session, linking.hash())),
    link: () => linking.copy(),
  };
}

// The view as it is, with as many pixels as it has on the screen.
function picture(session, player, show, stage) {
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth, clientHeight } = stage.canvas;
  const { bones, names, grid, shadow } = session.view;
  const view = { bones, names: names || session.bone >= 0, grid, shadow };
  const shot = { width: clientWidth, height: clientHeight, view };
  const film = new Film({ session, show, stage }, shot, ratio);
  film.draw(player.time);
  show.moved();
  return film.blob('image/png');
}

/** @param {{ session: any, player: any, show: any, stage: any, linking: any }} parts */
export function setUpSaving(parts) {
  const { session, stage } = parts;
  const dialog = new ShareDialog(parts);
  const save = savers(parts, dialog);
  const hasScene = () => session.scene !== null;
  const hasClip = () => hasScene() && session.clip >= 0;
  const canSave = {
    share: () => dialog.canOpen,
    glb: hasScene,
    clip: hasClip,
    bvh: hasClip,
    csv: hasClip,
    json: hasScene,
    png: () => stage !== null,
    page: () => session.items.size > 0,
    link: () => hasScene() && session.figure.paths.every((path) => session.embedded.has(path)),
  };
  const menu = new Menu('save', 'save-menu', {
    opening: () => {
      for (const item of byId('save-menu').querySelectorAll('[data-save]'))
        item.disabled = !canSave[item.dataset.save]();
    },
    choose: async ({ dataset }) => {
      try {
        await save[dataset.save]();
      } catch (error) {
        session.emit('notice', { kind: 'error', text: `Not saved: ${error.message}` });
      }
    },
  });
  return { open: () => menu.open(), share: () => dialog.open(), save };
}
