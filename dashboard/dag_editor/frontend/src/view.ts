/** Small hooks about what is seen: fitting, full screen, and when to say that saving takes a while. */
import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

const SLOW = 1_200;

/** Fits the drawing when it appears and whenever its place changes size, until its user moves it. */
export function useKeptFit(canvas: RefObject<HTMLElement | null>, ready: boolean, fit: () => void): { readonly moved: () => void; readonly fitNow: () => void } {
  const byHand = useRef(false);
  const latest = useRef(fit);
  latest.current = fit;
  useEffect(() => {
    const element = canvas.current;
    if (!ready || element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (!byHand.current && element.clientWidth > 0 && element.clientHeight > 0) latest.current();
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, ready]);
  const moved = useCallback(() => {
    byHand.current = true;
  }, []);
  const fitNow = useCallback(() => {
    byHand.current = false;
    latest.current();
  }, []);
  return { moved, fitNow };
}

/** Whether an element fills the screen, and the way there and back. */
export function useFullScreen(element: RefObject<HTMLElement | null>): readonly [boolean, () => void] {
  const [full, setFull] = useState(false);
  const isFull = useCallback(() => {
    const found = element.current;
    // Inside a shadow tree the document names its host only.
    return found !== null && (found.getRootNode() as Document | ShadowRoot).fullscreenElement === found;
  }, [element]);
  useEffect(() => {
    const follow = () => setFull(isFull());
    document.addEventListener("fullscreenchange", follow);
    return () => document.removeEventListener("fullscreenchange", follow);
  }, [isFull]);
  const toggle = useCallback(() => {
    const asked = isFull() ? document.exitFullscreen() : element.current?.requestFullscreen();
    asked?.catch(() => undefined);
  }, [element, isFull]);
  return [full, toggle];
}

/** True while edits have been waiting for Python noticeably long. */
export function useSlowSaving(pending: number): boolean {
  const [slow, setSlow] = useState(false);
  const waits = pending > 0;
  useEffect(() => {
    if (!waits) {
      setSlow(false);
      return undefined;
    }
    const timer = setTimeout(() => setSlow(true), SLOW);
    return () => clearTimeout(timer);
  }, [waits]);
  return slow;
}
