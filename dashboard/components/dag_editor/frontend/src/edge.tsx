/** An arrow: thickness tells strength, dashes tell that its number was set by hand. */
import { memo } from "react";
import { EdgeLabelRenderer, type Edge, type EdgeProps } from "@xyflow/react";
import { useActions } from "./actions";
import type { DrawnEdge } from "./protocol";
import { dashes, edgeText, type Route } from "./routing";
import { edgeTitle } from "./wording";

export type FlowEdge = Edge<
  { readonly edge: DrawnEdge; readonly route: Route; readonly cause: string; readonly effect: string; readonly aside: boolean },
  "arrow"
>;

export const EdgeView = memo(function EdgeView({ data, selected }: EdgeProps<FlowEdge>) {
  const { select } = useActions();
  if (!data) return null;
  const { edge, route, cause, effect, aside } = data;
  const title = edgeTitle(edge, cause, effect);
  const text = edgeText(edge);
  const mark = edge.mark === null ? "" : edge.mark.replace(" ", "-");
  return (
    <>
      <g className={`arrow ${mark}`}>
        <title>{title}</title>
        <path className="halo" d={route.path} strokeWidth={route.width + 8} />
        <path className="shaft" d={route.path} strokeWidth={route.width} strokeDasharray={dashes(edge)} />
        <polygon className="head" points={route.head} />
        <path className="react-flow__edge-interaction" d={route.path} strokeWidth={24} fill="none" stroke="transparent" />
      </g>
      {text !== "" && (
        <EdgeLabelRenderer>
          <div
            className={`edge-label nopan nodrag ${selected ? "selected" : ""} ${edge.by_hand ? "by-hand" : ""} ${aside ? "aside" : ""} ${mark}`}
            style={{ transform: `translate(-50%, -50%) translate(${route.label[0]}px, ${route.label[1]}px)` }}
            title={title}
            aria-hidden="true"
            onClick={() => select({ kind: "edge", cause: edge.cause, effect: edge.effect })}
          >
            {text}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
