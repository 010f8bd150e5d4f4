/** The line under the drawing: why an edit was refused, or else what the arrows mean. It covers nothing. */
import type { ReactNode } from "react";
import { Icon } from "./icons";
import type { Refusal } from "./protocol";
import { selectionKey } from "./protocol";
import type { Graph } from "./reducer";

export function Strip(props: {
  readonly graph: Graph;
  readonly refusals: readonly Refusal[];
  readonly hint: string;
  readonly onDismiss: () => void;
}) {
  const { graph, refusals, hint } = props;
  if (refusals.length > 0) {
    return (
      <div className="strip callout" role="alert">
        <div className="messages">
          {refusals.map((refusal) => <p key={selectionKey(refusal.target)}>{refusal.message}</p>)}
        </div>
        <button type="button" className="dismiss" aria-label="Dismiss" title="Dismiss (Escape)" onClick={props.onDismiss}>
          <Icon name="close" />
        </button>
      </div>
    );
  }
  const signs = [
    graph.edges.some((edge) => edge.strength !== null) && <Sign key="thick" drawn={<><path d="M1 5h14" strokeWidth={1.5} /><path d="M19 5h14" strokeWidth={5} /></>} text="thicker: stronger, compared with how much people differ" />,
    graph.edges.some((edge) => edge.by_hand) && <Sign key="hand" drawn={<path d="M1 5h32" strokeWidth={2} strokeDasharray="7 4" />} text="set by hand" />,
    graph.edges.some((edge) => edge.accepted !== "") && <Sign key="accepted" className="accepted" drawn={<path d="M1 5h32" strokeWidth={2} strokeDasharray="9 4 2 4" />} text="accepted as justified" />,
    graph.bidirected.length > 0 && <Sign key="both" drawn={<><path d="M6 5h22" strokeWidth={2} strokeDasharray="5 3" /><path className="tip" d="M1 5l6-4v8zM33 5l-6-4v8z" /></>} text="something unmeasured moves both" />,
  ];
  return (
    <div className="strip">
      {hint !== "" && <span className="quiet">{hint}</span>}
      <span className="legend">{signs}</span>
    </div>
  );
}

function Sign({ drawn, text, className = "" }: { drawn: ReactNode; text: string; className?: string }) {
  return (
    <span className={`sign ${className}`}>
      <svg width="34" height="10" viewBox="0 0 34 10" aria-hidden="true">{drawn}</svg>
      {text}
    </span>
  );
}

/** The names that a refusal is about: they are marked in the drawing. */
export function refusedNames(refusals: readonly Refusal[]): ReadonlySet<string> {
  return new Set(refusals.flatMap(({ target }) => {
    if (target === null) return [];
    if (target.kind === "node") return [target.node];
    return target.kind === "edge" ? [target.cause, target.effect] : [target.one, target.other];
  }));
}
