// SPDX-License-Identifier: MIT
//
// What the threads of a page do while it is busy, from a trace of Chromium. Times are those of the
// processor, so that what else the machine does is not counted.

const FREEZE = 50; // milliseconds: what a person takes for a pause

/**
 * Trace `act`, which returns when the page is done.
 * @param {import('./support.mjs').Viewer} viewer
 * @param {() => Promise<any>} act
 */
export async function trace(viewer, act) {
  const browser = viewer.context.browser();
  await viewer.page.evaluate(watch);
  await browser.startTracing(viewer.page, { categories: ['disabled-by-default-devtools.timeline', 'toplevel', '__metadata'] });
  const begin = performance.now();
  let [elapsed, events] = [0, null];
  try {
    await act();
    elapsed = performance.now() - begin;
  } finally {
    events = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(events.toString());
  const seen = await viewer.page.evaluate(() => window.ossaWatched());
  return { elapsed, ...seen, ...summary(traceEvents) };
}

// In the page: what it says while it is at work, and whether it draws.
function watch() {
  const said = [];
  let frames = 0;
  let isOver = false;
  const line = document.getElementById('busy') ?? document.body;
  const observer = new MutationObserver(() => {
    const bar = document.querySelector('progress:not([hidden])');
    if (line.checkVisibility() && bar?.checkVisibility()) said.push(bar.value);
  });
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  const tick = () => {
    frames += 1;
    if (!isOver) requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
  window.ossaWatched = () => {
    isOver = true;
    observer.disconnect();
    return { frames, reports: new Set(said).size };
  };
}

/** The longest task of the page's own thread, and who has worked for how long, in milliseconds. */
function summary(events) {
  const threads = new Map();
  for (const { ph, name, pid, tid, args } of events)
    if (ph === 'M' && name === 'thread_name') threads.set(`${pid} ${tid}`, args.name);
  const tasks = events.filter(({ ph, name }) => ph === 'X' && /RunTask$/.test(name));
  const of = (thread) => tasks
    .filter(({ pid, tid }) => (threads.get(`${pid} ${tid}`) ?? '').startsWith(thread))
    .map(({ tdur, dur }) => (tdur ?? dur) / 1000);
  const sum = (list) => list.reduce((all, one) => all + one, 0);
  const page = of('CrRendererMain');
  return {
    longest: Math.max(0, ...page),
    freezes: page.filter((duration) => duration > FREEZE).length,
    page: sum(page),
    worker: sum(of('DedicatedWorker')),
  };
}
