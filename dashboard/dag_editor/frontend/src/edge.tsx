/** An arrow: thickness tells strength (explained under the drawing), dashes a number set by hand, a tick an accepted influence, two heads something unmeasured. */
import { memo, useState } from "react";
import { EdgeLabelRenderer, type Edge, type EdgeProps } from "@xyflow/react";
import { useActions } from "./actions";
import { dashes, edgeText, selectionOf, type Line, type Route } from "./routing";
import { edgeTitle } from "./wording";

export type FlowEdge = Edge<
  { readonly edge: Line; readonly route: Route; readonly cause: string; readonly effect: string; readonly aside: boolean },
  "arrow"
>;

export const EdgeView = memo(function EdgeView({ data, selected }: EdgeProps<FlowEdge>) {
  const { select } = useActions();
  const [over, setOver] = useState(false);
  if (!data) return null;
  const { edge, route, cause, effect, aside } = data;
  const title = edgeTitle(edge, cause, effect);
  const text = edgeText(edge);
  const mark = edge.mark === null ? "" : edge.mark.replace(" ", "-");
  const accepted = edge.accepted === "" ? "" : "accepted";
  return (
    <>
      <g className={`arrow ${accepted} ${mark} ${edge.both ? "both" : ""} ${over ? "over" : ""}`}>
        <title>{title}</title>
        <path className="halo" d={route.path} strokeWidth={route.width + 8} />
        <path className="shaft" d={route.path} strokeWidth={route.width} strokeDasharray={dashes(edge)} />
        <polygon className="head" points={route.head} />
        {edge.both && <polygon className="head" points={route.tail} />}
        <path className="react-flow__edge-interaction" d={route.path} strokeWidth={Math.max(24, 3 * route.width)} fill="none" stroke="transparent" />
      </g>
      {text !== "" && (
        <EdgeLabelRenderer>
          <div
            className={`edge-label nopan nodrag ${selected ? "selected" : ""} ${edge.by_hand ? "by-hand" : ""} ${aside ? "aside" : ""} ${accepted} ${mark}`}
            style={{ transform: `translate(-50%, -50%) translate(${route.label[0]}px, ${route.label[1]}px)` }}
            title={title}
            aria-hidden="true"
            onPointerEnter={() => setOver(true)}
            onPointerLeave={() => setOver(false)}
            onClick={() => select(selectionOf(edge))}
          >
            {text}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
