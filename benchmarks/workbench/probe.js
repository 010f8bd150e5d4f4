// Measures inside the page, by its own clock: from an input event until what was wished for is in
// a frame; what went over the websocket meanwhile; and the time between frames.
(() => {
  const fields = FIELDS;
  const log = { sent: [], received: [], finished: [] };

  function read(bytes) {
    // The top level of a ForwardMsg: [field number, value or length] until the end.
    const found = {};
    let at = 0;
    const varint = () => {
      let value = 0, shift = 1, byte;
      do { byte = bytes[at++]; value += (byte & 127) * shift; shift *= 128; } while (byte & 128);
      return value;
    };
    while (at < bytes.length) {
      const tag = varint();
      const value = varint();
      found[Math.floor(tag / 8)] = value;
      if (tag % 8 === 2) at += value;
      else if (tag % 8 !== 0) break;
    }
    return found;
  }

  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => {
        const now = performance.now();
        const bytes = new Uint8Array(event.data);
        const found = read(bytes);
        log.received.push([now, bytes.length]);
        // How a run ended is an enumeration whose first value, "well", takes no bytes when alone.
        if (fields.script_finished in found) log.finished.push([now, found[fields.script_finished]]);
      });
    }
    send(data) {
      log.sent.push(performance.now());
      super.send(data);
    }
  };

  let roots = [];
  function all(selector) {
    if (roots.length === 0 || roots.some((root) => !root.host.isConnected)) {
      roots = [...document.querySelectorAll("*")].flatMap((one) => one.shadowRoot ?? []);
    }
    return [document, ...roots].flatMap((root) => [...root.querySelectorAll(selector)]);
  }

  const arrow = (cause, effect) =>
    all(".react-flow__edge").find((one) =>
      (one.getAttribute("aria-label") ?? "").split(",")[0] === `arrow from ${cause} to ${effect}`);

  const app = () => document.querySelector("[data-testid=stApp]")?.dataset ?? {};
  const quiet = () => app().testScriptState === "notRunning" && app().testConnectionState === "CONNECTED";

  // Each returns whether the screen shows what was wished for.
  const shows = {
    number: ({ cause, effect, label, before }) =>
      (arrow(cause, effect)?.getAttribute("aria-label") ?? "").includes(`coefficient ${label},`)
      && shows.preview().length === before.length
      && shows.preview().every((table, place) => table !== before[place]),
    coefficient: ({ cause, effect }) =>
      / coefficient .*[0-9]/.test(arrow(cause, effect)?.getAttribute("aria-label") ?? ""),
    gone: ({ cause, effect }) => arrow(cause, effect) === undefined,
    saved: () => log.finished.some(([at]) => at > started) && quiet(),
    preview: () => all(".cst-table").map((one) => one.innerText),
    // An evidence page to its end, and every chart of it.
    neighbours: ({ k }) =>
      document.querySelector(`.cst-finished[data-part=evidence][data-k="${k}"]`) !== null
      && all(".js-plotly-plot").length > 0
      && all(".js-plotly-plot").every((one) => one.layout.meta?.k === k),
  };

  let started = 0;
  let result = null;

  window.cstProbe = {
    preview: shows.preview,
    quiet,

    // From the next event of this kind until `wish` is shown in a frame.
    arm(event, wish, about) {
      result = null;
      for (const part of Object.values(log)) part.length = 0;
      const begin = (heard) => {
        window.removeEventListener(event, begin, true);
        started = heard.timeStamp;
        const look = () => {
          if (shows[wish](about)) result = performance.now() - started;
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      };
      window.addEventListener(event, begin, true);
    },

    // What was measured, once the page has come to rest; null before. A run of a fragment counts
    // only where it is what was asked for.
    outcome(fragments = false) {
      if (result === null || !quiet()) return null;
      const runs = log.finished.filter(
        ([at, how]) => at > started && (fragments || how !== fields.fragment));
      const first = log.sent.find((at) => at >= started);
      if (runs.length === 0 || first === undefined) return null;
      const last = runs.at(-1)[0];
      const heard = log.received.filter(([at]) => at >= first && at <= last);
      return {
        redraw: result,
        server: last - first,
        runs: runs.length,
        frames: heard.length,
        bytes: heard.reduce((sum, [, size]) => sum + size, 0),
      };
    },

    // The milliseconds between frames, from now on until `frames(false)`.
    frames(on) {
      if (!on) { this.counting = false; return this.gaps; }
      this.counting = true;
      this.gaps = [];
      let before = null;
      const tick = (now) => {
        if (before !== null) this.gaps.push(now - before);
        before = now;
        if (this.counting) requestAnimationFrame(tick);
      };
      requestAnimationFrame(tick);
      return null;
    },
  };
})();
