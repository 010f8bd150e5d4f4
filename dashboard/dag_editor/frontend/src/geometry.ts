/** Sizes and outlines of nodes: the screen, the arrows and the exported picture share them. */
import type { DrawnNode, Role } from "./protocol";

export type Point = readonly [number, number];

export interface Box {
  readonly name: string;
  readonly role: Role;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const COLUMN_GAP = 340;
export const ROW_GAP = 110;
export const NAME_FONT = '600 14px "Source Sans", "Source Sans Pro", system-ui, sans-serif';
export const DETAIL_FONT = '400 12px "Source Sans", "Source Sans Pro", system-ui, sans-serif';

const LEAST_WIDTH = 128;
const MOST_WIDTH = 236;
const PADDING: Record<Role, number> = { protected: 44, relevant: 36, decision: 60, unknown: 36 };

let pen: CanvasRenderingContext2D | null | undefined;
const widths = new Map<string, number>();

/** Width of a text in pixels, as far as it matters here. */
export function textWidth(text: string, font: string): number {
  const key = font + text;
  const known = widths.get(key);
  if (known !== undefined) return known;
  pen ??= document.createElement("canvas").getContext("2d");
  let width = text.length * 8;
  if (pen) {
    pen.font = font;
    width = pen.measureText(text.slice(0, 300)).width;
  }
  if (widths.size > 2_000) widths.clear();
  widths.set(key, width);
  return width;
}

/** A node's box; `grow` enlarges it where it stands, for drawings that are seen from afar. */
export function boxOf(node: DrawnNode, grow = 1): Box {
  const text = Math.max(textWidth(node.label, NAME_FONT), textWidth(node.detail, DETAIL_FONT));
  const width = Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, Math.ceil(text) + PADDING[node.role]));
  const height = node.detail === "" ? 54 : 70;
  return {
    name: node.name,
    role: node.role,
    x: node.x ?? 0,
    y: node.y ?? 0,
    width: Math.ceil(width * grow),
    height: Math.ceil(height * grow),
  };
}

/** The corners of a node's shape; `inset` draws the inner line of a double border. */
export function outline(role: Role, width: number, height: number, inset = 0): Point[] {
  const [left, top, right, bottom] = [inset, inset, width - inset, height - inset];
  const middle = height / 2;
  if (role === "protected") {
    const cut = 13 - inset * 0.4;
    return [
      [left + cut, top], [right - cut, top], [right, top + cut], [right, bottom - cut],
      [right - cut, bottom], [left + cut, bottom], [left, bottom - cut], [left, top + cut],
    ];
  }
  if (role === "decision") {
    const point = 22;
    return [[left, middle], [left + point, top], [right - point, top], [right, middle], [right - point, bottom], [left + point, bottom]];
  }
  return [[left, top], [right, top], [right, bottom], [left, bottom]];
}

export function polygon(points: readonly Point[]): string {
  return points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
}

export function inside(box: Box, [x, y]: Point): boolean {
  const corners = outline(box.role, box.width, box.height);
  const [px, py] = [x - box.x, y - box.y];
  let within = false;
  corners.forEach(([ax, ay], index) => {
    const [bx, by] = corners[(index + corners.length - 1) % corners.length] ?? [0, 0];
    if (ay > py !== by > py && px < ((bx - ax) * (py - ay)) / (by - ay) + ax) within = !within;
  });
  return within;
}

export function centre(box: Box): Point {
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** The smallest rectangle around all boxes. */
export function bounds(boxes: readonly Box[]): { x: number; y: number; width: number; height: number } {
  if (boxes.length === 0) return { x: 0, y: 0, width: 320, height: 160 };
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** A free place near a wished point for a new node. */
export function freePlace(boxes: readonly Box[], [x, y]: Point): Point {
  const free = (px: number, py: number) =>
    boxes.every((box) => px + 150 < box.x || py + 66 < box.y || px > box.x + box.width + 20 || py > box.y + box.height + 12);
  for (let ring = 0; ring < 12; ring += 1) {
    for (let step = 0; step < Math.max(1, ring * 8); step += 1) {
      const angle = (2 * Math.PI * step) / Math.max(1, ring * 8) + Math.PI / 2;
      const [px, py] = [x + ring * 90 * Math.cos(angle), y + ring * 70 * Math.sin(angle)];
      if (free(px, py)) return [Math.round(px), Math.round(py)];
    }
  }
  return [Math.round(x), Math.round(y)];
}

export function round(value: number): number {
  return Math.round(value * 10) / 10;
}
