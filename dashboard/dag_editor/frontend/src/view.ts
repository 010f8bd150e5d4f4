/** Small hooks about what is seen: the first fit, and when to say that saving takes a while. */
import { useEffect, useRef, useState, type RefObject } from "react";

const SLOW = 1_200;

/** Fits the drawing once, as soon as there is something to show and room to show it in. */
export function useFirstFit(canvas: RefObject<HTMLElement | null>, ready: boolean, fit: () => void): void {
  const done = useRef(false);
  const latest = useRef(fit);
  latest.current = fit;
  useEffect(() => {
    const element = canvas.current;
    if (!ready || done.current || element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (done.current || element.clientWidth === 0 || element.clientHeight === 0) return;
      done.current = true;
      observer.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => latest.current()));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, ready]);
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
