/** What a screen reader hears of an edit: only once Python has done it, and nothing if it refused. */
import { useCallback, useEffect, useRef, useState } from "react";
import type { Graph } from "./reducer";
import type { View } from "./session";

interface Said {
  readonly seq: number;
  readonly text: string;
  readonly came: (graph: Graph) => boolean;
}

export type SayDone = (seq: number, text: string, came?: (graph: Graph) => boolean) => void;

export interface Saying {
  readonly said: string;
  readonly sayNow: (text: string) => void;
  readonly sayDone: SayDone;
}

const ALWAYS = () => true;
/** The same words twice are heard twice only if something differs. */
const AGAIN = "\u00a0";

export function useSaying(view: View): Saying {
  const [said, setSaid] = useState("");
  const waiting = useRef<Said[]>([]);
  const sayNow = useCallback((text: string) => setSaid((before) => (before === text ? text + AGAIN : text)), []);
  const sayDone = useCallback<SayDone>((seq, text, came = ALWAYS) => {
    waiting.current.push({ seq, text, came });
  }, []);
  useEffect(() => {
    const done = waiting.current.filter(({ seq }) => seq <= view.acknowledged);
    if (done.length === 0) return;
    waiting.current = waiting.current.filter(({ seq }) => seq > view.acknowledged);
    const refused = new Set(view.refusals.map(({ seq }) => seq));
    const last = done.filter(({ seq, came }) => !refused.has(seq) && came(view.graph)).at(-1);
    if (last !== undefined) sayNow(last.text);
    else setSaid(""); // the refusal is an alert of its own
  }, [view, sayNow]);
  return { said, sayNow, sayDone };
}
