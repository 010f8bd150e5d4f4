/** The drawing as a picture of its own: a clean SVG, and a PNG made from it. */
import { bounds, boxOf, DETAIL_FONT, NAME_FONT, outline, polygon, textWidth, type Box } from "./geometry";
import type { DrawnNode, Role } from "./protocol";
import type { Graph } from "./reducer";
import { dashes, edgeText, LABEL_FONT, lineId, linesOf, routeAll, type Line, type Route } from "./routing";
import { ROLE_CAPTION, token } from "./wording";

const COLOUR: Record<Role, { line: string; fill: string; text: string }> = {
  protected: { line: "#b84f00", fill: "#fdeee2", text: "#8a3b00" },
  relevant: { line: "#4f6b88", fill: "#eef2f6", text: "#3d566f" },
  decision: { line: "#5b3487", fill: "#f0eaf6", text: "#532f7b" },
  unknown: { line: "#6b6b6b", fill: "#ffffff", text: "#555555" },
};
const MARGIN = 32;
const FONT = 'font-family="system-ui, Helvetica, Arial, sans-serif"';

export function toSvg(graph: Graph, title: string): string {
  const boxes = graph.nodes.map((node) => boxOf(node));
  const frame = bounds(boxes);
  const lines = linesOf(graph);
  const routes = routeAll(boxes, lines);
  const [x, y] = [frame.x - MARGIN, frame.y - MARGIN];
  const [width, height] = [frame.width + 2 * MARGIN, frame.height + 2 * MARGIN];
  const routed = lines.flatMap((edge) => {
    const route = routes.get(lineId(edge));
    return route ? [{ edge, route }] : [];
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}" ${FONT}>`,
    `<title>${escape(title)}</title>`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="#ffffff"/>`,
    ...routed.map(({ edge, route }) => arrow(edge, route)),
    ...graph.nodes.map((node, index) => shape(node, boxes[index] ?? boxOf(node))),
    ...routed.map(({ edge, route }) => label(edge, route)),
    "</svg>",
  ].join("\n");
}

/** Paints the SVG at twice its size. */
export async function toPng(svg: string): Promise<Blob> {
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    const scale = Math.min(2, 8_000 / Math.max(image.width, image.height));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(image.width * scale);
    canvas.height = Math.ceil(image.height * scale);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise<Blob>((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture could not be made."))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function download(content: Blob, fileName: string, ending: "svg" | "png"): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = `${fileName || "drawing"}-${token().slice(0, 12)}.${ending}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

function arrow(edge: Line, route: Route): string {
  const pattern = dashes(edge);
  const colour = edge.accepted === "" ? "#555b66" : "#00664a";
  const dashed = pattern === undefined ? "" : ` stroke-dasharray="${pattern}"`;
  return (
    `<path d="${route.path}" fill="none" stroke="${colour}" stroke-width="${route.width}"${dashed}${edge.mark === "only there" ? ' stroke-linecap="round"' : ""}/>` +
    [route.head, route.tail].filter((points) => points !== "").map((points) => `<polygon points="${points}" fill="${colour}"/>`).join("")
  );
}

function label(edge: Line, route: Route): string {
  const text = edgeText(edge);
  if (text === "") return "";
  const width = 1.2 * Math.min(180, textWidth(text, LABEL_FONT)) + 12; // fonts elsewhere may be wider
  const [x, y] = route.label;
  return (
    `<rect x="${x - width / 2}" y="${y - 10}" width="${width}" height="20" rx="5" fill="#ffffff" stroke="#c9ccd3"/>` +
    line(shorten(text, LABEL_FONT, 180), x, y + 4, 'font-size="12" font-weight="600" fill="#2b2f36"')
  );
}

function shape(node: DrawnNode, box: Box): string {
  const { line: stroke, fill, text } = COLOUR[node.role];
  const at = `transform="translate(${box.x} ${box.y})"`;
  const paint = `fill="${fill}" stroke="${stroke}" stroke-width="2"`;
  const room = box.width - (node.role === "decision" ? 52 : 28);
  const middle = box.width / 2;
  const parts = [`<g ${at}><title>${escape(node.label)}</title>`];
  if (node.role === "relevant") {
    parts.push(`<rect x="1" y="1" width="${box.width - 2}" height="${box.height - 2}" rx="14" ${paint}/>`);
  } else if (node.role === "unknown") {
    parts.push(`<rect x="1" y="1" width="${box.width - 2}" height="${box.height - 2}" rx="4" ${paint} stroke-dasharray="6 4"/>`);
  } else {
    parts.push(`<polygon points="${polygon(outline(node.role, box.width, box.height, 1))}" ${paint}/>`);
  }
  if (node.role === "protected") {
    parts.push(`<polygon points="${polygon(outline(node.role, box.width, box.height, 5))}" fill="none" stroke="${stroke}"/>`);
  }
  parts.push(line(ROLE_CAPTION[node.role], middle, 20, `font-size="11" fill="${text}"`));
  parts.push(line(shorten(node.label, NAME_FONT, room), middle, 38, 'font-size="14" font-weight="600" fill="#1f2329"'));
  if (node.detail !== "") {
    parts.push(line(shorten(node.detail, DETAIL_FONT, room), middle, 55, 'font-size="12" fill="#4a4f58"'));
  }
  return [...parts, "</g>"].join("");
}

function line(text: string, x: number, y: number, style: string): string {
  return `<text x="${x}" y="${y}" text-anchor="middle" ${style}>${escape(text)}</text>`;
}

function shorten(text: string, font: string, room: number): string {
  if (textWidth(text, font) <= room) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && textWidth(`${letters.join("")}…`, font) > room) letters.pop();
  return `${letters.join("")}…`;
}

/** Text in XML: markup becomes text, and characters that XML cannot hold are left out. */
function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");
}
